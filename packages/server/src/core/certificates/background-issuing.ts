import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import type { StoreKey } from '../registry/find-store.ts';
import type { IssueBatch } from './issue-batch.ts';
import { CONCURRENT_BATCHES } from './issue-job.ts';

/** Milliseconds between two checks whether products taken by other nodes have been issued. */
const POLL = 100;

/** Issues the due certificates of one store while a consumer reads its stream; other nodes may do the same. */
export interface BackgroundIssuing {
  /** Nothing is due. */
  isDone(): boolean;
  /** Resolves when more certificates may have been issued. Rejects with the error that prevented it. */
  untilProgress(): Promise<void>;
  /** Starts no further batch, and resolves when those in progress have ended. */
  stop(): Promise<void>;
}

export function startBackgroundIssuing(
  db: Database,
  store: StoreKey,
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
      const checked = await issueBatch(store);
      announce();
      if (checked > 0) continue;
      if (!(await isDue(db, store))) return;
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
 * Whether anything is due now and not postponed; if so, other nodes have taken it. Follows the order of an index: a sequential scan
 * would first read the dead rows of a million deleted products.
 */
async function isDue(db: Database, { id, merchantId }: StoreKey): Promise<boolean> {
  const { rows } = await sql`
    select from certificate_due where merchant_id = ${merchantId} and store_id = ${id} and due_at <= now() order by due_at limit 1`.execute(
    db,
  );
  return rows.length > 0;
}
