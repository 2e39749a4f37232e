-- Browsers of merchants and the operator hold sessions in the place of keys, and a key tells when it was last used.

alter table api_keys add column last_used_on date;

create table console_sessions (
  -- SHA-256 of what the cookie holds
  token_hash bytea primary key,
  key_id     uuid not null references api_keys (id),
  begun_at   timestamptz not null,
  -- of the last call, to the minute
  seen_at    timestamptz not null
);
create index console_sessions_by_key on console_sessions (key_id, begun_at);
create index console_sessions_by_age on console_sessions (seen_at);

-- Whatever revokes a key, in the same transaction: one that is good again later must not bring sessions back.
create function revoked_key_ends_sessions() returns trigger language plpgsql as $$
begin
  delete from console_sessions where key_id = new.id;
  return null;
end $$;
create trigger api_keys_sessions_ended after update on api_keys
  for each row when (old.revoked_at is null and new.revoked_at is not null) execute function revoked_key_ends_sessions();
