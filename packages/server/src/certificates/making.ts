import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';
import type { IssueBatch } from './issue-batch.ts';
import { LANES } from './issue-job.ts';

/** Milliseconds between two looks at what others are making. */
const LOOK = 100;

/** What is due of one store being made beside a consumer, whoever makes it. */
export interface Making {
  /** Nothing is due any more. */
  isDone(): boolean;
  /** Something more may have been made. Throws what kept it from being made. */
  more(): Promise<void>;
  /** Makes nothing more; ends when nothing is under way. */
  stop(): Promise<void>;
}

export function createMaking(db: Database, storeId: string, issueBatch: IssueBatch): Making {
  let stopped = false;
  let isDone = false;
  let failure: unknown;
  let moved = Promise.withResolvers<void>();
  const tell = () => {
    moved.resolve();
    moved = Promise.withResolvers<void>();
  };

  const lane = async () => {
    while (!stopped) {
      const looked = await issueBatch(storeId);
      tell();
      if (looked > 0) continue;
      if (!(await isDue(db, storeId))) return;
      await delay(LOOK);
    }
  };

  const lanes = Promise.all(Array.from({ length: LANES }, lane))
    .then(() => {
      isDone = true;
    })
    .catch((error: unknown) => {
      stopped = true;
      failure = error;
    })
    .finally(tell);

  return {
    isDone: () => isDone,
    async more() {
      if (!isDone && failure === undefined) await moved.promise;
      if (failure !== undefined) throw failure;
    },
    async stop() {
      stopped = true;
      await lanes;
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
