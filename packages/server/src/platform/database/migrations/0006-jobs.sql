-- One table schedules all background work; images are its first use. It takes the place of image_looks and of the tables of
-- pg-boss, which were two schedulers for one thing.

create table jobs (
  queue        text not null,
  -- what the job is about; there is one job for it, however often it is done
  subject      uuid not null,
  -- owners are served in turn, so that one with a million jobs keeps no other waiting
  owner        uuid not null,
  -- of jobs that share a resource a few are run at a time, over all nodes
  resource     text not null default '',
  -- ready: may be claimed; scheduled: not before due_at; running: leased by a node; idle: not until it is ordered
  state        text not null default 'ready' check (state in ('ready', 'scheduled', 'running', 'idle')),
  due_at       timestamptz default now() check (due_at is not null or state in ('running', 'idle')),
  -- grows with each order, so that one given while the job is running is not taken for done with it
  orders       integer not null default 1,
  -- made of the present order, the one under way included
  attempts     integer not null default 0,
  -- how often in a row a node ended in the middle of it
  interrupted  integer not null default 0,
  -- who runs it; what another node records of it later does not count
  lease        uuid,
  leased_until timestamptz,
  -- of the last run that came to an end; null: none has since it was ordered
  result       text check (result in ('done', 'failed')),
  -- {code, detail, at, attempts, since?}: why the last attempt came to nothing
  failure      jsonb,
  finished_at  timestamptz,
  primary key (queue, subject),
  check ((state = 'running') = (lease is not null)),
  check ((state = 'running') = (leased_until is not null))
  -- each job is updated several times a day, and the claims read what vacuum leaves
) with (autovacuum_vacuum_scale_factor = 0.05);
create index jobs_ready on jobs (queue, owner, due_at) where state = 'ready';
create index jobs_scheduled on jobs (queue, due_at) where state = 'scheduled';
create index jobs_running on jobs (queue, resource) where state = 'running';
create index jobs_by_result on jobs (queue, result, owner);

alter table images rename column looked_at to scanned_at;
alter table images
  -- host of url, normalised by certificate/binding.ts: requests to it are few at a time
  add column host          text not null default '',
  -- validators of the bytes at url, for a conditional request (RFC 9110 section 13); they count while the last scan went well
  add column etag          text,
  add column last_modified text;

-- nothing of this shows in a public answer
alter table images disable trigger user;
update images i set etag = l.etag, last_modified = l.last_modified,
  -- as it is written: nearly always the normal form
  host = coalesce(lower(substring(i.url from '^[^:]+://(\[[^]]+\]|[^/?#:]+)')), '')
  from image_looks l where l.image_id = i.id;
alter table images enable trigger user;

-- A look that was under way, or waited for its next attempt, is made anew.
insert into jobs (queue, subject, owner, resource, state, due_at, orders, interrupted, result, failure, finished_at)
  select 'image-scans', l.image_id, l.store_id, i.host,
    case when not live or (l.job_id is null and l.due_at is null) then 'idle'
      when l.job_id is not null or l.due_at <= now() then 'ready' else 'scheduled' end,
    case when live then coalesce(l.due_at, case when l.job_id is not null then now() end) end,
    l.orders, l.interrupted, case l.state when 'settled' then 'done' when 'failed' then 'failed' end, l.trouble,
    l.settled_at
  from image_looks l
  join images i on i.id = l.image_id
  join products p on p.id = i.product_id
  cross join lateral (select i.removed_at is null and p.deleted_at is null as live) as is_live;

drop trigger images_order_looks on images;
drop trigger images_order_look_again on images;
drop trigger products_order_looks on products;
drop function order_looks, order_look_again, order_looks_of_product;
drop table image_looks;
drop schema if exists touchstone_jobs cascade;

-- The job is made with the image, by the same statement: none can be forgotten.
create function schedule_scans() returns trigger language plpgsql as $$
begin
  insert into jobs (queue, subject, owner, resource, state, due_at)
    select 'image-scans', f.id, p.store_id, f.host,
      case when f.removed_at is null then 'ready' else 'idle' end, case when f.removed_at is null then now() end
    from fresh f join products p on p.id = f.product_id;
  return null;
end $$;
create trigger images_schedule_scans after insert on images
  referencing new table as fresh for each statement execute function schedule_scans();

-- Of an image that has gone nothing is due; one that comes back may have changed meanwhile. A scan that is running ends by
-- itself.
create function reschedule_scans(images uuid[], gone boolean) returns void language sql as $$
  update jobs set
    orders = orders + case when gone then 0 else 1 end,
    attempts = 0,
    interrupted = 0,
    state = case when state = 'running' then 'running' when gone then 'idle' else 'ready' end,
    due_at = case when not gone then now() when state = 'running' then due_at end
  where queue = 'image-scans' and subject = any(images)
$$;

create function reschedule_image() returns trigger language plpgsql as $$
begin
  perform reschedule_scans(array[new.id], new.removed_at is not null);
  return null;
end $$;
create trigger images_reschedule after update on images
  for each row when ((old.removed_at is null) <> (new.removed_at is null)) execute function reschedule_image();

create function reschedule_images_of_product() returns trigger language plpgsql as $$
begin
  perform reschedule_scans(
    array(select id from images where product_id = new.id and removed_at is null), new.deleted_at is not null);
  return null;
end $$;
create trigger products_reschedule after update on products
  for each row when ((old.deleted_at is null) <> (new.deleted_at is null)) execute function reschedule_images_of_product();
