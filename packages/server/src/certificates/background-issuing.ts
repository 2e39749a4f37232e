import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';
import type { IssueBatch } from './issue-batch.ts';
import { CONCURRENT_BATCHES } from './issue-job.ts';

/** Milliseconds before it is asked again whether what others have taken is issued. */
const POLL = 100;

/** What is due of one store is issued while a consumer reads, by this node or by others. */
export interface BackgroundIssuing {
  /** Nothing is due any more. */
  isDone(): boolean;
  /** Resolves when something more may have been issued. Throws what kept it from being issued. */
  untilProgress(): Promise<void>;
  /** Issues nothing more; ends when nothing is under way. */
  stop(): Promise<void>;
}

export function startBackgroundIssuing(
  db: Database,
  storeId: string,
  issueBatch: IssueBatch,
): BackgroundIssuing {
  let stopped = false;
  let isDone = false;
  let failure: unknown;
  let progressed = Promise.withResolvers<void>();
  const announce = () => {
    progressed.resolve();
    progressed = Promise.withResolvers<void>();
  };

  const issueBatches = async () => {
    while (!stopped) {
      const checked = await issueBatch(storeId);
      announce();
      if (checked > 0) continue;
      if (!(await isDue(db, storeId))) return;
      await delay(POLL);
    }
  };

  const running = Promise.all(Array.from({ length: CONCURRENT_BATCHES }, issueBatches))
    .then(() => {
      isDone = true;
    })
    .catch((error: unknown) => {
      stopped = true;
      failure = error;
    })
    .finally(announce);

  return {
    isDone: () => isDone,
    async untilProgress() {
      if (!isDone && failure === undefined) await progressed.promise;
      if (failure !== undefined) throw failure;
    },
    async stop() {
      stopped = true;
      await running;
    },
  };
}

/**
 * Whether anything is due now that is not put off: what is left was taken by others. In the order of an index, since a table
 * from which a million rows were deleted takes long to be read until one is met.
 */
async function isDue(db: Database, storeId: string): Promise<boolean> {
  const { rows } = await sql`
    select from certificate_due where store_id = ${storeId} and due_at <= now() order by due_at limit 1`.execute(
    db,
  );
  return rows.length > 0;
}
