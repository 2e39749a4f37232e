-- Copies are counted by registrable domain, since the names below one cost nothing.

create table copy_domains (
  store_id uuid not null references stores (id),
  -- registrable domain, or the host itself if it has none
  domain   text not null,
  first_at timestamptz not null,
  last_at  timestamptz not null,
  times    integer not null,
  -- rows of `copies` that were deleted in favour of newer ones
  dropped  integer not null default 0,
  primary key (store_id, domain)
);
create index copy_domains_by_age on copy_domains (last_at);

alter table copies add column domain text;
update copies set domain = host;
alter table copies alter column domain set not null;
drop index copies_by_store;
create index copies_by_domain on copies (store_id, domain, last_at desc);
insert into copy_domains (store_id, domain, first_at, last_at, times)
  select store_id, domain, min(first_at), max(last_at), sum(times) from copies group by store_id, domain;
