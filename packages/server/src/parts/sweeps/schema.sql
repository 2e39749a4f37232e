-- The pages of stores are checked in turn, and copies of their certificates are noted where page checks meet them.

-- Each store has one job in the queue sweeps, whose subject is the store.
create table sweep_stores (
  merchant_id uuid not null,
  store_id    uuid not null,
  -- products up to here, in the order of creation, have a row in sweep_pages or were not active
  visited_to  bigint not null default 0,
  -- a sweep that was asked for: what was checked before is due
  due_before  timestamptz,
  -- when `due_before` was set, by the database's clock: such a sweep needs pages that are fetched after that
  begun_at    timestamptz,
  -- pages checked on that day (UTC)
  spent_on    date,
  spent       integer not null default 0,
  -- when a page was last checked; null: none was yet
  checked_at  timestamptz,
  -- sightings of copies that there was no room for
  copies_more integer not null default 0,
  primary key (merchant_id, store_id),
  foreign key (merchant_id, store_id) references stores (merchant_id, id)
);

create table sweep_pages (
  merchant_id          uuid not null,
  product_id           uuid not null,
  store_id             uuid not null,
  -- the least is checked next: when it was checked, or -infinity for what changed since
  turn                 timestamptz not null,
  -- null: not checked yet
  result               text,
  verdict              text,
  -- `code: sentence`, the first of the report; empty: nothing is wrong
  reason               text not null default '',
  -- where the page was found, if not at the address of the product
  landing              text,
  report_id            uuid,
  -- a certificate of the product was seen on it at some time
  carried              boolean not null default false,
  expires_at           timestamptz,
  -- a newer certificate has been there for a while, and this one ends within two days
  expiring             boolean not null default false,
  checked_at           timestamptz,
  -- when the result became what it is
  since                timestamptz,
  -- an event has reported that the page cannot be reached; false again once it is back
  unreachable_reported boolean not null default false,
  primary key (merchant_id, product_id)
);
create index sweep_pages_in_turn on sweep_pages (merchant_id, store_id, turn);
create index sweep_pages_by_result on sweep_pages (merchant_id, store_id, result, product_id) where result is not null;
create index sweep_pages_by_verdict on sweep_pages (merchant_id, store_id, verdict, product_id) where result is not null;
-- those that an event is to report once they cannot be reached for a day
create index sweep_pages_unreachable on sweep_pages (merchant_id, store_id, since)
  where result = 'unreachable' and not unreachable_reported;

-- Pages by result. Kept under the row lock of sweep_stores, so that nobody reads all pages to know how a store is.
create table sweep_counts (
  merchant_id uuid not null,
  store_id    uuid not null,
  result      text not null,
  pages       integer not null,
  primary key (merchant_id, store_id, result),
  foreign key (merchant_id, store_id) references sweep_stores (merchant_id, store_id)
);

-- Hosts of others that carry a certificate of a product.
create table copies (
  merchant_id uuid not null,
  product_id  uuid not null,
  host        text not null,
  -- registrable domain of host, or the host itself if it has none
  domain      text not null,
  store_id    uuid not null,
  -- without query: who asked may have said more about himself there than about the page
  url         text not null,
  first_at    timestamptz not null,
  last_at     timestamptz not null,
  -- page checks that met it, counted at most once a minute by each process
  times       integer not null default 1,
  primary key (merchant_id, product_id, host)
);
create index copies_by_domain on copies (merchant_id, store_id, domain, last_at desc);
-- old ones are deleted
create index copies_by_age on copies (last_at);

-- Copies are counted by registrable domain, since the names below one cost nothing.
create table copy_domains (
  merchant_id uuid not null,
  store_id    uuid not null,
  domain      text not null,
  first_at    timestamptz not null,
  last_at     timestamptz not null,
  times       integer not null,
  -- rows of `copies` that were deleted in favour of newer ones
  dropped     integer not null default 0,
  primary key (merchant_id, store_id, domain),
  foreign key (merchant_id, store_id) references stores (merchant_id, id)
);
create index copy_domains_by_age on copy_domains (last_at);

create function new_store_has_sweeps() returns trigger language plpgsql as $$
begin
  insert into sweep_stores (merchant_id, store_id) values (new.merchant_id, new.id);
  insert into jobs (queue, subject, owner, state, due_at) values ('sweeps', new.id, new.merchant_id, 'idle', null);
  return null;
end $$;
create trigger stores_sweeps_created after insert on stores
  for each row execute function new_store_has_sweeps();

-- There is something to do for these stores; a minute gathers what an import brings. Also for a job that runs or is about to: its
-- row stays locked until the change is committed, so that the run either ends after that, and sees that it was ordered again, or
-- begins after it. Locked in the order of their keys, as others lock them.
create function wake_sweeps(stores uuid[]) returns void language sql as $$
  with locked as (
    select subject from jobs where queue = 'sweeps' and subject = any(stores) order by subject for update)
  update jobs set orders = orders + 1,
    state = case when state = 'idle' then 'scheduled' else state end,
    due_at = case
      when state = 'idle' or (state = 'scheduled' and due_at > now() + interval '60 seconds')
      then now() + interval '60 seconds' else due_at end
  where queue = 'sweeps' and subject in (select subject from locked)
$$;

create function new_products_wake_sweeps() returns trigger language plpgsql as $$
begin
  perform wake_sweeps(array(select distinct store_id from changed));
  return null;
end $$;
create trigger products_sweeps_created after insert on products
  referencing new table as changed for each statement execute function new_products_wake_sweeps();

-- The pages of products that changed are checked next. Of a store that was never swept nothing is to be noted: all its pages are to be
-- checked anyway; one whose products were visited was swept, though none of them may have been active. By `except`, in time that
-- grows with the rows: a join of what changed with what was before would compare each row with each.
create function changed_products_order_sweeps() returns trigger language plpgsql as $$
declare
  swept uuid[] := array(
    select store_id from sweep_stores s where (checked_at is not null or visited_to > 0)
      and (merchant_id, store_id) in (select merchant_id, store_id from changed) order by store_id);
begin
  if cardinality(swept) = 0 then return null; end if;
  insert into sweep_pages as page (merchant_id, product_id, store_id, turn)
    select merchant_id, id, store_id, '-infinity' from (
      select merchant_id, id, store_id, url, name, product_standing(deleted_at, disabled, visible, host_known, slot_order)
        from changed where store_id = any(swept)
      except
      select merchant_id, id, store_id, url, name, product_standing(deleted_at, disabled, visible, host_known, slot_order)
        from former) as altered
    order by id
  on conflict (merchant_id, product_id) do update set turn = '-infinity' where page.turn <> '-infinity';
  if found then perform wake_sweeps(swept); end if;
  return null;
end $$;
create trigger products_sweeps_changed after update on products
  referencing new table as changed old table as former for each statement execute function changed_products_order_sweeps();
