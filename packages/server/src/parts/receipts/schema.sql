-- What merchants keep of page checks: a file in the blob store for each row, until it is deleted or expires. A copy of the database shows
-- how much a merchant keeps and since when, and no page.
create table evidence (
  merchant_id uuid not null references merchants (id),
  id          uuid not null,
  -- JSON: address and verdict; encrypted
  about       bytea not null,
  -- size of the file
  bytes       integer not null,
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  primary key (merchant_id, id)
);
-- expired ones are deleted
create index evidence_by_expiry on evidence (expires_at);
