-- Images of products: what was found in their bytes, the bytes that are certified, and the jobs that scan them.

create table images (
  merchant_id       uuid not null,
  id                uuid not null,
  product_id        uuid not null,
  url               text not null,
  -- host of url, normalised by certificate/binding.ts: requests to it are few at a time
  host              text not null default '',
  external_id       text,
  position          integer not null,
  -- an image that leaves its product keeps its id for when it comes back
  removed_at        timestamptz,
  created_at        timestamptz not null default now(),

  -- when these bytes were scanned; seeing them again unchanged is no change, and is not announced
  scanned_at        timestamptz,
  -- validators of the bytes at url, for a conditional request (RFC 9110 section 13); they count while the last scan went well
  etag              text,
  last_modified     text,
  -- SHA-256 of the bytes at `url`, hex
  source_uhash      text,
  -- grows when source_uhash changes
  version           integer not null default 1,
  media_type        text,
  width             integer,
  height            integer,
  -- as stated by the host: when we first saw the bytes is not when they were uploaded
  upload_date       timestamptz,
  -- it was given up without its bytes ever having been opened: there is nothing to certify. An order changes nothing about that;
  -- a scan that comes to an end does
  given_up          boolean not null default false,

  -- {hasC2PA, hasManifest, hashes?}: null until the bytes have been scanned
  credentials       jsonb,
  -- {status, list, listDate, signer?}: whose manifest, and whether the trust list knows the signer
  trust             jsonb,
  -- SHA-256 of the trust list that `trust` was judged by, hex: once another one is in force, it is judged anew. Null: not judged
  trust_list        text,
  -- why its manifest does not validate: codes of the C2PA specification, an array of text
  manifest_failures jsonb,
  -- name in the blob store of the certified bytes, which begins with their SHA-256; null: none are certified
  blob_key          text,
  signed_by_us      boolean not null default false,
  -- the token may refer to earlier bytes: it is valid only while its `uhash` equals that of `credentials`
  nft               jsonb,

  -- the appearance of the whole frame, hex: kept to find copies by, never published
  frame_code        text,
  -- colours part by part, by which a copy is told from a picture that was altered; null: not decoded
  appearance        text check (length(appearance) <= 3200),
  primary key (merchant_id, id),
  foreign key (merchant_id, product_id) references products (merchant_id, id),
  unique (merchant_id, product_id, url)
);
create index images_by_product on images (product_id, position) where removed_at is null;

-- One certification for each state of an image's source, for good: a state that comes back is not signed again.
create table image_certifications (
  merchant_id        uuid not null,
  image_id           uuid not null,
  source_uhash       text not null,
  blob_key           text not null,
  signed_by_us       boolean not null,
  certified_at       timestamptz not null,
  -- stays when a signature is renewed
  first_certified_at timestamptz not null,
  -- when the certificate ends that it was signed with: without a time stamp the manifest ends with it, and the image is signed anew
  -- before. Null: not signed by us
  signed_until       timestamptz,
  primary key (merchant_id, image_id, source_uhash),
  foreign key (merchant_id, image_id) references images (merchant_id, id)
);
-- Which merchants have certified a file of these bytes, and since when: the certified file, and the file that it was made from.
create index certified_files on image_certifications (left(blob_key, 64), merchant_id, first_certified_at);
create index certified_sources on image_certifications (source_uhash, merchant_id, first_certified_at)
  where left(blob_key, 64) <> source_uhash;

-- The state of an image is kept on the job that scans it, where listings find it, and counted as it changes: nobody reads a whole
-- catalogue to know how far it is.

-- The state of an image: docs/interpretation.md has what each endpoint answers in it.
create function image_state(
  given_up boolean, media_type text, credentials jsonb, blob_key text, source_uhash text
) returns text language sql immutable parallel safe as $$
  select case
    when given_up then 'failed'
    when media_type is null then 'waiting'
    when media_type not like 'image/%' then 'no_image'
    when credentials->>'finding' = 'image_issued_to_another_store' then 'issued_to_another_store'
    when credentials->>'finding' = 'image_manifest_remote' then 'manifest_remote'
    when left(blob_key, 64) = source_uhash then 'certified'
    when blob_key is not null then 'not_served'
    when credentials->'hashes' is null then 'damaged'
    when credentials->>'hasManifest' = 'true' then 'manifest_invalid'
    else 'no_manifest' end
$$;

-- What else an image counts as: 1 certified, 2 signed by us, 4 signed by us and not served by the shop, 8 no image.
create function image_marks(
  media_type text, credentials jsonb, signed_by_us boolean, blob_key text, source_uhash text
) returns integer language sql immutable parallel safe as $$
  select case when credentials->>'hasC2PA' = 'true' then 1 else 0 end
    + case when signed_by_us then 2 else 0 end
    + case when signed_by_us and left(blob_key, 64) <> source_uhash then 4 else 0 end
    + case when media_type not like 'image/%' then 8 else 0 end
$$;

-- Of the queue image-scans: subject is the image, owner its store, resource its host. The writers of images keep these columns.
alter table jobs
  -- the image and its product are there
  add column live        boolean not null default true,
  add column image_state text,
  add column image_marks integer not null default 0;
-- listings, by the order of their pages
create index image_scans_by_state on jobs (owner, image_state, subject) where queue = 'image-scans' and live;
create index image_scans_failed on jobs (owner, subject) where queue = 'image-scans' and live and result = 'failed';
create index image_scans_retrying on jobs (owner, subject)
  where queue = 'image-scans' and live and failure is not null and result is distinct from 'failed';
create index image_scans_signed on jobs (owner, subject) where queue = 'image-scans' and live and image_marks & 2 <> 0;
-- how long the first has waited
create index image_scans_waiting on jobs (owner, due_at) where queue = 'image-scans' and live and result is null;
create index image_scans_waiting_since on jobs (owner, (failure->>'since'))
  where queue = 'image-scans' and live and result is null and failure is not null;

-- Counts of a store's images are the sums of its rows. Changes add rows, so that none waits for another; they are added up now and
-- then: those of the last minute by five seconds, for the rate, what is older in one row at -infinity.
create table image_counts (
  store_id     uuid not null,
  at           timestamptz not null,
  total        integer not null,
  done         integer not null,
  failed       integer not null,
  waiting      integer not null,
  retrying     integer not null,
  certified    integer not null,
  signed_by_us integer not null,
  not_served   integer not null,
  no_image     integer not null,
  -- scans that came to an end
  finished     integer not null
) with (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 1000);
create index image_counts_by_store on image_counts (store_id, at);
create index image_counts_recent on image_counts (at) where at > '-infinity';

-- What one image counts as.
create function image_tally(live boolean, result text, failure jsonb, marks integer) returns table (
  total integer, done integer, failed integer, waiting integer, retrying integer, certified integer, signed_by_us integer,
  not_served integer, no_image integer
) language sql immutable parallel safe as $$
  select live::int, (live and result is not distinct from 'done')::int, (live and result is not distinct from 'failed')::int,
    (live and result is null)::int, (live and failure is not null and result is distinct from 'failed')::int,
    (live and marks & 1 <> 0)::int, (live and marks & 2 <> 0)::int, (live and marks & 4 <> 0)::int,
    (live and marks & 8 <> 0)::int
$$;

-- The images of a store. Certified are those whose file at the shop is, as in the coverage of certificates; signed files that the
-- shop does not serve are counted apart.
create function image_totals(store uuid) returns table (
  total integer, done integer, failed integer, waiting integer, retrying integer, certified integer, signed_by_us integer,
  not_served integer, no_image integer
) language sql stable parallel safe as $$
  select coalesce(sum(total), 0)::int, coalesce(sum(done), 0)::int, coalesce(sum(failed), 0)::int,
    coalesce(sum(waiting), 0)::int, coalesce(sum(retrying), 0)::int, coalesce(sum(certified - not_served), 0)::int,
    coalesce(sum(signed_by_us), 0)::int, coalesce(sum(not_served), 0)::int, coalesce(sum(no_image), 0)::int
  from image_counts where store_id = store
$$;

-- Triggers, since every writer of jobs changes what is counted: who makes and removes them with their images, claims them, ends,
-- repeats or drops them, orders them again, and finds out the state of an image.

-- Of rows that came (1) or went (-1), by the argument.
create function count_image_scans() returns trigger language plpgsql as $$
declare
  sign integer := tg_argv[0];
begin
  insert into image_counts
    select owner, now(), sign * sum(total), sign * sum(done), sign * sum(failed), sign * sum(waiting), sign * sum(retrying),
      sign * sum(certified), sign * sum(signed_by_us), sign * sum(not_served), sign * sum(no_image), 0
    from changed cross join lateral image_tally(live, result, failure, image_marks)
    where queue = 'image-scans' and live group by owner;
  return null;
end $$;
create trigger jobs_count_created after insert on jobs
  referencing new table as changed for each statement execute function count_image_scans('1');
create trigger jobs_count_deleted after delete on jobs
  referencing old table as changed for each statement execute function count_image_scans('-1');

-- Sums of both, since a join of what changed with what was before would compare each row with each.
create function count_changed_image_scans() returns trigger language plpgsql as $$
begin
  insert into image_counts
    select * from (
      select owner, now() as at, sum(sign * total) as total, sum(sign * done) as done, sum(sign * failed) as failed,
        sum(sign * waiting) as waiting, sum(sign * retrying) as retrying, sum(sign * certified) as certified,
        sum(sign * signed_by_us) as signed_by_us, sum(sign * not_served) as not_served, sum(sign * no_image) as no_image,
        sum(sign * (live and finished_at is not distinct from now())::int) as finished
      from (select 1 as sign, * from changed union all select -1, * from former) rows
        cross join lateral image_tally(live, result, failure, image_marks)
      where queue = 'image-scans' group by owner
    ) sums
    where (total, done, failed, waiting, retrying, certified, signed_by_us, not_served, no_image, finished)
      is distinct from (0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  return null;
end $$;
create trigger jobs_count_changed after update on jobs
  referencing new table as changed old table as former for each statement execute function count_changed_image_scans();

-- Adds rows up; what is read at the same time is the same before and after. False: another node does so now.
insert into locks (name) values ('image counts');
create function fold_image_counts() returns boolean language plpgsql as $$
begin
  if not try_lock_for('image counts') then return false; end if;
  with taken as (
    delete from image_counts
    where (at > '-infinity' and at < now() - interval '5 seconds'
        and (at < now() - interval '60 seconds' or at <> date_bin('5 seconds', at, 'epoch')))
      or (at = '-infinity' and store_id in (
        select store_id from image_counts where at > '-infinity' and at < now() - interval '60 seconds'))
    returning *, case when at < now() - interval '60 seconds' then '-infinity'
      else date_bin('5 seconds', at, 'epoch') end as folded
  )
  insert into image_counts
    select store_id, folded, sum(total), sum(done), sum(failed), sum(waiting), sum(retrying), sum(certified),
      sum(signed_by_us), sum(not_served), sum(no_image), sum(finished)
    from taken group by store_id, folded;
  return true;
end $$;
