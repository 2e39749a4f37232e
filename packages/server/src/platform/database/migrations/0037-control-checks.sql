-- A proof of control is checked again and again, and ends.

alter table hostname_owners
  -- start of the last check that found the challenge
  add column confirmed_at timestamptz not null default now(),
  -- start of the first check since then that did not find it
  add column missed_since timestamptz,
  -- when it is looked for again; a node that does so moves this ahead first
  add column check_at timestamptz not null default now() + random() * interval '9 days';
create index hostname_owners_by_check on hostname_owners (check_at);

-- checks show in no public answer: only whose a hostname is
drop trigger hostname_owners_announce on hostname_owners;
create trigger hostname_owners_announce after insert or delete or update of hostname, merchant_id on hostname_owners
  for each row execute function announce_owner();

-- What the checks of owners found.
create table control_checks (
  id          bigint generated always as identity primary key,
  merchant_id uuid not null references merchants (id),
  hostname    text not null,
  checked_at  timestamptz not null,
  reason      text not null check (reason in ('requested', 'scheduled', 'contested')),
  -- undecided: our own network failed
  outcome     text not null check (outcome in ('found', 'missed', 'undecided')),
  method      text check (method in ('well_known', 'meta_tag', 'dns_txt')),
  -- what was seen instead, as in the contract
  saw         jsonb
);
create index control_checks_by_owner on control_checks (merchant_id, hostname, id desc);
create index control_checks_by_age on control_checks (checked_at);

-- Merchants that proved control of a hostname of another one, whose challenge was not found at that time.
create table control_contests (
  hostname text not null,
  store_id uuid not null references stores (id),
  begun_at timestamptz not null,
  -- when both are checked again; a node that does so moves this ahead first
  check_at timestamptz not null,
  primary key (hostname, store_id)
);
create index control_contests_by_check on control_contests (check_at);
