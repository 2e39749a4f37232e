import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { IdempotencyClaim, IdempotencyState, IdempotencyStore } from './idempotency.ts';

/** Seconds for which an answer is kept for replays. */
const RETENTION = 24 * 3_600;
/** Seconds after which an unfinished request counts as lost together with its node. */
const LOST_AFTER = 120;

const ago = (seconds: number) => sql<Date>`now() - make_interval(secs => ${seconds})`;

const which = (claim: IdempotencyClaim) => sql<boolean>`caller = ${claim.caller} and key = ${claim.key}`;

/**
 * Stores the answers to POSTs with an Idempotency-Key in the database, for all nodes. Times are the database's: a node whose
 * clock is minutes ahead would otherwise consider another node's running request lost, and repeat it.
 */
export function createIdempotencyStore(db: Database): IdempotencyStore & {
  /** Deletes answers that are too old to be replayed; returns how many. */
  purge(): Promise<number>;
} {
  return {
    begin: (claim) => begin(db, claim),
    async finish(claim, answer) {
      const response = answer.body === undefined ? null : JSON.stringify({ body: answer.body });
      await db
        .updateTable('idempotency_keys')
        .set({ status: answer.status, response })
        .where(which(claim))
        .execute();
    },
    async abandon(claim) {
      await db.deleteFrom('idempotency_keys').where(which(claim)).where('status', 'is', null).execute();
    },
    async purge() {
      const { numDeletedRows } = await db
        .deleteFrom('idempotency_keys')
        .where('created_at', '<', ago(RETENTION))
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

async function begin(db: Database, claim: IdempotencyClaim): Promise<IdempotencyState> {
  const taken = await db
    .insertInto('idempotency_keys')
    .values({
      caller: claim.caller,
      key: claim.key,
      request_hash: claim.requestHash,
      status: null,
      response: null,
      created_at: ago(0),
    })
    // an expired entry is taken over by one node only
    .onConflict((conflict) =>
      conflict
        .columns(['caller', 'key'])
        .doUpdateSet({ request_hash: claim.requestHash, status: null, response: null, created_at: ago(0) })
        .where((eb) =>
          eb.or([
            eb('idempotency_keys.created_at', '<', ago(RETENTION)),
            eb.and([
              eb('idempotency_keys.status', 'is', null),
              eb.or([
                eb('idempotency_keys.created_at', '<', ago(LOST_AFTER)),
                // created before the clock was set back
                eb('idempotency_keys.created_at', '>', ago(-LOST_AFTER)),
              ]),
              eb('idempotency_keys.request_hash', '=', claim.requestHash),
            ]),
          ]),
        ),
    )
    .returning('caller')
    .executeTakeFirst();
  if (taken !== undefined) return { kind: 'new' };
  const present = await db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('caller', '=', claim.caller)
    .where('key', '=', claim.key)
    .executeTakeFirst();
  // it was released between the two statements
  if (present === undefined) return { kind: 'in_progress' };
  if (!present.request_hash.equals(claim.requestHash)) return { kind: 'mismatch' };
  if (present.status === null) return { kind: 'in_progress' };
  const body = present.response === null ? undefined : (present.response as { body?: unknown }).body;
  return { kind: 'replay', answer: { status: present.status, body } };
}
