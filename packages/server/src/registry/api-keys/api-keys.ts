import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { ApiKey, ApiKeyList, PageQuery } from '@touchstone/contract';
import { type Selectable, sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import type { ApiKeysTable } from '../../platform/database/tables.ts';
import { ServiceError } from '../../platform/errors.ts';
import { type Identity, inScope, type Scope } from '../../platform/http/access.ts';
import { pageOf, type Registry } from '../context.ts';

/** Label of the operator key from the settings, so that a changed setting replaces it. */
const FROM_SETTINGS = 'from the settings';

/** `tsk_` and 256 random bits, base64url. */
export function makeKey(): string {
  return `tsk_${randomBytes(32).toString('base64url')}`;
}

/** Plain SHA-256 is enough, since keys are random. */
export const hashOf = (key: string): Buffer => createHash('sha256').update(key, 'utf8').digest();

/** Creates a key of a merchant; only its hash is stored. */
export async function createApiKey(
  registry: Registry,
  scope: Scope,
  merchantId: string,
  label = '',
): Promise<ApiKey> {
  const id = await knownMerchant(registry, scope, merchantId);
  const key = makeKey();
  const row = await registry.db
    .insertInto('api_keys')
    .values({ id: randomUUID(), merchant_id: id, role: 'merchant', label, key_hash: hashOf(key) })
    .returning(['id', 'label', 'created_at'])
    .executeTakeFirstOrThrow();
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
  const { numUpdatedRows } = await registry.db
    .updateTable('api_keys')
    .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', eb.val(registry.clock())) }))
    .where('id', '=', keyId)
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new ServiceError('api_key_unknown');
}

/** Identifies the owner of a key; `null`: it is unknown or revoked. */
export async function authenticate(
  { db, clock }: Pick<Registry, 'db' | 'clock'>,
  key: string,
): Promise<Identity | null> {
  // an operator key may have any form (TOUCHSTONE_OPERATOR_KEY), but not a kilobyte
  if (key === '' || key.length > 1024) return null;
  const today = dayOf(clock());
  const row = await db
    .selectFrom('api_keys')
    .select(['id', 'role', 'merchant_id'])
    .select(sql<boolean>`last_used_on is distinct from ${today}::date`.as('isFirstToday'))
    .where('key_hash', '=', hashOf(key))
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return null;
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
export async function registerOperatorKey(db: Database, key: string, now: Date): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('api_keys')
      .values({
        id: randomUUID(),
        merchant_id: null,
        role: 'operator',
        label: FROM_SETTINGS,
        key_hash: hashOf(key),
      })
      .onConflict((conflict) =>
        conflict.column('key_hash').doUpdateSet({ revoked_at: null }).where('api_keys.role', '=', 'operator'),
      )
      .execute();
    await trx
      .updateTable('api_keys')
      .set({ revoked_at: now })
      .where('role', '=', 'operator')
      .where('label', '=', FROM_SETTINGS)
      .where('key_hash', '!=', hashOf(key))
      .where('revoked_at', 'is', null)
      .execute();
  });
}
