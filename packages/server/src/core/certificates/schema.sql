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
