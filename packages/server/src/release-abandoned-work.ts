import { releaseAllTaken } from './core/certificates/release-due-products.ts';
import type { Database } from './platform/database/database.ts';
import { endLeases } from './platform/jobs/job-queue.ts';

/** Releases the work that a killed service left unfinished, so that nothing waits for it. The caller must know that no node is running. */
export async function releaseAbandonedWork(db: Database): Promise<void> {
  await endLeases(db);
  await releaseAllTaken(db);
}
