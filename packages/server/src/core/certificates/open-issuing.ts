import type { Addresses } from '@touchstone/certificate/issue';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import { type Database, inTransaction } from '../../platform/database/database.ts';
import { openJobQueue } from '../../platform/jobs/job-queue.ts';
import { openWorker, type WorkerContext } from '../../platform/jobs/open-worker.ts';
import type { ScheduledTask } from '../../platform/jobs/scheduled-tasks.ts';
import { createFaultWarning } from '../../platform/log/fault-log.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { Config } from '../../platform/settings/config.ts';
import type { SigningKeys } from '../keys/open-proof-keys.ts';
import { countWaiting } from './certificate-metrics.ts';
import { documentForm } from './document-form.ts';
import { runIssueJob } from './issue-job.ts';
import type { Certificates } from './open-certificates.ts';
import { CERTIFICATES_AHEAD, wakeCertificates } from './order-certificates.ts';

export interface IssuingOptions extends WorkerContext {
  readonly config: Pick<Config, 'certificatesAhead'>;
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly keys: Pick<SigningKeys, 'sha256'>;
  readonly addresses: Addresses;
  readonly certificates: Pick<Certificates, 'issueBatch' | 'purge' | 'orderFutureDated'>;
}

/** Stores that a node issues for at a time: with its batches and a claim, one takes at most six connections of the pool, and most often four. */
const CONCURRENT_STORES = 1;

const MINUTE = 60_000;

/** Issues certificates in advance, unless this node only answers requests. Returns the scheduled tasks for certificates. */
export async function openIssuing(options: IssuingOptions): Promise<readonly ScheduledTask[]> {
  const { config, certificates } = options;
  if (config.certificatesAhead) await startIssuing(options);
  return [
    { name: 'purge expired proofs', every: 60 * MINUTE, run: certificates.purge },
    { name: 'replace certificates dated ahead', every: 5 * MINUTE, run: certificates.orderFutureDated },
    countWaiting(options),
  ];
}

async function startIssuing(options: IssuingOptions): Promise<void> {
  const { db, clock, logger, certificates } = options;
  // stores share no resource that would need protecting
  const queue = openJobQueue({ db, name: CERTIFICATES_AHEAD, perResource: 1_000 });
  await orderVisits(db, await documentForm(options.addresses, options.keys.sha256));
  const { issueBatch } = certificates;
  openWorker(options, {
    name: 'issuing of certificates',
    queue,
    concurrent: CONCURRENT_STORES,
    run: (job, signal) => runIssueJob(job, { db, queue, clock, issueBatch }, signal),
    onFault: createFaultWarning(
      { logger, clock },
      'certificates could not be issued in advance; each is issued when it is first asked for',
    ),
    wakesOnChange: true,
  });
}

/**
 * Starts a visit of every store whose certificates were issued in another document form (by another release, or for another
 * address): all its products need new ones.
 */
async function orderVisits(db: Database, form: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { rows } = await sql<{ store_id: string }>`
      update certificate_stores c set form = ${form},
        visit_after = case when certificates = 0 and form is null then visit_after else 0 end, visit_total = null, visited = 0
      from stores s
      where s.merchant_id = c.merchant_id and s.id = c.store_id and s.deleted_at is null and c.form is distinct from ${form}
      returning store_id`.execute(trx);
    await wakeCertificates(
      trx,
      rows.map(({ store_id }) => store_id),
    );
  });
}
