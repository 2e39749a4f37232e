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
