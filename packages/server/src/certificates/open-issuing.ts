import type { Addresses } from '@touchstone/certificate/issue';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { SigningKeys } from '../keys/open-keys.ts';
import type { ChangeHub } from '../platform/cache/changes.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { DueJobs } from '../platform/jobs/due-jobs.ts';
import { openJobQueue } from '../platform/jobs/job-queue.ts';
import { startJobWorker } from '../platform/jobs/job-worker.ts';
import type { Closers } from '../platform/lifecycle/closers.ts';
import { createFaultLog } from '../platform/log/fault-log.ts';
import type { Config } from '../platform/settings/config.ts';
import { documentForm } from './document-form.ts';
import { CERTIFICATES_AHEAD, runIssueJob } from './issue-job.ts';
import type { Certificates } from './open-certificates.ts';

export interface IssuingOptions {
  readonly config: Pick<Config, 'certificatesAhead'>;
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly closers: Closers;
  readonly changes: ChangeHub;
  readonly due: DueJobs;
  readonly keys: Pick<SigningKeys, 'sha256'>;
  readonly addresses: Addresses;
  readonly certificates: Pick<Certificates, 'issueBatch'>;
}

/** Stores that this node works on at a time: with their batches and a claim, no more than four connections of the pool. */
const STORES = 1;

/** Starts making certificates before they are asked for, unless this node only answers. */
export async function openIssuing(options: IssuingOptions): Promise<void> {
  const { config, db, clock, logger, closers, changes, due, certificates } = options;
  if (!config.certificatesAhead) return;
  // stores share nothing that would have to be spared
  const queue = openJobQueue({ db, name: CERTIFICATES_AHEAD, perResource: 1_000 });
  await orderVisits(db, await documentForm(options.addresses, options.keys.sha256));
  const onFault = createFaultLog((err, times) => {
    logger.warn(
      { err, times },
      'certificates could not be made ahead; they are made when they are asked for',
    );
  }, clock);
  const { issueBatch } = certificates;
  const worker = startJobWorker({
    queue,
    due,
    concurrent: STORES,
    run: (job, signal) => runIssueJob(job, { db, queue, clock, issueBatch }, signal),
    onFault,
  });
  // whatever makes a certificate due is announced as a change, by this node or another
  const unsubscribe = changes.subscribe(worker.wake);
  closers.add('issuing of certificates', () => {
    unsubscribe();
    return worker.close();
  });
}

/**
 * Where documents are made in another form than when a store's products were visited last (another release, another address),
 * all need certificates anew.
 */
async function orderVisits(db: Database, form: string): Promise<void> {
  await sql`
    with visited as (
      update certificate_stores c set form = ${form},
        visit_after = case when certificates = 0 and form is null then visit_after else 0 end, visit_total = null, visited = 0
      from stores s where s.id = c.store_id and s.deleted_at is null and c.form is distinct from ${form}
      returning store_id
    )
    select wake_certificates(array(
      select store_id from visited order by store_id
    ), now())`.execute(db);
}
