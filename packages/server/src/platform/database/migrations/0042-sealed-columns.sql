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
  -- encrypted
  response     bytea,
  created_at   timestamptz not null default now()
);

-- Data of page checks from before this is not kept: reports, too, though they had links for 30 days.
truncate observations, page_texts, page_checks, fetch_leases, rate_windows;
-- url_key, digest, reading and facts are keyed hashes; body is encrypted
alter table observations drop column url;
alter table observations alter column observation type bytea using null;
alter table page_checks alter column report type bytea using null;

-- The stored name of a counter, which is a keyed hash and another one every day. Counts of the day before are carried over under a
-- lock of the counter, so that limits are exact at midnight, and after the clock was set back. The three names are those of
-- `since` and the two days after.
create function bucket_of_day(names text[], since date, lock bigint) returns text language plpgsql as $$
declare
  name text;
begin
  perform pg_advisory_xact_lock(lock);
  name := names[1 + least(greatest((clock_timestamp() at time zone 'UTC')::date - since, 0), 2)];
  -- one row at the most: nodes whose clocks are days apart could have made several
  update rate_windows set bucket = name
    where not exists (select from rate_windows where bucket = name)
      and bucket = (select bucket from rate_windows where bucket = any(names) order by seen_at desc limit 1);
  return name;
end $$;

-- Addresses that may contain tokens (platform/database/sealed-texts.ts). Those that are here already follow a byte 0 until the
-- service encrypts them, at the start for which the operator vouches for the rows of 0041.
alter table webhooks alter column url type bytea using '\x00'::bytea || convert_to(url, 'UTF8');
alter table store_sources alter column url type bytea using '\x00'::bytea || convert_to(url, 'UTF8');
alter table imports alter column url type bytea using '\x00'::bytea || convert_to(url, 'UTF8');
-- unfinished imports begin again
alter table imports alter column cursor type bytea using null;
