-- Images: what was found in their bytes, the bytes that are certified, and the work of looking at them.

-- the store asks for its images to be signed by us where they carry no manifest of their own
alter table stores add column sign_images boolean not null default false;

alter table images
  -- when these bytes were looked at; seeing them again unchanged is no change, and is not announced
  add column looked_at    timestamptz,
  -- SHA-256 of the bytes at `url`, hex; `version` grows when it changes
  add column source_uhash text,
  -- how the whole frame looks, hex: kept to find copies by, never published (decision 53)
  add column frame_code   text,
  -- name in the blob store of the certified bytes; null: none are certified
  add column blob_key     text,
  add column signed_by_us boolean not null default false,
  -- {status, list, listDate, signer?}: whose manifest, and whether the trust list knows the signer
  add column trust        jsonb;

-- One certification for each state of an image's source, for good: a state that comes back is not signed again.
create table image_certifications (
  image_id     uuid not null references images (id),
  source_uhash text not null,
  blob_key     text not null,
  signed_by_us boolean not null,
  certified_at timestamptz not null,
  primary key (image_id, source_uhash)
);

-- The standing order to look at an image. The row is made with the image, by the same statement; jobs are made from
-- it, so a job that is lost is made again.
create table image_looks (
  image_id       uuid primary key references images (id),
  store_id       uuid not null references stores (id),
  -- when to look next; null: never
  due_at         timestamptz,
  -- grows with each order, so that one given while a look is under way is not taken for done with it
  orders         integer not null default 1,
  -- the job that is open for it
  job_id         uuid,
  -- how often in a row the service ended in the middle of it
  interrupted    integer not null default 0,
  state          text not null default 'waiting' check (state in ('waiting', 'settled', 'failed')),
  -- last time that a look came to an end, well or not
  settled_at     timestamptz,
  -- {code, detail, at, attempts}: why the last attempt came to nothing
  trouble        jsonb,
  -- validators of the source, for a conditional request (RFC 9110 section 13)
  etag           text,
  last_modified  text
);
create index image_looks_due on image_looks (store_id, due_at) where job_id is null and due_at is not null;
create index image_looks_open on image_looks (store_id) where job_id is not null;
create index image_looks_by_state on image_looks (store_id, state);
create index image_looks_settled on image_looks (store_id, settled_at);

insert into image_looks (image_id, store_id, due_at)
  select i.id, p.store_id, case when i.removed_at is null then now() end
  from images i join products p on p.id = i.product_id;

create function order_looks() returns trigger language plpgsql as $$
begin
  insert into image_looks (image_id, store_id, due_at)
    select f.id, p.store_id, case when f.removed_at is null then now() end
    from fresh f join products p on p.id = f.product_id;
  return null;
end $$;
create trigger images_order_looks after insert on images
  referencing new table as fresh for each statement execute function order_looks();

-- an image that comes back may have changed meanwhile
create function order_look_again() returns trigger language plpgsql as $$
begin
  update image_looks set due_at = now(), orders = orders + 1 where image_id = new.id;
  return null;
end $$;
create trigger images_order_look_again after update on images
  for each row when (old.removed_at is not null and new.removed_at is null) execute function order_look_again();

create function order_looks_of_product() returns trigger language plpgsql as $$
begin
  update image_looks set due_at = now(), orders = orders + 1
    where image_id in (select id from images where product_id = new.id and removed_at is null);
  return null;
end $$;
create trigger products_order_looks after update on products
  for each row when (old.deleted_at is not null and new.deleted_at is null) execute function order_looks_of_product();

-- Books the next free turn of `name`, `gap` behind the one before, and tells the seconds until it comes. Requests to
-- one host are spaced by it over all nodes, without polling, first come, first served.
create function take_turn(name text, gap interval, out wait double precision) language plpgsql as $$
declare
  next_turn timestamptz;
  moment timestamptz;
begin
  insert into rate_windows as w (bucket) values (name)
    on conflict (bucket) do update set seen_at = clock_timestamp()
    returning w.hits[1] into next_turn;
  moment := clock_timestamp();
  next_turn := greatest(next_turn, moment);
  update rate_windows set hits = array[next_turn + gap] where bucket = name;
  wait := extract(epoch from next_turn - moment);
end $$;
