-- Catalogues that the service reads itself: once, or on a schedule.

-- A catalogue that is read on a schedule.
create table store_sources (
  merchant_id uuid not null,
  store_id    uuid not null,
  -- encrypted: it may contain a token
  url         bytea not null,
  kind        text not null,
  every_hours integer not null check (every_hours between 1 and 8760),
  -- whether products that the catalogue does not name are deleted
  prune       text not null check (prune in ('never', 'cautious', 'always')),
  next_at     timestamptz not null,
  primary key (merchant_id, store_id),
  foreign key (merchant_id, store_id) references stores (merchant_id, id)
);
create index store_sources_due on store_sources (next_at);

-- One reading of a catalogue, with its progress. Its job, whose owner is the merchant, is found by its id alone, and there for as
-- long as the import.
create table imports (
  merchant_id uuid not null,
  id          uuid not null,
  store_id    uuid not null,
  -- encrypted: it may contain a token
  url         bytea not null,
  kind        text not null,
  prune       text not null check (prune in ('never', 'cautious', 'always')),
  scheduled   boolean not null,
  state       text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed')),
  -- what was read: JSON of {kind, url, position}, encrypted; everything up to it is counted here and in the registry
  cursor      bytea,
  total       integer,
  created     integer not null default 0,
  updated     integer not null default 0,
  unchanged   integer not null default 0,
  -- deleted before
  revived     integer not null default 0,
  failed      integer not null default 0,
  skipped     integer not null default 0,
  -- rows in error by kind: how many, and an example
  problems    jsonb not null default '{}',
  -- products of the store that the source does not name, and how many of them were deleted
  missing     integer,
  deleted     integer,
  failure     jsonb,
  created_at  timestamptz not null,
  begun_at    timestamptz,
  finished_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, store_id) references stores (merchant_id, id)
);
-- one at a time for each store
create unique index imports_unfinished on imports (merchant_id, store_id) where finished_at is null;
create index imports_by_store on imports (merchant_id, store_id, created_at desc);
-- old ones are deleted
create index imports_finished on imports (finished_at) where finished_at is not null;

-- Products that an import has read so far, to find in the end those that it did not.
create table import_products (
  merchant_id         uuid not null,
  import_id           uuid not null,
  external_product_id text not null,
  primary key (merchant_id, import_id, external_product_id),
  foreign key (merchant_id, import_id) references imports (merchant_id, id) on delete cascade
);
