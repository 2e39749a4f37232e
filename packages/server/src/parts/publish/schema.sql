-- What is published as static copies, and what has to be looked at again. The queue publish has a job for each merchant, and one for the
-- keys; their resource is the place.

create table published_visits (
  merchant_id uuid primary key references merchants (id),
  -- all products are to be visited, in the order of their creation, from behind this one on; null: none is
  visit_after bigint,
  -- the visit writes also what seems to be there already
  anew        boolean not null default false
);

-- Products of which there is a copy, or may be one that a process had begun to write when it ended.
create table published_certificates (
  merchant_id uuid not null,
  product_id  uuid not null,
  -- when it has to be looked at; in 1970: before all others; null: not before it changes
  due_at      timestamptz,
  -- grows with each change, so that one made meanwhile is not taken for done
  orders      integer not null default 1,
  -- ETag of the copy of the certificate; null: there may be none
  etag        text,
  -- digest of the page that lists it, and ETag of the list when it was last written for this product; null: none, or unknown
  page        text,
  page_etag   text,
  -- code of the fault for which the certificate could not be read; it is tried again
  failure     text,
  primary key (merchant_id, product_id)
) with (autovacuum_vacuum_scale_factor = 0.05);
create index published_certificates_due on published_certificates (merchant_id, due_at) where due_at is not null;
