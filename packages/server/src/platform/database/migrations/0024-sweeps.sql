-- The pages of stores are checked in turn, and copies of their certificates are noted where page checks meet them.

create table sweep_stores (
  store_id    uuid primary key references stores (id),
  -- products up to here, in the order of creation, have a row in sweep_pages or were not active
  visited_to  bigint not null default 0,
  -- a sweep that was asked for: what was checked before is due
  due_before  timestamptz,
  -- pages checked on that day (UTC)
  spent_on    date,
  spent       integer not null default 0,
  -- when a page was last checked; null: none was yet
  checked_at  timestamptz,
  -- sightings of copies that there was no room for
  copies_more integer not null default 0
);

create table sweep_pages (
  product_id uuid primary key,
  store_id   uuid not null,
  -- the least is checked next: when it was checked, or -infinity for what changed since
  turn       timestamptz not null,
  -- null: not checked yet
  result     text,
  verdict    text,
  -- `code: sentence`, the first of the report; empty: nothing is wrong
  reason     text not null default '',
  -- where the page was found, if not at the address of the product
  landing    text,
  report_id  uuid,
  -- a certificate of the product was seen on it at some time
  carried    boolean not null default false,
  expires_at timestamptz,
  -- a newer certificate has been there for a while, and this one ends within two days
  expiring   boolean not null default false,
  checked_at timestamptz,
  since      timestamptz
);
create index sweep_pages_in_turn on sweep_pages (store_id, turn);
create index sweep_pages_by_result on sweep_pages (store_id, result, product_id) where result is not null;
create index sweep_pages_by_verdict on sweep_pages (store_id, verdict, product_id) where result is not null;

-- Kept under the row lock of sweep_stores, so that nobody reads all pages to know how a store is.
create table sweep_counts (
  store_id uuid not null references sweep_stores (store_id),
  result   text not null,
  pages    integer not null,
  primary key (store_id, result)
);

create table copies (
  product_id uuid not null,
  host       text not null,
  store_id   uuid not null,
  -- without query: who asked may have said more about himself there than about the page
  url        text not null,
  first_at   timestamptz not null,
  last_at    timestamptz not null,
  -- page checks that met it, counted at most once a minute by each process
  times      integer not null default 1,
  primary key (product_id, host)
);
create index copies_by_store on copies (store_id, product_id, host);
create index copies_by_age on copies (last_at);

create function new_store_has_sweeps() returns trigger language plpgsql as $$
begin
  insert into sweep_stores (store_id) values (new.id);
  insert into jobs (queue, subject, owner, state, due_at) values ('sweeps', new.id, new.merchant_id, 'idle', null);
  return null;
end $$;
create trigger stores_sweeps_created after insert on stores
  for each row execute function new_store_has_sweeps();

-- A minute gathers what an import brings.
create function wake_sweeps(stores uuid[]) returns void language sql as $$
  update jobs set orders = orders + 1, state = 'scheduled', due_at = now() + interval '60 seconds'
  where queue = 'sweeps' and subject = any(stores)
    and (state = 'idle' or (state = 'scheduled' and due_at > now() + interval '60 seconds'))
$$;

create function new_products_wake_sweeps() returns trigger language plpgsql as $$
begin
  perform wake_sweeps(array(select distinct store_id from changed));
  return null;
end $$;
create trigger products_sweeps_created after insert on products
  referencing new table as changed for each statement execute function new_products_wake_sweeps();

-- Of a store that was never swept nothing is to be noted: all its pages are to be checked anyway.
create function changed_products_order_sweeps() returns trigger language plpgsql as $$
declare
  swept uuid[] := array(
    select store_id from sweep_stores s where checked_at is not null
      and exists (select from changed c where c.store_id = s.store_id) order by store_id);
begin
  if cardinality(swept) = 0 then return null; end if;
  insert into sweep_pages as page (product_id, store_id, turn)
    select c.id, c.store_id, '-infinity' from changed c join former f on f.id = c.id
    where c.store_id = any(swept) and (c.url, c.name,
        product_standing(c.deleted_at, c.disabled, c.visible, c.host_known, c.slot_order))
      is distinct from (f.url, f.name, product_standing(f.deleted_at, f.disabled, f.visible, f.host_known, f.slot_order))
    order by c.id
  on conflict (product_id) do update set turn = '-infinity' where page.turn <> '-infinity';
  if found then perform wake_sweeps(swept); end if;
  return null;
end $$;
create trigger products_sweeps_changed after update on products
  referencing new table as changed old table as former for each statement execute function changed_products_order_sweeps();

insert into sweep_stores (store_id) select id from stores;
insert into jobs (queue, subject, owner, state, due_at)
  select 'sweeps', id, merchant_id, case when deleted_at is null then 'ready' else 'idle' end,
    case when deleted_at is null then now() end from stores;
