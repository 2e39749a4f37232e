-- Keys that sign the service's own requests (RFC 9421), beside those that sign proofs.
alter table signing_keys add column purpose text not null default 'proofs'
  check (purpose in ('proofs', 'requests'));
drop index signing_keys_standby;
create unique index signing_keys_standby on signing_keys (purpose)
  where active_from is null and retired_at is null and revoked_at is null;
drop index signing_keys_active;
create unique index signing_keys_active on signing_keys (purpose)
  where active_from is not null and retired_at is null and revoked_at is null;

-- Signature headers that a merchant had made by its platform, to be sent with requests to hosts of its store.
create table store_request_headers (
  store_id   uuid primary key references stores (id),
  -- JSON of the headers, AES-256-GCM under the master key
  sealed     bytea not null,
  agent      text not null,
  -- as stated by the headers; null: they state none
  expires_at timestamptz,
  created_at timestamptz not null
);
