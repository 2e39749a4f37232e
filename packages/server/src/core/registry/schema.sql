-- Merchants, their stores, hosts and products. Ids are made by the service (UUID). Nodes keep what they answer in memory: who writes
-- what can show in a public answer announces it on touchstone_changed in the same transaction (platform/cache/announce.ts).

create table merchants (
  id              uuid primary key,
  name            text not null,
  -- seats of the plan: how many products may be active
  plan_capacity   integer not null check (plan_capacity >= 0),
  -- seats held now; kept under the row lock of the merchant, so that no count over its products is needed
  slots_held      integer not null default 0 check (slots_held >= 0),
  -- a change that products still follow settles the seats at its end: nobody else gives or takes them meanwhile
  seats_unsettled boolean not null default false,
  -- rows of products, deleted ones included; null: the default of the service
  product_limit   integer check (product_limit >= 0),
  paused          boolean not null default false,
  created_at      timestamptz not null default now()
);

-- Global, as a caller is known by its key alone.
create table api_keys (
  id           uuid primary key,
  -- null: an operator's key
  merchant_id  uuid,
  role         text not null check (role in ('operator', 'merchant')),
  label        text not null default '',
  -- SHA-256 of the key; the key itself is shown once and never kept
  key_hash     bytea not null unique,
  created_at   timestamptz not null default now(),
  -- of the calendar in UTC
  last_used_on date,
  revoked_at   timestamptz,
  -- under the master key, over the columns that trust depends on (platform/database/trusted-rows.ts): a row without a valid one is
  -- not used
  mac          bytea,
  check ((role = 'operator') = (merchant_id is null))
);

-- Whose a store, product, webhook or change is, for those who know no more than its id. Global, where all else lies with its merchant.
create table directory (
  id          uuid primary key,
  merchant_id uuid not null
);

create table stores (
  merchant_id           uuid not null references merchants (id),
  id                    uuid not null,
  name                  text not null,
  url                   text not null,
  platform              text not null default 'custom' check (platform in ('shopify', 'woocommerce', 'custom')),
  -- the store asks for its images to be signed by us where they carry no manifest of their own
  sign_images           boolean not null default false,
  -- and those whose manifest lies elsewhere, too
  sign_remote_manifests boolean not null default false,
  created_at            timestamptz not null default now(),
  deleted_at            timestamptz,
  primary key (merchant_id, id)
);
create index stores_by_merchant on stores (merchant_id, created_at);

-- Signature headers that a merchant had made by its platform, to be sent with requests to hosts of its store.
create table store_request_headers (
  merchant_id uuid not null,
  store_id    uuid not null,
  -- JSON of the headers, AES-256-GCM under the master key
  sealed      bytea not null,
  -- as stated by the headers; null: they state none
  expires_at  timestamptz,
  created_at  timestamptz not null,
  primary key (merchant_id, store_id),
  foreign key (merchant_id, store_id) references stores (merchant_id, id)
);

-- Global: the first merchant of all to prove control of a hostname owns it. The proof is checked again and again, and ends.
create table hostname_owners (
  hostname     text primary key,
  merchant_id  uuid not null,
  method       text not null check (method in ('well_known', 'meta_tag', 'dns_txt')),
  proven_at    timestamptz not null default now(),
  -- start of the last check that found the challenge
  confirmed_at timestamptz not null default now(),
  -- start of the first check since then that did not find it
  missed_since timestamptz,
  -- when it is looked for again; a node that does so moves this ahead first. Spread over days, so that not all come due at once
  check_at     timestamptz not null default now() + random() * interval '9 days',
  -- under the master key, over the columns that trust depends on (platform/database/trusted-rows.ts): a row without a valid one is
  -- not used
  mac          bytea
);
create index hostname_owners_by_check on hostname_owners (check_at);

-- What the checks of owners found.
create table control_checks (
  merchant_id uuid not null references merchants (id),
  id          bigint generated always as identity,
  hostname    text not null,
  checked_at  timestamptz not null,
  reason      text not null check (reason in ('requested', 'scheduled', 'contested')),
  -- undecided: our own network failed
  outcome     text not null check (outcome in ('found', 'missed', 'undecided')),
  method      text check (method in ('well_known', 'meta_tag', 'dns_txt')),
  -- what was seen instead, as in the contract
  saw         jsonb,
  primary key (merchant_id, id)
);
create index control_checks_by_owner on control_checks (merchant_id, hostname, id desc);
-- old ones are deleted
create index control_checks_by_age on control_checks (checked_at);

-- Global, as it is between merchants: stores whose merchants proved control of a hostname of another merchant, whose challenge was
-- not found at that time.
create table control_contests (
  hostname text not null,
  store_id uuid not null,
  begun_at timestamptz not null,
  -- when both are checked again; a node that does so moves this ahead first
  check_at timestamptz not null,
  primary key (hostname, store_id)
);
create index control_contests_by_check on control_contests (check_at);

-- Hosts that a store claims for its pages.
create table domains (
  merchant_id uuid not null,
  store_id    uuid not null,
  hostname    text not null,
  created_at  timestamptz not null default now(),
  -- set when another merchant proved the hostname: no longer a domain of this store
  lost_at     timestamptz,
  primary key (merchant_id, store_id, hostname),
  foreign key (merchant_id, store_id) references stores (merchant_id, id)
);
create index domains_by_hostname on domains (hostname);

create sequence product_creation_order;
create sequence slot_order;

create table products (
  -- of the store: seats are given and taken among all products of a merchant
  merchant_id         uuid not null,
  id                  uuid not null,
  store_id            uuid not null,
  external_product_id text not null,
  name                text not null,
  url                 text not null,
  -- host of url, normalised by certificate/binding.ts
  host                text not null,
  -- the first 8 bytes of the SHA-256 of what `pageKey` (certificate/binding) makes of url; null: not made yet. It only narrows a
  -- search: which addresses are equal is asked of `comparePageUrls`
  page_key            bigint,
  sku                 text,
  gtin                text,
  brand               text,
  attributes          jsonb not null default '[]',
  -- shown by its merchant
  visible             boolean not null default true,
  -- by the operator
  disabled            boolean not null default false,
  -- rows are never removed: a product that comes back keeps its id
  deleted_at          timestamptz,
  -- false while the host is no live domain of the store
  host_known          boolean not null default true,
  -- position in every listing
  created_order       bigint not null default nextval('product_creation_order'),
  -- not null: holds one of the merchant's seats; newer holders have higher numbers
  slot_order          bigint,
  created_at          timestamptz not null default now(),
  updated_at          timestamptz not null default now(),
  primary key (merchant_id, id),
  foreign key (merchant_id, store_id) references stores (merchant_id, id),
  unique (merchant_id, store_id, external_product_id)
);
-- a store has one merchant: what both select is no less than what the store does
create statistics products_of_store (dependencies) on store_id, merchant_id from products;

-- The state of a product but for the pause of its merchant: the first reason, in the order in which the registry states them.
create function product_standing(
  deleted_at timestamptz, disabled boolean, visible boolean, host_known boolean, slot_order bigint
) returns text language sql immutable parallel safe as $$
  select case
    when deleted_at is not null then 'deleted'
    when disabled then 'disabled'
    when not visible then 'hidden'
    when not host_known then 'host_lost'
    when slot_order is null then 'no_slot'
    else 'active' end
$$;

-- The words of a text, in lower case: between punctuation and blanks. (`return` binds names now: an index is made with no schema
-- of ours in the search path.)
create function words_of(name text) returns text[] language sql immutable parallel safe
  return array_remove(regexp_split_to_array(lower(name), '[[:punct:][:space:]]+'), '');
-- What a product is found by: its store, and the words of its name.
create function product_terms(store_id uuid, name text) returns tsvector language sql immutable parallel safe
  return array_to_tsvector(words_of(name) || store_id::text);
-- Products of a store whose names have, for each word of the text, one that begins with it.
create function product_query(store_id uuid, words text) returns tsquery language sql immutable parallel safe
  return (select string_agg(term, ' & ') from (
    select '''' || store_id::text || '''' as term
    union all select '''' || replace(replace(word, '\', '\\'), '''', '''''') || ''':*'
      from unnest(words_of(words)) word) as terms)::tsquery;
-- What a merchant is found by: the words of its name.
create function merchant_terms(name text) returns tsvector language sql immutable parallel safe
  return array_to_tsvector(words_of(name));
-- Merchants whose names have, for each word of the text, one that begins with it; null where the text has no word.
create function merchant_query(words text) returns tsquery language sql immutable parallel safe
  return (select string_agg('''' || replace(replace(word, '\', '\\'), '''', '''''') || ''':*', ' & ')
    from unnest(words_of(words)) word)::tsquery;

create index merchants_by_name on merchants using gin (merchant_terms(name));
-- the next product to be given a seat, the oldest first; the next to lose its seat, the newest first
create index products_waiting on products (merchant_id, created_order)
  where slot_order is null and visible and not disabled and deleted_at is null and host_known;
create index products_slots on products (merchant_id, slot_order) where slot_order is not null;
-- every walk through a store's products goes on from where it was: by the order of creation within store, host, state …
create index products_by_store on products (store_id, created_order) where deleted_at is null;
create index products_by_host on products (store_id, host, created_order);
create index products_by_standing
  on products (store_id, product_standing(deleted_at, disabled, visible, host_known, slot_order), created_order);
create index products_by_update on products (store_id, updated_at, created_order);
create index products_by_sku on products (store_id, sku, created_order) where sku is not null;
create index products_by_gtin on products (store_id, gtin, created_order) where gtin is not null;
create index products_by_name on products using gin (product_terms(store_id, name)) where deleted_at is null;
create index products_by_page on products (page_key) where deleted_at is null;
-- those whose page_key is still to be made
create index products_without_page_key on products (merchant_id, id) where page_key is null;

-- A trigger, since any statement that changes the address and makes no key of it (by hand, say) would leave that of the former one,
-- under which the page would not be found.
create function forget_page_key() returns trigger language plpgsql as $$
begin
  new.page_key := null;
  return new;
end $$;
create trigger products_forget_page_key before update of url on products
  for each row when (new.url <> old.url and new.page_key is not distinct from old.page_key)
  execute function forget_page_key();

-- Rows of products by store, deleted ones included: counted when they are inserted, under the lock of the merchant.
create table product_counts (
  merchant_id uuid not null,
  store_id    uuid not null,
  products    integer not null,
  primary key (merchant_id, store_id),
  foreign key (merchant_id, store_id) references stores (merchant_id, id)
);

-- Changes that concern more products than one request may change: recorded with what is wanted, and followed by the products batch
-- by batch, by a job of the merchant.
create table registry_changes (
  merchant_id uuid not null references merchants (id),
  id          uuid not null,
  -- one after another, as they were asked for
  nth         bigint generated always as identity,
  kind        text not null check (kind in
    ('capacity', 'store_deletion', 'domain', 'image_signing', 'hide', 'show', 'delete', 'restore')),
  store_id    uuid,
  hostname    text,
  -- which products of the store it is about; null: those that the change changed which it undoes, or that were named
  filter      jsonb,
  -- by whose key many products were hidden, shown or deleted, or that was undone
  key_id      uuid,
  -- products up to here, in the order of creation, are in line; null: all are
  read_to     bigint default 0,
  -- the last product there was when it was asked for, in the order of creation
  up_to       bigint,
  done        integer not null default 0,
  -- products that were not so before
  changed     integer not null default 0,
  -- null: not counted yet
  total       integer,
  undoes      uuid,
  undone_by   uuid,
  -- it has rows in registry_change_products
  remembers   boolean not null default false,
  created_at  timestamptz not null,
  finished_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, store_id) references stores (merchant_id, id)
);
create index registry_changes_pending on registry_changes (merchant_id, nth) where finished_at is null;
create index registry_changes_done on registry_changes (merchant_id, finished_at) where finished_at is not null;
create index registry_changes_remembering on registry_changes (finished_at) where remembers;

-- What a change changed, so that it can be undone.
create table registry_change_products (
  merchant_id   uuid not null,
  change_id     uuid not null,
  -- of the product: changes follow products in the order of their creation
  created_order bigint not null,
  product_id    uuid not null,
  primary key (merchant_id, change_id, created_order)
);
