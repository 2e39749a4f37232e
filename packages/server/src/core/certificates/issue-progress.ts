import type { CertificateProgress } from '@touchstone/contract';
import { sql } from 'kysely';
import type { JobFailure } from '../../platform/database/column-types.ts';
import type { Scope } from '../../platform/http/access.ts';
import type { Registry } from '../registry/context.ts';
import { findStore } from '../registry/find-store.ts';
import { CERTIFICATES_AHEAD } from './order-certificates.ts';

/** Seconds after the latest batch for which its rate is reported. */
const RATE_VALID_FOR = 15;

interface Row {
  certificates: number;
  done: number;
  due: number;
  to_visit: number;
  failed: number;
  per_second: number;
  busy_since: Date | null;
  done_at: Date | null;
  is_running: boolean;
  failure: JobFailure | null;
  product_failure: JobFailure | null;
}

/**
 * How many certificates of a store are issued, and how many are still due.
 *
 * @throws ServiceError `store_unknown`
 */
export async function certificateProgress(
  { db }: Pick<Registry, 'db'>,
  scope: Scope,
  storeId: string,
): Promise<CertificateProgress> {
  const store = await findStore(db, scope, storeId);
  const { rows } = await sql<Row>`
    with j as materialized (select state, failure from jobs where queue = ${CERTIFICATES_AHEAD} and subject = ${store.id})
    select c.certificates, c.done, due.count as due, due.failed, c.busy_since, c.done_at, due.failure as product_failure,
      case when c.visit_after is null then 0 else greatest(0, coalesce(c.visit_total,
        (select count(*)::int from products
          where merchant_id = ${store.merchantId} and store_id = ${store.id} and deleted_at is null)) - c.visited) end as to_visit,
      case when c.done_at > now() - make_interval(secs => ${RATE_VALID_FOR}) then c.per_second else 0 end as per_second,
      j.state = 'running' as is_running, j.failure
    from certificate_stores c cross join j cross join (
      select count(*) filter (where due_at <= now() or failure is not null)::int as count,
        count(failure)::int as failed, (array_agg(failure) filter (where failure is not null))[1] as failure
      from certificate_due where merchant_id = ${store.merchantId} and store_id = ${store.id}) due
    where c.merchant_id = ${store.merchantId} and c.store_id = ${store.id}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error(`nothing is recorded about the certificates of store ${store.id}`);
  return toProgress(row);
}

function toProgress(row: Row): CertificateProgress {
  const left = row.due + row.to_visit;
  const failure = row.failure ?? row.product_failure;
  return {
    state: left === 0 ? 'done' : row.is_running ? 'working' : 'waiting',
    certificates: row.certificates,
    done: row.done,
    left,
    total: row.done + left,
    failed: row.failed,
    perSecond: Math.round(row.per_second * 10) / 10,
    ...(row.busy_since === null ? {} : { since: row.busy_since.toISOString() }),
    ...(row.done_at === null ? {} : { doneAt: row.done_at.toISOString() }),
    ...(failure === null ? {} : { lastFailure: failure }),
  };
}
