import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { type ApiKey, type ApiKeyList, MAX_API_KEYS, type PageQuery } from '@touchstone/contract';
import { type Selectable, sql } from 'kysely';
import { type DatabaseTransaction, inTransaction } from '../../../platform/database/database.ts';
import { lockFor } from '../../../platform/database/locks.ts';
import type { ApiKeysTable } from '../../../platform/database/tables.ts';
import type { Authenticated, TrustedRows } from '../../../platform/database/trusted-rows.ts';
import { ServiceError } from '../../../platform/errors.ts';
import { type Identity, inScope, type Scope } from '../../../platform/http/access.ts';
import type { DatabaseSecrets } from '../../../platform/secrets/database-secrets.ts';
import { pageOf, type Registry } from '../context.ts';

/** Label of the operator key from the settings, so that a changed setting replaces it. */
const FROM_SETTINGS = 'from the settings';

const TOO_MANY = `A merchant has at most ${MAX_API_KEYS} valid API keys: revoke one that is no longer used.`;

/** `tsk_` and 256 random bits, base64url. */
export function makeKey(): string {
  return `tsk_${randomBytes(32).toString('base64url')}`;
}

/** Under the master key, since an operator may have chosen a key that can be guessed. */
const hashOf = ({ hash }: DatabaseSecrets, key: string): Buffer =>
  hash('API keys', createHash('sha256').update(key, 'utf8').digest());

/** Creates a key of a merchant; only its hash is stored. Throws `merchant_unknown`; `conflict` above the maximum. */
export async function createApiKey(
  registry: Registry,
  scope: Scope,
  merchantId: string,
  label = '',
): Promise<ApiKey> {
  const id = await knownMerchant(registry, scope, merchantId);
  const key = makeKey();
  const { secrets } = registry;
  const owned = { id: randomUUID(), merchant_id: id, role: 'merchant', revoked_at: null } as const;
  const granted = { ...owned, key_hash: hashOf(secrets, key) };
  const row = await inTransaction(registry.db, async (trx) => {
    // locked before the keys are counted, so that those made at the same time are among them
    await sql`select from merchants where id = ${id} for no key update`.execute(trx);
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from api_keys where merchant_id = ${id} and revoked_at is null`.execute(
      trx,
    );
    if ((rows[0]?.count ?? 0) >= MAX_API_KEYS) throw new ServiceError('conflict', { message: TOO_MANY });
    return trx
      .insertInto('api_keys')
      .values({ ...granted, label, mac: secrets.rows.macOf('api_keys', granted) })
      .returning(['id', 'label', 'created_at'])
      .executeTakeFirstOrThrow();
  });
  return { id: row.id, label: row.label, key, createdAt: row.created_at.toISOString() };
}

/** The valid keys of a merchant, ordered by id; shows also a key whose reply was lost. */
export async function listApiKeys(
  registry: Registry,
  scope: Scope,
  merchantId: string,
  query: PageQuery,
): Promise<ApiKeyList> {
  const id = await knownMerchant(registry, scope, merchantId);
  const rows = await registry.db
    .selectFrom('api_keys')
    .select(['id', 'label', 'created_at'])
    .select(sql<string | null>`last_used_on::text`.as('lastUsedOn'))
    .where('merchant_id', '=', id)
    .where('revoked_at', 'is', null)
    .$if(query.cursor !== undefined, (select) => select.where('id', '>', query.cursor ?? ''))
    .orderBy('id')
    .limit(query.limit + 1)
    .execute();
  const { page, next } = pageOf(rows, query.limit, (row) => row.id);
  const keys = page.map((row) => ({
    id: row.id,
    label: row.label,
    createdAt: row.created_at.toISOString(),
    ...(row.lastUsedOn === null ? {} : { lastUsedOn: row.lastUsedOn }),
  }));
  return { keys, ...next };
}

async function knownMerchant(registry: Registry, scope: Scope, merchantId: string): Promise<string> {
  const merchant = inScope(scope, merchantId.toLowerCase())
    ? await registry.db.selectFrom('merchants').select('id').where('id', '=', merchantId).executeTakeFirst()
    : undefined;
  if (merchant === undefined) throw new ServiceError('merchant_unknown');
  return merchant.id;
}

/** Revokes a key as of the next request. Idempotent. */
export async function revokeApiKey(
  registry: Registry,
  scope: Scope,
  merchantId: string,
  keyId: string,
): Promise<void> {
  if (!inScope(scope, merchantId.toLowerCase())) throw new ServiceError('merchant_unknown');
  await inTransaction(registry.db, async (trx) => {
    const row = await trx
      .selectFrom('api_keys')
      .selectAll()
      .where('id', '=', keyId)
      .where('merchant_id', '=', merchantId)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) throw new ServiceError('api_key_unknown');
    if (row.revoked_at === null) await setRevoked(trx, registry, row, registry.clock());
  });
}

/** Sets or clears the revocation of a locked row. One that the service did not write stays refused. */
async function setRevoked(
  trx: DatabaseTransaction,
  { secrets: { rows }, emit }: Pick<Registry, 'secrets' | 'emit'>,
  row: Authenticated<'api_keys'>,
  revokedAt: Date | null,
): Promise<void> {
  const changed = { ...row, revoked_at: revokedAt };
  const mac = rows.accepts('api_keys', row) ? rows.macOf('api_keys', changed) : row.mac;
  await trx.updateTable('api_keys').set({ revoked_at: revokedAt, mac }).where('id', '=', row.id).execute();
  if (revokedAt !== null) await emit(trx, 'apiKeyRevoked', { keyId: row.id });
}

/** Identifies the owner of a key; `null`: it is unknown or revoked. */
export async function authenticate(
  { db, clock, secrets }: Pick<Registry, 'db' | 'clock' | 'secrets'>,
  key: string,
): Promise<Identity | null> {
  // an operator key may have any form (TOUCHSTONE_OPERATOR_KEY), but not a kilobyte
  if (key === '' || key.length > 1024) return null;
  const today = dayOf(clock());
  const row = await db
    .selectFrom('api_keys')
    .select(['id', 'role', 'merchant_id', 'key_hash', 'revoked_at', 'mac'])
    .select(sql<boolean>`last_used_on is distinct from ${today}::date`.as('isFirstToday'))
    .where('key_hash', '=', hashOf(secrets, key))
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined || !secrets.rows.accepts('api_keys', row)) return null;
  if (row.isFirstToday)
    await db.updateTable('api_keys').set({ last_used_on: today }).where('id', '=', row.id).execute();
  return identityOf(row);
}

/** The owner of a key, from its row. */
export function identityOf(
  row: Pick<Selectable<ApiKeysTable>, 'id' | 'role' | 'merchant_id'>,
): Identity | null {
  if (row.role === 'operator') return { role: 'operator', keyId: row.id };
  return row.merchant_id === null ? null : { role: 'merchant', keyId: row.id, merchantId: row.merchant_id };
}

const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);

/**
 * Makes `key` the operator's key of the settings; an earlier one of the settings is revoked. Safe to call at
 * every start, on every node.
 */
export async function registerOperatorKey(
  kept: Pick<Registry, 'db' | 'secrets' | 'emit'>,
  key: string,
  now: Date,
): Promise<void> {
  const { db, secrets } = kept;
  const keyHash = hashOf(secrets, key);
  const { rows } = secrets;
  await inTransaction(db, async (trx) => {
    // one node after the other, and before anyone revokes one
    await lockFor(trx, 'operator keys');
    const present = await trx
      .selectFrom('api_keys')
      .selectAll()
      .where((eb) =>
        eb.or([
          eb('key_hash', '=', keyHash),
          eb.and([eb('label', '=', FROM_SETTINGS), eb('role', '=', 'operator')]),
        ]),
      )
      .forUpdate()
      .execute();
    const own = present.find((row) => row.key_hash.equals(keyHash));
    // a row that somebody else has changed is written again: the key itself is known here
    if (own === undefined || !rows.accepts('api_keys', own)) await writeOperatorKey(trx, rows, keyHash, own);
    else if (own.role === 'operator' && own.revoked_at !== null) await setRevoked(trx, kept, own, null);
    for (const row of present) {
      if (row !== own && row.revoked_at === null) await setRevoked(trx, kept, row, now);
    }
  });
}

async function writeOperatorKey(
  trx: DatabaseTransaction,
  rows: TrustedRows,
  keyHash: Buffer,
  present: { readonly id: string } | undefined,
): Promise<void> {
  const id = present?.id ?? randomUUID();
  const granted = { id, merchant_id: null, role: 'operator', key_hash: keyHash, revoked_at: null } as const;
  const values = { ...granted, label: FROM_SETTINGS, mac: rows.macOf('api_keys', granted) };
  await trx
    .insertInto('api_keys')
    .values(values)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute();
}
