import type { AcrossMerchants } from './testing-placement.ts';

const COUNTS = 'a count of the whole service, for metrics and the operator';
const PURGE = 'deletes what is old, of all merchants';
const LISTS = 'the operator lists those of all merchants';
const START = 'of all merchants, once at a start';
const UNKNOWN = 'whose it is, is the question';

export const ACROSS_MERCHANTS: readonly AcrossMerchants[] = [
  { piece: 'select count(*) from certificate_due where due_at <= now()', why: COUNTS },
  {
    piece: 'coalesce(sum(greatest(total - done, 0)), 0)::float as products from registry_changes',
    why: COUNTS,
  },
  { piece: 'from certificate_lines where kid is not null group by kid', why: COUNTS },
  { piece: 'count(*) filter (where slots_held >= plan_capacity)', why: COUNTS },
  { piece: 'with left_to_do as materialized', why: COUNTS },
  { piece: "from webhook_deliveries where state = 'pending') as pending", why: COUNTS },
  { piece: 'from stores where deleted_at is null', why: COUNTS },
  { piece: '(select count(*) from published_certificates where etag is not null)', why: COUNTS },
  {
    piece: 'union all select id from merchants) added',
    why: 'copies are published of all merchants, or of none',
  },
  { piece: 'from image_counts c join stores s on s.id = c.store_id', why: COUNTS },
  { piece: 'from sweep_counts group by result', why: COUNTS },
  { piece: 'from registry_changes where remembers and finished_at <', why: PURGE },
  { piece: 'select merchant_id, id from evidence where expires_at <=', why: PURGE },
  { piece: 'delete from "control_checks" where "checked_at"', why: PURGE },
  { piece: 'delete from store_days where day <', why: PURGE },
  { piece: 'delete from copy_hosts where last_at', why: PURGE },
  { piece: 'delete from copy_domains d where last_at', why: PURGE },
  { piece: 'from copy_hosts where check_at <=', why: 'what is due, of all merchants' },
  { piece: 'delete from "copies" where "last_at"', why: PURGE },
  { piece: 'from "domains" where "domains"."hostname" =', why: UNKNOWN },
  { piece: 'from "merchants" order by', why: LISTS },
  {
    piece: 'select "store_id" from "certificate_stores" order by "store_id"',
    why: 'all stores, whose keys were revoked',
  },
  {
    piece: 'and status_list is null limit 1',
    why: 'whether any proof names no entry of a status list decides what verifiers require',
  },
  {
    piece: 'with gone as ( select merchant_id, kind, subject_id, issued_at from proofs',
    why: 'what a published list calls withdrawn, once a database was restored',
  },
  {
    piece: 'select id, true from (select id from merchants) m',
    why: 'all proofs are looked at, once a database was restored',
  },
  { piece: 'update certificate_due set taken = null', why: START },
  { piece: 'convert_from(substr("url", 2), \'UTF8\') as text', why: START },
  {
    piece: 'merchants_of (hash, is_source, merchant_id, place)',
    why: 'a search over all merchants, left out on Citus',
  },
  {
    piece: 'with failing as ( select c.merchant_id',
    why: 'the operator lists those of all merchants, and not on Citus',
  },
  { piece: '"platform" from "stores" where "deleted_at" is null', why: LISTS },
];
