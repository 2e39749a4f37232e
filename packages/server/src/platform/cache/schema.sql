-- Announcements of changes to all nodes.

-- How nodes hear of them: by a notification (listen), or by reading `changes` (poll). Whoever announces does it in each of these ways. A
-- node adds its own at start, and none is removed: nobody knows whether another node still needs it.
create table change_ways (
  way text primary key check (way in ('listen', 'poll'))
);
insert into change_ways (way) values ('listen');

-- A slot is held by one transaction at a time, so that its numbers are committed in their order and without a gap: whoever has read up to
-- number n of each slot has missed nothing, though transactions overlap. There are as many slots as there were transactions at a time.
create table change_slots (
  slot   integer generated always as identity primary key,
  number bigint not null default 0
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- Deleted after ten minutes: a reader to whom one is missing takes anything for changed.
create table changes (
  slot       integer not null,
  number     bigint not null,
  payloads   text[] not null,
  created_at timestamptz not null default now(),
  primary key (slot, number)
);
create index changes_by_age on changes (created_at);

-- Announces when the transaction commits. A function, since it is called in the middle of statements; volatile, since each of its statements
-- must see what was committed before it.
create function announce_changes(announced text[]) returns integer language plpgsql as $$
declare
  own change_slots;
begin
  if exists (select from change_ways where way = 'listen') then
    perform pg_notify('touchstone_changed', payload) from unnest(announced) payload;
  end if;
  if exists (select from change_ways where way = 'poll') then
    select * into own from change_slots order by slot limit 1 for update skip locked;
    if not found then
      insert into change_slots default values returning * into own;
    end if;
    update change_slots set number = number + 1 where slot = own.slot returning * into own;
    insert into changes (slot, number, payloads) values (own.slot, own.number, announced);
  end if;
  return cardinality(announced);
end $$;
