-- Lists of the states of proofs (draft-ietf-oauth-status-list-20), and what has to be looked at again. Global: a list has entries of all
-- merchants, so that it tells nothing of one.

create table status_list_allocations (
  -- random
  id         integer primary key,
  -- of the service: the issuer of the proofs
  base_url   text not null,
  opened_at  timestamptz not null,
  -- its entries are given to no further proof
  closed_at  timestamptz,
  -- entries given out, in the order that `order_key` decides
  taken      integer not null default 0 check (taken between 0 and 1048576),
  -- AES-256-GCM under the master key
  order_key  bytea not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100);

-- What is published of each list: the parts of its token, of which every node makes the same bytes.
create table status_list_tokens (
  list_id   integer primary key references status_list_allocations (id) on delete cascade,
  kid       text not null,
  issued_at timestamptz not null,
  -- JSON, as it was signed
  header    text not null,
  payload   text not null,
  signature bytea not null,
  -- under the master key, over what is signed: the publisher goes on from entries that the service wrote, and from no others
  mac       bytea not null,
  -- entries of these values, for the metrics
  invalid   integer not null,
  suspended integer not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10);
alter table status_list_tokens alter column payload set storage external;

-- Proofs whose entries may have changed: queued in the transaction that changes what they depend on, and looked at twice, since a proof
-- may have been in the making at the first time.
create table status_changes (
  id          bigint generated always as identity primary key,
  -- null: every list is signed again
  merchant_id uuid,
  -- null: all proofs of the merchant, in the order of their ids, from behind `after` on
  product_ids uuid[],
  after       bigint,
  -- of them, those behind this one are looked at a second time
  later       bigint,
  -- of many products: others come first, and are published with what there is time for of these
  is_bulk     boolean not null,
  due_at      timestamptz not null default now(),
  -- it is looked at a second time
  again       boolean not null default true
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index status_changes_by_time on status_changes (is_bulk, due_at);

-- One row: who locks it publishes.
create table status_publisher (
  one                 boolean primary key default true check (one),
  -- lists are published once a second at the most, so that each token is dated later than the one before, and none in the future
  published_at        timestamptz,
  -- proofs issued from then on name an entry
  claim_required_from timestamptz,
  -- when the database was last found to be older than what had been published
  restored_at         timestamptz,
  -- the copies of lists, with a list of their numbers, were written: if that list is not there, it is another blob store, or a lost one
  copied              boolean not null default false,
  -- which database this is: in another one, entries may have been given out that it does not know of
  database            text
);
insert into status_publisher (one) values (true);
