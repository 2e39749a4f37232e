-- Stores whose products are read from a Shopify shop, and whose certificates are written into its metafields.

-- Which store a shop is connected to: one among those of all merchants. Global.
create table shopify_shops (
  shop     text primary key,
  store_id uuid not null unique
);

create table shopify_connections (
  merchant_id         uuid not null,
  store_id            uuid not null,
  shop                text not null,
  -- encrypted under the master key, as all secrets here
  access_token        bytea not null,
  -- until when the access token holds; null: until it is taken back
  token_until         timestamptz,
  -- apps of Shopify's Dev Dashboard show no access token: one is granted for a day, by the app's client ID and secret
  client_id           text,
  -- webhooks are signed with it, and with the former one until `former_secret_until`
  client_secret       bytea,
  former_secret       bytea,
  former_secret_until timestamptz,
  connected_at        timestamptz not null,
  -- origin of the pages that customers see
  storefront          text not null,
  -- {code, detail, since}: why nothing is read or written now
  problem             jsonb,

  -- where a reading of all products goes on; null: none is under way
  reading_from        text,
  reading_since       timestamptz,
  -- page by page; or, of large shops, by a bulk operation of Shopify's, which collects all products in a file. Null: no reading is
  -- under way
  reading_way         text check (reading_way in ('pages', 'bulk')),
  -- products of the shop when the reading began, as it counted them
  products_counted    integer,
  products_read       integer not null default 0,
  bulk_operation      text,
  -- products that the operation has collected
  bulk_collected      integer not null default 0,
  -- operations of this reading of which nothing came
  bulk_failures       integer not null default 0,
  -- end of the last reading
  read_at             timestamptz,

  -- where the stream of certificates goes on; null: at its beginning
  certificates_from   text,
  told_at             timestamptz,
  primary key (merchant_id, store_id),
  foreign key (merchant_id, store_id) references stores (merchant_id, id),
  constraint shopify_grant check (client_id is null or (client_secret is not null and token_until is not null))
);

create table shopify_products (
  merchant_id  uuid not null,
  store_id     uuid not null,
  shopify_id   bigint not null,
  -- the last reading of all products that met it
  seen_at      timestamptz,
  -- a webhook named it: it is to be read again
  due_at       timestamptz,
  -- digest of what the last webhook said of it
  said         bytea,
  -- of the metafield as the shop has it; null: there is none of ours
  digest       text,
  published_at timestamptz,
  failure      jsonb,
  primary key (merchant_id, store_id, shopify_id),
  foreign key (merchant_id, store_id) references shopify_connections (merchant_id, store_id) on delete cascade
);
create index shopify_products_due on shopify_products (merchant_id, store_id, due_at) where due_at is not null;
-- those that a reading did not meet have gone
create index shopify_products_unseen on shopify_products (merchant_id, store_id, seen_at);
create index shopify_products_failed on shopify_products (merchant_id, store_id) where failure is not null;
