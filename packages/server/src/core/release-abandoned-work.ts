import type { Database } from '../platform/database/database.ts';
import { endLeases } from '../platform/jobs/job-queue.ts';
import { releaseAllTaken } from './certificates/release-due-products.ts';

/** Releases the work that a killed service left unfinished, so that nothing waits for it. The caller must know that no node is running. */
export async function releaseAbandonedWork(db: Database): Promise<void> {
  await endLeases(db);
  await releaseAllTaken(db);
}
