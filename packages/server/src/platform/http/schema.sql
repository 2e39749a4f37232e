-- Global: requests with an Idempotency-Key, so that a repetition is answered as the first one was. Kept for a day. A copy of the database
-- without the master key shows neither who called nor what was answered.
create table idempotency_keys (
  -- keyed hash of the caller and its key
  name         bytea primary key,
  -- keyed hash: the same key with another request is refused
  request_hash bytea not null,
  -- null while the first request is under way
  status       integer,
  -- encrypted
  response     bytea,
  created_at   timestamptz not null default now()
);
