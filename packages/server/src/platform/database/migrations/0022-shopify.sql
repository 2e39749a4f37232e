-- Stores whose products are read from a Shopify shop, and whose certificates are written into its metafields.

create table shopify_connections (
  store_id uuid primary key references stores (id),
  merchant_id uuid not null references merchants (id),
  shop text not null unique,
  -- sealed by the master key
  access_token bytea not null,
  client_secret bytea,
  former_secret bytea,
  former_secret_until timestamptz,
  connected_at timestamptz not null,
  storefront text not null,
  problem jsonb,
  -- where a reading of all products goes on; null: none is under way
  reading_from text,
  reading_since timestamptz,
  products_read integer not null default 0,
  read_at timestamptz,
  -- where the stream of certificates goes on; null: at its beginning
  certificates_from text,
  told_at timestamptz
);

create table shopify_products (
  store_id uuid not null references shopify_connections (store_id) on delete cascade,
  shopify_id bigint not null,
  -- the last reading of all products that met it
  seen_at timestamptz,
  -- a webhook named it: it is to be read again
  due_at timestamptz,
  -- of what the last webhook said of it
  said bytea,
  -- of the metafield as the shop has it; null: there is none of ours
  digest text,
  published_at timestamptz,
  failure jsonb,
  primary key (store_id, shopify_id)
);

create index shopify_products_due on shopify_products (store_id, due_at) where due_at is not null;
create index shopify_products_unseen on shopify_products (store_id, seen_at);
create index shopify_products_failed on shopify_products (store_id) where failure is not null;
