-- How stores were day by day, and how the service is over all nodes: from counts that are kept anyway.

alter table certificate_stores
  -- told since the beginning: the row is written with every line anyway
  add column issued    bigint not null default 0,
  add column renewed   bigint not null default 0,
  add column withdrawn bigint not null default 0;

create table store_days (
  store_id         uuid not null references stores (id),
  -- in UTC
  day              date not null,
  certificates     integer not null,
  -- told up to the end of the day; a day's are the difference to the day before
  issued           bigint not null,
  renewed          bigint not null,
  withdrawn        bigint not null,
  images_total     integer not null,
  images_certified integer not null,
  images_failed    integer not null,
  -- pages by the result of their last check
  pages            jsonb not null,
  primary key (store_id, day)
);
create index store_days_by_age on store_days (day);

create view store_now as
  select s.id as store_id, c.certificates, c.issued, c.renewed, c.withdrawn,
    images.total as images_total, images.certified as images_certified, images.failed as images_failed,
    images.waiting as images_waiting, pages.counts as pages
  from stores s join certificate_stores c on c.store_id = s.id
    cross join lateral (
      select coalesce(sum(total), 0)::int as total, coalesce(sum(certified), 0)::int as certified,
        coalesce(sum(failed), 0)::int as failed, coalesce(sum(waiting), 0)::int as waiting
      from image_counts where store_id = s.id) images
    cross join lateral (
      select coalesce(jsonb_object_agg(result, pages), '{}') as counts from sweep_counts where store_id = s.id) pages
  where s.deleted_at is null;

-- A machine, or a container, with its processes; it goes when it is closed.
create table nodes (
  id         uuid primary key,
  version    text not null,
  processes  integer not null,
  started_at timestamptz not null,
  seen_at    timestamptz not null,
  -- what keeps it from serving, in sentences
  problems   jsonb not null
);

-- activity of a merchant, newest first
create index events_by_merchant on events (merchant_id, occurred_at);
