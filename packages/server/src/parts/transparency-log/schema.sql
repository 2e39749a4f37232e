-- The transparency log of all proofs, one for each year, and another whenever the key of one is revoked. Global: one log has the proofs of all merchants. What is published lies as files in
-- the blob store, and these rows are what is still to be published, and an index of what was.

create table log_shards (
  -- UTC, of the proofs' `iat`
  year         integer not null,
  -- 1; the successor of a log that ended has the next
  number       integer not null default 1 check (number >= 1),
  origin       text not null unique,
  -- of signing_keys; it signs this log and no other
  kid          text not null unique,
  opened_at    timestamptz not null,
  -- leaves that have an index
  assigned     bigint not null default 0,
  -- the last checkpoint: its size, its root, and the note itself. A note is published before it is recorded here.
  size         bigint not null default 0,
  root         bytea,
  checkpoint   text,
  published_at timestamptz,
  -- of the partial tiles that were written since the last full one, to be removed when it exists
  partial_tiles text[] not null default '{}',
  -- the last checkpoint that had the quorum, with its cosignatures, and its size
  witnessed      text,
  witnessed_size bigint not null default 0,
  -- cosignatures of the last checkpoint
  cosignatures text not null default '',
  -- when the database was last found to be older than what had been published
  restored_at  timestamptz,
  -- why no checkpoint is signed, in a sentence; null: nothing prevents it
  refusal      text,
  -- when its key was revoked: nothing of it changes any more but cosignatures of its last checkpoint
  ended_at     timestamptz,
  primary key (year, number)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100);
create unique index log_shards_open on log_shards (year) where ended_at is null;

create table log_leaves (
  -- SHA-256 of the compact JWS: a proof is logged once
  proof       bytea primary key,
  year        integer not null,
  -- of its log in the year, and its place there; null: it has no place yet
  number      integer,
  index       bigint,
  -- null: taken over from what was published, since the database was restored
  merchant_id uuid,
  subject_id  uuid,
  -- of the domain, its labels in reverse order with a dot after each, so that those of its subdomains begin with it
  domain_key  text not null,
  -- as it is logged, JSON
  leaf        text not null,
  entered_at  timestamptz not null default now(),
  check ((number is null) = (index is null))
);
create unique index log_leaves_in_order on log_leaves (year, number, index) where index is not null;
create index log_leaves_waiting on log_leaves (year, entered_at) where index is null;

-- Where published leaves of a domain and its subdomains are: without it, a page of what was issued below `com.` would sort all of that.
create table log_domain_runs (
  -- the first labels of the domain keys of these leaves
  suffix       text collate "C" not null,
  -- everybody; of leaves whose domain is hashed: operator, the merchant's id, and owner, who has proven the host
  seen_by      text not null,
  year         integer not null,
  number       integer not null,
  -- their index divided by 64
  run          bigint not null,
  primary key (suffix, seen_by, year, number, run)
);

-- What each witness has cosigned last of each log.
create table log_witnesses (
  year      integer not null,
  number    integer not null,
  -- its name in the policy
  name      text not null,
  -- 0: nothing that we know of
  size      bigint not null default 0,
  -- the status of its last answer, or why there was none
  answer    text,
  asked_at  timestamptz,
  cosigned_at timestamptz,
  primary key (year, number, name),
  foreign key (year, number) references log_shards (year, number)
);

-- Merchants that have the domain of their proofs hashed in the log.
create table log_hidden_domains (
  merchant_id uuid not null references merchants (id),
  hidden_at   timestamptz not null,
  primary key (merchant_id)
);
