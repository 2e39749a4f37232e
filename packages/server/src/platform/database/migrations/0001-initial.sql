-- Touchstone, first schema. Times are timestamptz; ids are made by the service (UUID).

create table merchants (
  id            uuid primary key,
  name          text not null,
  plan_capacity integer not null check (plan_capacity >= 0),
  -- slots held now; kept under the row lock of the merchant, so that no count over its products is needed
  slots_held    integer not null default 0 check (slots_held >= 0),
  paused        boolean not null default false,
  created_at    timestamptz not null default now()
);

create table api_keys (
  id          uuid primary key,
  -- null: an operator's key
  merchant_id uuid references merchants (id),
  role        text not null check (role in ('operator', 'merchant')),
  label       text not null default '',
  -- SHA-256 of the key; the key itself is shown once and never kept
  key_hash    bytea not null unique,
  created_at  timestamptz not null default now(),
  revoked_at  timestamptz,
  check ((role = 'operator') = (merchant_id is null))
);

create table stores (
  id          uuid primary key,
  merchant_id uuid not null references merchants (id),
  name        text not null,
  url         text not null,
  platform    text not null default 'custom' check (platform in ('shopify', 'woocommerce', 'custom')),
  created_at  timestamptz not null default now(),
  deleted_at  timestamptz
);
create index stores_by_merchant on stores (merchant_id, created_at);

-- The first merchant to prove a hostname owns it.
create table hostname_owners (
  hostname    text primary key,
  merchant_id uuid not null references merchants (id),
  method      text not null check (method in ('well_known', 'meta_tag', 'dns_txt')),
  proven_at   timestamptz not null default now()
);

create table domains (
  store_id   uuid not null references stores (id),
  hostname   text not null,
  -- what the merchant must show on the host: bound to merchant and hostname
  challenge  text not null,
  created_at timestamptz not null default now(),
  -- set when another merchant proved the hostname: no longer a domain of this store
  lost_at    timestamptz,
  primary key (store_id, hostname)
);
create index domains_by_hostname on domains (hostname);

create sequence product_creation_order;
create sequence slot_order;

create table products (
  id                  uuid primary key,
  store_id            uuid not null references stores (id),
  merchant_id         uuid not null references merchants (id),
  external_product_id text not null,
  name                text not null,
  url                 text not null,
  -- host of url, normalised by certificate/binding.ts
  host                text not null,
  sku                 text,
  gtin                text,
  brand               text,
  attributes          jsonb not null default '[]',
  visible             boolean not null default true,
  disabled            boolean not null default false,
  deleted_at          timestamptz,
  -- false while the host is no live domain of the store
  host_known          boolean not null default true,
  created_order       bigint not null default nextval('product_creation_order'),
  -- not null: holds one of the merchant's slots; newer slots have higher numbers
  slot_order          bigint,
  created_at          timestamptz not null default now(),
  updated_at          timestamptz not null default now(),
  unique (store_id, external_product_id)
);
create index products_waiting on products (merchant_id, created_order)
  where slot_order is null and visible and not disabled and deleted_at is null and host_known;
create index products_slots on products (merchant_id, slot_order) where slot_order is not null;
create index products_by_store on products (store_id, created_order);
create index products_by_host on products (store_id, host);
-- what a listing by a rare state looks for, in a store of a million that are all active
create index products_set_aside on products (store_id, created_order)
  where deleted_at is not null or disabled or not visible or not host_known;

create table images (
  id              uuid primary key,
  product_id      uuid not null references products (id),
  url             text not null,
  external_id     text,
  position        integer not null,
  -- an image that leaves its product keeps its id for when it comes back
  removed_at      timestamptz,
  media_type      text,
  width           integer,
  height          integer,
  upload_date     timestamptz,
  -- grows when the bytes change
  version         integer not null default 1,
  -- {hasC2PA, hasManifest, hashes?}: null until the bytes have been looked at
  credentials     jsonb,
  nft             jsonb,
  created_at      timestamptz not null default now(),
  unique (product_id, url)
);
create index images_by_product on images (product_id, position) where removed_at is null;

create table signing_keys (
  kid          text primary key,
  public_jwk   jsonb not null,
  -- PKCS#8, AES-256-GCM under the master key; null once forgotten or kept elsewhere (KMS)
  private_key  bytea,
  created_at   timestamptz not null default now(),
  -- in the JWKS from here on
  published_at timestamptz not null default now(),
  -- first moment it may sign; null while it stands by
  active_from  timestamptz,
  -- it begins no proof after this
  retired_at   timestamptz,
  -- set where a retired key still completed a proof that it had begun; 400 days are counted from the later
  last_used_at timestamptz,
  revoked_at   timestamptz
);
-- one standby and one active key at the most, however many nodes decide at once
create unique index signing_keys_standby on signing_keys ((1))
  where active_from is null and retired_at is null and revoked_at is null;
create unique index signing_keys_active on signing_keys ((1))
  where active_from is not null and retired_at is null and revoked_at is null;

-- Intent before signature (decision 21): the row holds what will be signed, then what was.
create table proofs (
  id            bigint generated always as identity primary key,
  kind          text not null check (kind in ('product', 'asset', 'image')),
  subject_id    uuid not null,
  -- SHA-256 of the canonical snapshot and the issuer
  snapshot_hash bytea not null,
  generation    integer not null,
  kid           text not null references signing_keys (kid),
  -- exact bytes of the JWS: base64url(header) and base64url(payload)
  header        text not null,
  payload       text not null,
  -- the document is rendered from this
  snapshot      jsonb not null,
  issued_at     timestamptz not null,
  expires_at    timestamptz not null,
  -- base64url; null between intent and signature
  signature     text,
  created_at    timestamptz not null default now(),
  unique (kind, subject_id, snapshot_hash, generation)
);
create index proofs_by_expiry on proofs (expires_at);

-- What a page said, and when. The verdict is never kept here: it is made anew on every answer (decision 17).
create table observations (
  id          uuid primary key,
  url_key     text not null,
  url         text not null,
  fetched_at  timestamptz not null,
  -- observations of failed fetches are reused for 60 s only
  failed      boolean not null,
  -- JSON as text: what hostile pages say (NUL, lone surrogates, deep nesting) is more than jsonb takes
  observation text not null
);
create index observations_by_url on observations (url_key, fetched_at desc);
create index observations_by_age on observations (fetched_at);

-- One fetch per URL at a time across nodes.
create table fetch_leases (
  url_key    text primary key,
  holder     uuid not null,
  begun_at   timestamptz not null,
  expires_at timestamptz not null
);

-- Permalinks of page checks, kept 30 days.
create table page_checks (
  id         uuid primary key,
  -- JSON as text: answered byte for byte as it was given
  report     text not null,
  created_at timestamptz not null default now()
);
create index page_checks_by_age on page_checks (created_at);

-- Rate limits: the moments of the last hits of one caller; budgets: when that of a caller, a host or all is full again.
create table rate_windows (
  bucket  text primary key,
  hits    timestamptz[] not null default '{}',
  seen_at timestamptz not null default now()
);

-- Counts a hit, unless there are `allowed_hits` in the last `span` already. Moments are taken under the row's lock, by
-- this clock, so no two nodes can let one hit too many through. A refused hit is not counted.
create function count_hit(
  name text, allowed_hits integer, span interval,
  out allowed boolean, out remaining integer,
  -- seconds until the oldest counted hit leaves the window
  out reset double precision,
  out moment timestamptz
) language plpgsql as $$
declare
  kept timestamptz[];
begin
  insert into rate_windows as w (bucket) values (name)
    on conflict (bucket) do update set seen_at = clock_timestamp()
    returning w.hits into kept;
  moment := clock_timestamp();
  select coalesce(array_agg(hit order by hit), '{}') into kept from unnest(kept) hit where hit > moment - span;
  allowed := cardinality(kept) < allowed_hits;
  if allowed then
    kept := kept || moment;
    update rate_windows set hits = kept where bucket = name;
  end if;
  remaining := greatest(0, allowed_hits - cardinality(kept));
  reset := extract(epoch from coalesce(kept[1], moment) + span - moment);
end $$;

-- Spends one from each of several budgets, or, when one of them is spent, from none. A budget is `limits[i]` at once,
-- refilled evenly over `span` (the generic cell rate algorithm: `hits` holds the one moment at which it is full again),
-- so it costs the same whatever its size. Rows are locked in the order of `names`, which all callers must share.
create function spend_budgets(
  names text[], limits integer[], span interval,
  -- the budget that is spent, and seconds until there is something in it; null when all had something
  out refused text, out reset double precision
) language plpgsql as $$
declare
  full_again timestamptz[];
  known timestamptz;
  moment timestamptz;
begin
  for i in 1 .. cardinality(names) loop
    insert into rate_windows as w (bucket) values (names[i])
      on conflict (bucket) do update set seen_at = clock_timestamp()
      returning w.hits[1] into known;
    full_again[i] := known;
  end loop;
  moment := clock_timestamp();
  for i in 1 .. cardinality(names) loop
    full_again[i] := greatest(full_again[i], moment) + span / greatest(limits[i], 1);
    if limits[i] < 1 or full_again[i] > moment + span then
      refused := names[i];
      reset := extract(epoch from full_again[i] - span - moment);
      return;
    end if;
  end loop;
  for i in 1 .. cardinality(names) loop
    update rate_windows set hits = array[full_again[i]] where bucket = names[i];
  end loop;
end $$;

create table idempotency_keys (
  caller       text not null,
  key          text not null,
  request_hash bytea not null,
  -- null while the first request is under way
  status       integer,
  response     jsonb,
  created_at   timestamptz not null default now(),
  primary key (caller, key)
);

-- Every change that can show in a public answer is announced when it commits, whoever writes it.
create function announce_product() returns trigger language plpgsql as $$
begin
  perform pg_notify('touchstone_changed', 'p:' || coalesce(new.id, old.id));
  return null;
end $$;
create trigger products_announce after insert or update or delete on products
  for each row execute function announce_product();

create function announce_image() returns trigger language plpgsql as $$
begin
  perform pg_notify('touchstone_changed', 'p:' || coalesce(new.product_id, old.product_id));
  return null;
end $$;
create trigger images_announce after insert or update or delete on images
  for each row execute function announce_image();

create function announce_store() returns trigger language plpgsql as $$
begin
  perform pg_notify('touchstone_changed', 's:' || coalesce(new.id, old.id));
  return null;
end $$;
create trigger stores_announce after update or delete on stores
  for each row execute function announce_store();

create function announce_domain() returns trigger language plpgsql as $$
begin
  perform pg_notify('touchstone_changed', 's:' || coalesce(new.store_id, old.store_id));
  return null;
end $$;
create trigger domains_announce after insert or update or delete on domains
  for each row execute function announce_domain();

-- slots_held changes with every batch and shows nowhere: only what the public can see is announced
create function announce_merchant() returns trigger language plpgsql as $$
begin
  if new.paused is distinct from old.paused or new.name is distinct from old.name then
    perform pg_notify('touchstone_changed', 'm:' || new.id);
  end if;
  return null;
end $$;
create trigger merchants_announce after update on merchants
  for each row execute function announce_merchant();

create function announce_owner() returns trigger language plpgsql as $$
begin
  perform pg_notify('touchstone_changed', 'm:' || coalesce(new.merchant_id, old.merchant_id));
  return null;
end $$;
create trigger hostname_owners_announce after insert or update or delete on hostname_owners
  for each row execute function announce_owner();

create function announce_key() returns trigger language plpgsql as $$
begin
  perform pg_notify('touchstone_changed', 'k:' || coalesce(new.kid, old.kid));
  return null;
end $$;
create trigger signing_keys_announce after insert or update or delete on signing_keys
  for each row execute function announce_key();
