import type { Clock } from '../platform/clock.ts';
import { type Database, type DatabaseTransaction, inTransaction } from '../platform/database/database.ts';
import { type KeyPolicy, type KeyStep, planKeys } from './key-schedule.ts';
import { lockSigningKeys, readSigningKeys } from './key-table.ts';
import type { PrivateKeySeal } from './private-key-seal.ts';
import { type NewKey, newRsaKey } from './rsa-key.ts';

export interface KeyKeeping {
  readonly db: Database;
  readonly clock: Clock;
  readonly seal: PrivateKeySeal;
  readonly policy: KeyPolicy;
}

/**
 * Brings the keys into the order of `planKeys`: at start, hourly, and after a revocation. Any number of nodes
 * may do so at once: they take turns, and each plans anew on what the one before left.
 *
 * @returns the steps taken, for the log
 */
export async function tendKeys(keeping: KeyKeeping): Promise<KeyStep[]> {
  const planned = planKeys(await readSigningKeys(keeping.db), keeping.clock(), keeping.policy);
  if (planned.length === 0) return [];
  // a key pair takes some 100 ms: made before the lock, thrown away if another node was faster
  const pairs = await Promise.all(planned.filter(needsPair).map(() => newRsaKey()));
  return inTransaction(keeping.db, async (trx) => {
    await lockSigningKeys(trx);
    const now = keeping.clock();
    const steps = planKeys(await readSigningKeys(trx), now, keeping.policy);
    const unused = [...pairs];
    for (const step of steps) {
      if (needsPair(step)) await createKey(trx, keeping, step.as, unused.pop() ?? (await newRsaKey()), now);
      else await applyStep(trx, step, now);
    }
    return steps;
  });
}

/**
 * Takes a key out of use at once: out of the JWKS, trusted for nothing, its private half gone. The standby takes
 * over if it has been published for a day; if not, no proof is made until it has (decision 22).
 *
 * @returns false when there is no such key, or it was revoked before
 */
export async function revokeKey(keeping: KeyKeeping, kid: string): Promise<boolean> {
  const revoked = await inTransaction(keeping.db, async (trx) => {
    await lockSigningKeys(trx);
    const result = await trx
      .updateTable('signing_keys')
      .set({ revoked_at: keeping.clock(), private_key: null })
      .where('kid', '=', kid)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  });
  await tendKeys(keeping);
  return revoked;
}

function needsPair(step: KeyStep): step is Extract<KeyStep, { step: 'create' }> {
  return step.step === 'create';
}

async function createKey(
  trx: DatabaseTransaction,
  keeping: KeyKeeping,
  as: 'active' | 'standby',
  pair: NewKey,
  now: Date,
): Promise<void> {
  const { kid } = pair.publicJwk;
  await trx
    .insertInto('signing_keys')
    .values({
      kid,
      public_jwk: JSON.stringify(pair.publicJwk),
      private_key: keeping.seal.seal(kid, pair.pkcs8),
      created_at: now,
      published_at: now,
      active_from: as === 'active' ? now : null,
    })
    .execute();
}

async function applyStep(
  trx: DatabaseTransaction,
  step: Exclude<KeyStep, { step: 'create' }>,
  now: Date,
): Promise<void> {
  const keys = trx.updateTable('signing_keys');
  if (step.step === 'forget_private') {
    await keys.set({ private_key: null }).where('kid', '=', step.kid).execute();
    return;
  }
  // retired first: the index allows one active key
  if (step.retire !== undefined) {
    await keys.set({ retired_at: now }).where('kid', '=', step.retire).execute();
  }
  await keys.set({ active_from: now }).where('kid', '=', step.kid).execute();
}
