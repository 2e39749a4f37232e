import type { RsaPublicJwk } from '@touchstone/certificate';
import type { Selectable } from 'kysely';
import { announce } from '../../platform/cache/announce.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, type DatabaseTransaction, inTransaction } from '../../platform/database/database.ts';
import { lockFor } from '../../platform/database/locks.ts';
import type { SigningKeysTable } from '../../platform/database/tables.ts';
import type { TrustedRows } from '../../platform/database/trusted-rows.ts';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import {
  activeKey,
  type KeyPolicy,
  type KeyPurpose,
  type KeyStep,
  planKeys,
  promotion,
  ripeAt,
  type ScheduledKey,
  type SigningKey,
  standbyKeys,
} from './key-schedule.ts';
import { requireMasterKeyOpens } from './master-key.ts';

/** Purposes of RSA keys. */
export type RsaPurpose = Extract<KeyPurpose, 'proofs' | 'status_lists'>;

/** A new key pair. */
export interface NewKey<Jwk> {
  readonly publicJwk: Jwk;
  /** PKCS#8, DER; not yet sealed. */
  readonly pkcs8: Buffer;
}

/**
 * All keys that the service ever had for a purpose, oldest first: there are few. Public keys are never deleted. A row that the
 * service did not write is no key.
 */
export async function readKeys<Jwk>(
  db: Database | DatabaseTransaction,
  rows: TrustedRows,
  purpose: KeyPurpose,
): Promise<ScheduledKey<Jwk>[]> {
  const found = await db
    .selectFrom('signing_keys')
    .selectAll()
    .where('purpose', '=', purpose)
    .orderBy('created_at')
    .orderBy('kid')
    .execute();
  return found.filter((row) => rows.accepts('signing_keys', row)).map((row) => keyOfRow<Jwk>(row));
}

/** The keys that sign proofs, or status lists. */
export const readSigningKeys = (
  db: Database | DatabaseTransaction,
  rows: TrustedRows,
  purpose: RsaPurpose = 'proofs',
): Promise<SigningKey[]> => readKeys<RsaPublicJwk>(db, rows, purpose);

function keyOfRow<Jwk>(row: Selectable<SigningKeysTable>): ScheduledKey<Jwk> {
  return {
    kid: row.kid,
    // the row has the purpose for which the key was generated
    publicJwk: row.public_jwk as Jwk,
    publishedAt: row.published_at,
    ...(row.private_key === null ? {} : { sealedPrivateKey: row.private_key }),
    ...(row.active_from === null ? {} : { activeFrom: row.active_from }),
    ...(row.retired_at === null ? {} : { retiredAt: row.retired_at }),
    ...(row.last_used_at === null ? {} : { lastUsedAt: row.last_used_at }),
    ...(row.revoked_at === null ? {} : { revokedAt: row.revoked_at }),
  };
}

/** Serialises changes of keys between nodes, until the end of the transaction. */
async function lockSigningKeys(trx: DatabaseTransaction): Promise<void> {
  await lockFor(trx, 'signing keys');
}

/** Dependencies for storing the keys of one purpose. */
export interface KeyStoreContext<Jwk extends { readonly kid: string } = { readonly kid: string }> {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Pick<DatabaseSecrets, 'seal' | 'rows'>;
  readonly policy: KeyPolicy;
  readonly purpose: KeyPurpose;
  readonly newKey: () => Promise<NewKey<Jwk>>;
  /** Called in the transaction that revokes a key. */
  readonly onRevoked?: (trx: DatabaseTransaction, revoked: RevokedKey) => Promise<void>;
}

/** A revocation: by whom, and why. */
export interface Revocation {
  /** As the operator states it. */
  readonly reason?: string | undefined;
  /** API key of the operator. */
  readonly keyId?: string | undefined;
}

export interface RevokedKey extends Revocation {
  readonly kid: string;
  readonly now: Date;
}

const readKeysFor = ({ db, secrets, purpose }: KeyStoreContext, trx?: DatabaseTransaction) =>
  readKeys(trx ?? db, secrets.rows, purpose);

/**
 * Executes the steps of `planKeys`: at start, hourly, and after a revocation. Concurrent calls of several nodes are
 * serialized, each planning from the state that the previous one left.
 *
 * @returns the steps taken, for the log
 */
export async function rotateKeys(keeping: KeyStoreContext): Promise<KeyStep[]> {
  const planned = planKeys(await readKeysFor(keeping), keeping.clock(), keeping.policy);
  if (planned.length === 0) return [];
  // generating a key pair takes some 100 ms: done before the lock, and discarded if another node was faster
  const pairs = await Promise.all(planned.filter(needsPair).map(() => keeping.newKey()));
  return inTransaction(keeping.db, async (trx) => {
    await lockSigningKeys(trx);
    const now = keeping.clock();
    const steps = planKeys(await readKeysFor(keeping, trx), now, keeping.policy);
    const unused = [...pairs];
    for (const step of steps) {
      if (needsPair(step))
        await createKey(trx, keeping, step.as, unused.pop() ?? (await keeping.newKey()), now);
      else await applyStep(trx, keeping, step, now);
    }
    return steps;
  });
}

/**
 * The same at a start.
 *
 * @throws MasterKeyError if there are keys, but of another master key; even if another node generated them meanwhile
 */
export async function rotateAtStart(keeping: KeyStoreContext): Promise<void> {
  const check = () => requireMasterKeyOpens(keeping.db, keeping.secrets.seal);
  await check();
  await rotateKeys(keeping).catch(async (error: unknown) => {
    await check();
    throw error;
  });
}

/**
 * Revokes a key at once: it is no longer published or trusted, and its private key is deleted. The next standby replaces it in the
 * same transaction, so that there is no moment without a key that may sign. `rotateKeys` then creates new standbys.
 *
 * @returns false if there is no such key of this purpose, or it was revoked before
 */
export async function revokeKey(
  keeping: KeyStoreContext,
  kid: string,
  by: Revocation = {},
): Promise<boolean> {
  return inTransaction(keeping.db, async (trx) => {
    await lockSigningKeys(trx);
    const key = await trx
      .selectFrom('signing_keys')
      .select('kid')
      .where('kid', '=', kid)
      .where('purpose', '=', keeping.purpose)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    if (key === undefined) return false;
    const now = keeping.clock();
    await changeKey(trx, keeping, kid, { revoked_at: now, private_key: null });
    await keeping.onRevoked?.(trx, { ...by, kid, now });
    for (const step of planKeys(await readKeysFor(keeping, trx), now, keeping.policy))
      if (!needsPair(step)) await applyStep(trx, keeping, step, now);
    return true;
  });
}

/**
 * Replaces the active key by the next standby before its term ends; `rotateKeys` then creates another standby. One that has not
 * been published for a day is left alone: without a revocation there is no reason to sign with a key that cached JWKS lack.
 *
 * @returns from when it can be replaced; undefined: it was
 */
export async function replaceActiveKey(keeping: KeyStoreContext): Promise<Date | undefined> {
  return inTransaction(keeping.db, async (trx) => {
    await lockSigningKeys(trx);
    const now = keeping.clock();
    const keys = await readKeysFor(keeping, trx);
    const [next] = standbyKeys(keys);
    if (next === undefined) return now;
    if (ripeAt(next) > now) return ripeAt(next);
    await applyStep(trx, keeping, promotion(next, activeKey(keys)), now);
    return undefined;
  });
}

function needsPair(step: KeyStep): step is Extract<KeyStep, { step: 'create' }> {
  return step.step === 'create';
}

async function createKey(
  trx: DatabaseTransaction,
  keeping: KeyStoreContext,
  as: 'active' | 'standby',
  pair: NewKey<{ readonly kid: string }>,
  now: Date,
): Promise<void> {
  const { kid } = pair.publicJwk;
  const row = {
    kid,
    purpose: keeping.purpose,
    public_jwk: pair.publicJwk,
    private_key: keeping.secrets.seal.seal(kid, pair.pkcs8),
    created_at: now,
    published_at: now,
    active_from: as === 'active' ? now : null,
    retired_at: null,
    revoked_at: null,
  };
  const mac = keeping.secrets.rows.macOf('signing_keys', row);
  await trx
    .insertInto('signing_keys')
    .values({ ...row, public_jwk: JSON.stringify(row.public_jwk), mac })
    .execute();
  await announce(trx, [`k:${kid}`]);
}

async function applyStep(
  trx: DatabaseTransaction,
  keeping: KeyStoreContext,
  step: Exclude<KeyStep, { step: 'create' }>,
  now: Date,
): Promise<void> {
  if (step.step === 'forget_private') return changeKey(trx, keeping, step.kid, { private_key: null });
  // retired first: the index allows one active key
  if (step.retire !== undefined) await changeKey(trx, keeping, step.retire, { retired_at: now });
  await changeKey(trx, keeping, step.kid, { active_from: now });
}

/**
 * Changes columns of a key, under the lock of all keys. A row that the service did not write gets no valid MAC: revoking it must
 * not make it one of the service's own.
 */
async function changeKey(
  trx: DatabaseTransaction,
  { secrets: { rows } }: KeyStoreContext,
  kid: string,
  changes: Partial<
    Pick<Selectable<SigningKeysTable>, 'private_key' | 'active_from' | 'retired_at' | 'revoked_at'>
  >,
): Promise<void> {
  const row = await trx
    .selectFrom('signing_keys')
    .selectAll()
    .where('kid', '=', kid)
    .executeTakeFirstOrThrow();
  const mac = rows.accepts('signing_keys', row)
    ? rows.macOf('signing_keys', { ...row, ...changes })
    : row.mac;
  await trx
    .updateTable('signing_keys')
    .set({ ...changes, mac })
    .where('kid', '=', kid)
    .execute();
  await announce(trx, [`k:${kid}`]);
}
