-- Proofs, and the certificates that are made before they are asked for.

-- A proof is recorded before it is signed: the row holds what will be signed, then what was, so that every node answers with the
-- same bytes. `kid` refers to signing_keys without a constraint: a proof is recorded under the row of its key, held in share, and
-- no key is ever deleted.
create table proofs (
  merchant_id   uuid not null,
  id            bigint generated always as identity,
  kind          text not null check (kind in ('product', 'asset', 'image')),
  subject_id    uuid not null,
  -- SHA-256 of the canonical snapshot and the issuer
  snapshot_hash bytea not null,
  generation    integer not null,
  kid           text not null,
  -- exact bytes of the JWS: base64url(header) and base64url(payload)
  header        text not null,
  payload       text not null,
  -- the document is rendered from this
  snapshot      jsonb not null,
  issued_at     timestamptz not null,
  expires_at    timestamptz not null,
  -- base64url; null between intent and signature
  signature     text,
  created_at    timestamptz not null default now(),
  primary key (merchant_id, id),
  unique (merchant_id, kind, subject_id, snapshot_hash, generation)
  -- with its signature a row is a little over the 2 kB from which PostgreSQL compresses it, which costs more than the row itself and
  -- saves little: most of it is base64 of digests
) with (toast_tuple_target = 8160);
create index proofs_by_expiry on proofs (expires_at);

-- Each store has a stream of lines about its certificates, in the order in which they changed, and one job in the queue
-- certificates, whose subject is the store.
create table certificate_stores (
  merchant_id  uuid not null,
  store_id     uuid not null,
  -- of the last line; taken under the lock of this row, so that lines are seen in the order of their positions
  position     bigint not null default 0,
  -- products whose last line holds a certificate
  certificates integer not null default 0,
  -- all products are to be visited, in the order of their creation, from behind this one on; null: none is
  visit_after  bigint,
  visit_total  integer,
  visited      integer not null default 0,
  -- how documents are made by whoever visited the products last; another form asks for a visit of all
  form         text,
  -- what was done since there was something to do, for the progress
  idle         boolean not null default true,
  busy_since   timestamptz,
  done_at      timestamptz,
  done         integer not null default 0,
  per_second   double precision not null default 0,
  -- lines of each kind since the beginning, for the daily history: the row is written with every line anyway
  issued       bigint not null default 0,
  renewed      bigint not null default 0,
  withdrawn    bigint not null default 0,
  primary key (merchant_id, store_id),
  foreign key (merchant_id, store_id) references stores (merchant_id, id)
);

-- Products whose certificate has to be looked at: changed, or to be replaced. A row goes when that was done.
create table certificate_due (
  merchant_id uuid not null,
  product_id  uuid not null,
  store_id    uuid not null,
  due_at      timestamptz not null,
  -- who looks at it now; null again with every change, so that what was read before the change does not count
  taken       uuid,
  taken_at    timestamptz,
  -- lease of the job that took it, so that the next run frees at once what a node took that ended in the middle; null: a stream did
  taken_by    uuid,
  -- {code, detail, at, attempts}: why the last attempt came to nothing
  failure     jsonb,
  primary key (merchant_id, product_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index certificate_due_by_store on certificate_due (merchant_id, store_id, due_at);

-- The last line of each product that ever had a certificate.
create table certificate_lines (
  merchant_id uuid not null,
  product_id  uuid not null,
  store_id    uuid not null,
  position    bigint not null,
  -- null: withdrawn, as the product is not active any more
  proof_id    bigint,
  kid         text,
  renew_at    timestamptz,
  primary key (merchant_id, product_id),
  check ((proof_id is null) = (kid is null) and (proof_id is null) = (renew_at is null))
);
create unique index certificate_lines_in_order on certificate_lines (merchant_id, store_id, position);
create index certificate_lines_by_renewal on certificate_lines (merchant_id, store_id, renew_at) where renew_at is not null;
-- what a revoked key concerns in a store; the key first, so that the planner takes no other index for it
create index certificate_lines_by_key on certificate_lines (kid, store_id) where kid is not null;

-- There is something to do for these stores, at `at`. One that is ready is left alone; a job that is running is ready again after
-- it.
create function wake_certificates(stores uuid[], at timestamptz) returns void language sql as $$
  update jobs set orders = orders + 1,
    state = case when state = 'running' then state when at <= now() then 'ready' else 'scheduled' end,
    due_at = case when state = 'running' then due_at else least(due_at, at) end
  where queue = 'certificates' and subject = any(stores)
    and (state in ('running', 'idle') or (state = 'scheduled' and due_at > at))
$$;

-- All products of these stores are to be visited, whatever was visited before.
create function visit_certificates(stores uuid[]) returns void language plpgsql as $$
begin
  update certificate_stores c set visit_after = 0, visit_total = null, visited = 0
    from directory d where d.id = any(stores) and c.merchant_id = d.merchant_id and c.store_id = d.id;
  perform wake_certificates(stores, now());
end $$;

-- The certificates of these products are to be looked at, at `at`; stores[i] is the store of products[i]. What a transaction has just
-- written itself nobody can have taken: nothing is to be done for it twice.
create function order_certificates(products uuid[], stores uuid[], at timestamptz) returns void language plpgsql as $$
begin
  insert into certificate_due as due (merchant_id, product_id, store_id, due_at)
    select store.merchant_id, changed.product_id, changed.store_id, at
    from unnest(products, stores) as changed (product_id, store_id) join directory store on store.id = changed.store_id
    where not exists (select from certificate_due own
      where own.merchant_id = store.merchant_id and own.product_id = changed.product_id and own.xmin = pg_current_xact_id()::xid and own.taken is null
        and own.due_at <= at)
    order by changed.product_id
  on conflict (merchant_id, product_id) do update set taken = null, taken_at = null, failure = null,
    due_at = case when due.taken is null then least(due.due_at, excluded.due_at) else excluded.due_at end
    where due.taken is not null or due.due_at > excluded.due_at;
  perform wake_certificates(array(select distinct store from unnest(stores) store), at);
end $$;

create function products_order_certificates() returns trigger language plpgsql as $$
begin
  perform order_certificates(array_agg(id order by id), array_agg(store_id order by id), now())
    from changed having count(*) > 0;
  return null;
end $$;
create trigger products_certificates_created after insert on products
  referencing new table as changed for each statement execute function products_order_certificates();
-- A transaction sets touchstone.unseen for columns that show nowhere.
create trigger products_certificates_changed after update on products
  referencing new table as changed for each statement
  when (current_setting('touchstone.unseen', true) is distinct from 'on')
  execute function products_order_certificates();

create function new_images_order_certificates() returns trigger language plpgsql as $$
begin
  perform order_certificates(array_agg(id order by id), array_agg(store_id order by id), now())
    from products where (merchant_id, id) in (select merchant_id, product_id from changed) having count(*) > 0;
  return null;
end $$;
create trigger images_certificates_created after insert on images
  referencing new table as changed for each statement execute function new_images_order_certificates();

-- What a merchant changes is looked at at once; what scans find comes image by image, and a minute gathers it. By `except`, in time
-- that grows with the rows: a join of what changed with what was before would compare each row with each.
create function images_order_certificates() returns trigger language plpgsql as $$
begin
  perform order_certificates(array_agg(p.id order by p.id), array_agg(p.store_id order by p.id),
      now() + case when c.by_merchant then interval '0' else interval '60 seconds' end)
    from (
      select merchant_id, product_id, bool_or(by_merchant) as by_merchant from (
        select merchant_id, product_id, true as by_merchant from (
          select id, merchant_id, product_id, position, removed_at is null from changed
          except select id, merchant_id, product_id, position, removed_at is null from former) moved
        union all
        select merchant_id, product_id, false from (
          select id, merchant_id, product_id, url, position, removed_at, media_type, width, height, upload_date, external_id, credentials,
            blob_key, source_uhash, given_up from changed
          except select id, merchant_id, product_id, url, position, removed_at, media_type, width, height, upload_date, external_id,
            credentials, blob_key, source_uhash, given_up from former) altered
      ) each_change group by merchant_id, product_id
    ) c join products p on p.merchant_id = c.merchant_id and p.id = c.product_id
    group by c.by_merchant;
  return null;
end $$;
create trigger images_certificates_changed after update on images
  referencing new table as changed old table as former for each statement execute function images_order_certificates();

create function new_store_has_certificates() returns trigger language plpgsql as $$
begin
  insert into certificate_stores (merchant_id, store_id) values (new.merchant_id, new.id);
  insert into jobs (queue, subject, owner, state, due_at) values ('certificates', new.id, new.merchant_id, 'idle', null);
  return null;
end $$;
create trigger stores_certificates_created after insert on stores
  for each row execute function new_store_has_certificates();

-- Name and address of the store are stated in every certificate of it; of a deleted one nothing is kept.
create function store_visits_certificates() returns trigger language plpgsql as $$
begin
  if new.deleted_at is null then perform visit_certificates(array[new.id]);
  else perform wake_certificates(array[new.id], now());
  end if;
  return null;
end $$;
create trigger stores_certificates_changed after update on stores
  for each row when ((old.name, old.url, old.deleted_at) is distinct from (new.name, new.url, new.deleted_at))
  execute function store_visits_certificates();

-- A pause withdraws all certificates of a merchant, and its end brings them back.
create function merchant_visits_certificates() returns trigger language plpgsql as $$
begin
  perform visit_certificates(array(select id from stores where merchant_id = new.id and deleted_at is null order by id));
  return null;
end $$;
create trigger merchants_certificates_paused after update on merchants
  for each row when (old.paused <> new.paused) execute function merchant_visits_certificates();

-- Proofs state how control of their host was proven: products on a host get new ones when its proof begins or ends. A later check that
-- succeeds again changes no certificate.
create function owner_visits_certificates() returns trigger language plpgsql as $$
begin
  perform visit_certificates(array(
    select s.id from stores s
    where s.merchant_id in (old.merchant_id, new.merchant_id) and s.deleted_at is null
      and exists (select from domains d where d.merchant_id = s.merchant_id and d.store_id = s.id
        and d.hostname = coalesce(new.hostname, old.hostname))
    order by s.id));
  return null;
end $$;
create trigger hostname_owners_certificates_begun_or_ended after insert or delete on hostname_owners
  for each row execute function owner_visits_certificates();
-- a row without a MAC proves nothing
create trigger hostname_owners_certificates_changed after update on hostname_owners
  for each row when ((old.merchant_id, old.method, old.proven_at, old.mac is null)
    is distinct from (new.merchant_id, new.method, new.proven_at, new.mac is null))
  execute function owner_visits_certificates();

-- Each store replaces what a revoked key had signed.
create function key_wakes_certificates() returns trigger language plpgsql as $$
begin
  perform wake_certificates(array(select store_id from certificate_stores order by store_id), now());
  return null;
end $$;
create trigger signing_keys_certificates_revoked after update on signing_keys
  for each row when (old.revoked_at is null and new.revoked_at is not null) execute function key_wakes_certificates();
