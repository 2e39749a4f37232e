-- expand

-- Whole seconds: no proof of the product or of its images that was issued until then is valid again, whatever becomes of the product.
alter table products add column withdrawn_at timestamptz;
-- Its certificates were withdrawn by hand then, and it was hidden: rows of the shop do not show it, until its merchant does.
alter table products add column kept_hidden_since timestamptz;

-- Of a change that hides products: it withdraws their certificates for good as well. (Not a kind of its own, which the release before
-- this one would take for another.)
alter table registry_changes add column withdraws boolean;
alter table registry_changes add column reason text;

-- What was withdrawn for good: a row for each product whose certificate it was, one for each merchant whose certificates a revoked
-- key had signed. Kept for good.
create table withdrawals (
  merchant_id uuid not null references merchants (id),
  -- in the order in which they were withdrawn
  id          bigint generated always as identity,
  store_id    uuid,
  product_id  uuid,
  -- of the revoked key; null: of a product
  kid         text,
  -- 'restored': it had been withdrawn, for a cause that the database has forgotten
  cause       text not null check (cause in ('by_hand', 'deleted', 'disabled', 'host_lost', 'key_revoked', 'restored')),
  -- as whoever withdrew it states
  reason      text check (length(reason) <= 500),
  -- whose key asked for it; null: nobody's, or of many products: then the change has it
  by_key      uuid,
  change_id   uuid,
  at          timestamptz not null,
  primary key (merchant_id, id),
  check ((cause = 'key_revoked') = (kid is not null) and (kid is null) = (product_id is not null) and (kid is null) = (store_id is not null)),
  foreign key (merchant_id, store_id) references stores (merchant_id, id)
);
create index withdrawals_by_store on withdrawals (merchant_id, store_id, id);
create index withdrawals_by_product on withdrawals (merchant_id, product_id, id);
