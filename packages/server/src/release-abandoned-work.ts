import { freeAll } from './certificates/free-all.ts';
import type { Database } from './platform/database/database.ts';
import { endLeases } from './platform/jobs/job-queue.ts';

/** Ends what a service that was killed left under way, so that nobody waits for it. For whoever knows that no node runs. */
export async function releaseAbandonedWork(db: Database): Promise<void> {
  await endLeases(db);
  await freeAll(db);
}
