import type { Job } from '../../../platform/jobs/job.ts';
import { endLeases, openJobQueue } from '../../../platform/jobs/job-queue.ts';
import type { Registry } from '../context.ts';
import { REGISTRY_CHANGES } from './make-change.ts';
import { runBatch, runChanges } from './run-changes.ts';

const openQueue = ({ db }: Registry) => openJobQueue({ db, name: REGISTRY_CHANGES, perResource: 1_000 });

/**
 * A node that processes a merchant's changes batch by batch; it may be abandoned in between, as if the node had died.
 *
 * @param merchantId - default: changes of all merchants
 */
export function testWorker(registry: Registry, merchantId?: string) {
  const queue = openQueue(registry);
  let job: Job | undefined;
  return {
    /** Claims a job first. Returns false if nothing is left to do, or if another node has taken the job. */
    async batch(): Promise<boolean> {
      if (job === undefined) {
        for (const claimed of await queue.claim(100)) {
          if (merchantId === undefined || claimed.subject === merchantId) job = claimed;
          else await queue.release(claimed);
        }
      }
      if (job === undefined) return false;
      const isMore = await runBatch(job, { registry, queue });
      if (!isMore) job = undefined;
      return isMore;
    },
    /** Its leases end. */
    async replace() {
      await endLeases(registry.db);
      return testWorker(registry, merchantId);
    },
  };
}

/** Applies all pending changes to products. */
export async function followChanges(registry: Registry): Promise<void> {
  const queue = openQueue(registry);
  await endLeases(registry.db);
  for (;;) {
    const jobs = await queue.claim(10);
    if (jobs.length === 0) return;
    for (const job of jobs)
      await runChanges(job, { registry, queue, pause: 0 }, new AbortController().signal);
  }
}
