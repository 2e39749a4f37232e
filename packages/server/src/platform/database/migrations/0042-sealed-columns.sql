-- A copy of the database without the master key shows neither who called, nor what they asked, nor secrets in addresses: values
-- that are only looked up are keyed hashes, all others are encrypted (platform/crypto/database-secrets.ts).

-- Kept for a day: answers from before this are not replayed.
drop table idempotency_keys;
create table idempotency_keys (
  -- keyed hash of the caller and its key
  name         bytea primary key,
  -- keyed
  request_hash bytea not null,
  -- null while the first request is under way
  status       integer,
  -- encrypted: it may show an API key
  response     bytea,
  created_at   timestamptz not null default now()
);
