-- What was found of a store on hosts of others, by host. Their registrable domains are counted in copy_domains, and certificates by product
-- are in copies, two tables of the part sweeps, which found them first.
create table copy_hosts (
  merchant_id uuid not null,
  store_id    uuid not null,
  host        text not null,
  -- registrable domain of host, or the host itself if it has none
  domain      text not null,
  -- without query: who asked may have said more about himself there than about the page
  url         text not null,
  -- JSON by kind (certificate, pictures, name): what was found last, and when
  found       jsonb not null,
  state       text not null check (state in ('new', 'mine', 'allowed', 'reported', 'gone')),
  -- the statement of the host's owner that the merchant has confirmed
  confirmed   text,
  first_at    timestamptz not null,
  last_at     timestamptz not null,
  -- when the service looks again by itself; null: it does not
  check_at    timestamptz,
  checked_at  timestamptz,
  -- looks in a row that found nothing
  missed      integer not null default 0,
  primary key (merchant_id, store_id, host),
  foreign key (merchant_id, store_id) references stores (merchant_id, id)
);
create index copy_hosts_by_domain on copy_hosts (merchant_id, store_id, domain, last_at desc);
create index copy_hosts_due on copy_hosts (check_at) where check_at is not null;
create index copy_hosts_by_age on copy_hosts (last_at);

-- What a merchant states about its host, towards the shop of somebody else.
create table host_statements (
  merchant_id uuid not null references merchants (id),
  host        text not null,
  -- a host of that shop; whether it is known here, nobody has looked
  about       text not null,
  says        text not null,
  stated_at   timestamptz not null,
  primary key (merchant_id, host, about)
);
