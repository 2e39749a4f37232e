-- What pages said, and the reports about them. A copy of the database without the master key shows neither which pages were checked
-- nor what they said. All of it is global: whoever asks for a page shares it.

-- What a page said, and when. The verdict is never kept here: it is made anew on every answer.
create table observations (
  id          uuid primary key,
  -- keyed hash of the address
  url_key     text not null,
  fetched_at  timestamptz not null,
  -- observations of failed fetches are reused for 60 s only
  failed      boolean not null,
  -- JSON, encrypted
  observation bytea not null,
  -- digest in page_texts of the text of the reading; null: none
  reading     bytea
);
create index observations_by_url on observations (url_key, fetched_at desc);
-- old ones are deleted
create index observations_by_age on observations (fetched_at);

-- One fetch per address at a time across nodes.
create table fetch_leases (
  url_key    text primary key,
  holder     uuid not null,
  begun_at   timestamptz not null,
  expires_at timestamptz not null
);

-- What pages say is kept once, however many observations and reports say it.
create table page_texts (
  -- keyed hash of the text
  digest     bytea primary key,
  -- UTF-8, deflated (RFC 1951), encrypted; compressing it once more would only cost
  body       bytea not null,
  keep_until timestamptz not null
);
alter table page_texts alter column body set storage external;
create index page_texts_by_age on page_texts (keep_until);

-- Reports of page checks, kept for 30 days.
create table page_checks (
  id         uuid primary key,
  -- JSON, encrypted: answered byte for byte as it was given
  report     bytea not null,
  -- digest in page_texts of the text of the facts; null: they are in the report
  facts      bytea,
  -- that the report takes up, its text included where no other had it: what callers have kept is limited by it
  bytes      integer not null default 0,
  created_at timestamptz not null default now()
);
create index page_checks_bytes_by_age on page_checks (created_at) include (bytes);
