-- What the console shows besides the registry, from counts that are kept anyway.

-- Global, as a browser is known by its cookie alone: browsers of merchants and the operator hold sessions in the place of keys. They last for a day.
create table console_sessions (
  -- SHA-256 of what the cookie holds
  token_hash bytea primary key,
  key_id     uuid not null references api_keys (id),
  begun_at   timestamptz not null,
  -- of the last call, to the minute
  seen_at    timestamptz not null,
  -- under the master key, over the columns that trust depends on (platform/database/trusted-rows.ts): a row without a valid one is
  -- not used
  mac        bytea
);
create index console_sessions_by_key on console_sessions (key_id, begun_at);
create index console_sessions_by_age on console_sessions (seen_at);

-- How stores were day by day.
create table store_days (
  merchant_id      uuid not null,
  store_id         uuid not null,
  -- in UTC
  day              date not null,
  certificates     integer not null,
  -- lines of the store's stream up to the end of the day; a day's are the difference to the day before
  issued           bigint not null,
  renewed          bigint not null,
  withdrawn        bigint not null,
  images_total     integer not null,
  images_certified integer not null,
  images_failed    integer not null,
  -- pages by the result of their last check
  pages            jsonb not null,
  primary key (merchant_id, store_id, day),
  foreign key (merchant_id, store_id) references stores (merchant_id, id)
);
create index store_days_by_age on store_days (day);

-- How stores are now, as store_days records it.
create view store_now as
  select s.merchant_id, s.id as store_id, c.certificates, c.issued, c.renewed, c.withdrawn,
    images.total as images_total, images.certified as images_certified, images.failed as images_failed,
    images.waiting as images_waiting, pages.counts as pages
  from stores s join certificate_stores c on c.merchant_id = s.merchant_id and c.store_id = s.id
    cross join lateral image_totals(s.id) images
    cross join lateral (
      select coalesce(jsonb_object_agg(result, pages), '{}') as counts from sweep_counts
        where merchant_id = s.merchant_id and store_id = s.id) pages
  where s.deleted_at is null;
