import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { DatabaseSecrets } from '../secrets/database-secrets.ts';
import type { IdempotencyClaim, IdempotencyState, IdempotencyStore } from './idempotency.ts';

/** Seconds for which an answer is kept for replays. */
const RETENTION = 24 * 3_600;
/** Seconds after which an unfinished request counts as lost together with its node. */
const LOST_AFTER = 120;

const ago = (seconds: number) => sql<Date>`now() - make_interval(secs => ${seconds})`;

/** A claim as stored: a caller may be an address, and bodies and answers contain what only the two sides may know. */
interface StoredClaim {
  readonly name: Buffer;
  readonly requestHash: Buffer;
}

function storedForm({ hash }: DatabaseSecrets, { caller, key, requestHash }: IdempotencyClaim): StoredClaim {
  return {
    name: hash('idempotency keys', JSON.stringify([caller, key])),
    requestHash: hash('idempotent requests', requestHash),
  };
}

const sealedAs = (name: Buffer) => `answer ${name.toString('hex')}`;

/**
 * Stores the answers to POSTs with an Idempotency-Key in the database, for all nodes. Times are the database's: a node whose
 * clock is minutes ahead would otherwise consider another node's running request lost, and repeat it.
 */
export function createIdempotencyStore(
  db: Database,
  secrets: DatabaseSecrets,
): IdempotencyStore & {
  /** Deletes answers that are too old to be replayed; returns how many. */
  purge(): Promise<number>;
} {
  return {
    begin: (claim) => begin(db, secrets, storedForm(secrets, claim)),
    async finish(claim, answer) {
      const { name } = storedForm(secrets, claim);
      const text = answer.body === undefined ? undefined : JSON.stringify(answer.body);
      const response = text === undefined ? null : secrets.seal.seal(sealedAs(name), Buffer.from(text));
      await db
        .updateTable('idempotency_keys')
        .set({ status: answer.status, response })
        .where('name', '=', name)
        .execute();
    },
    async abandon(claim) {
      const { name } = storedForm(secrets, claim);
      await db.deleteFrom('idempotency_keys').where('name', '=', name).where('status', 'is', null).execute();
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

async function begin(db: Database, { seal }: DatabaseSecrets, claim: StoredClaim): Promise<IdempotencyState> {
  const taken = await db
    .insertInto('idempotency_keys')
    .values({
      name: claim.name,
      request_hash: claim.requestHash,
      status: null,
      response: null,
      created_at: ago(0),
    })
    // an expired entry is taken over by one node only
    .onConflict((conflict) =>
      conflict
        .column('name')
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
    .returning('name')
    .executeTakeFirst();
  if (taken !== undefined) return { kind: 'new' };
  const present = await db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('name', '=', claim.name)
    .executeTakeFirst();
  // it was released between the two statements
  if (present === undefined) return { kind: 'in_progress' };
  if (!present.request_hash.equals(claim.requestHash)) return { kind: 'mismatch' };
  if (present.status === null) return { kind: 'in_progress' };
  const body: unknown =
    present.response === null
      ? undefined
      : JSON.parse(seal.open(sealedAs(claim.name), present.response).toString());
  return { kind: 'replay', answer: { status: present.status, body } };
}
