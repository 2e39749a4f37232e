import type { DomainView, RequestHeaders, RequestHeadersView } from '@touchstone/contract';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Seal } from '../../../platform/crypto/seal.ts';
import { type Database, inTransaction } from '../../../platform/database/database.ts';
import { readOwner } from '../../../platform/database/hostname-owners.ts';
import type { Tables } from '../../../platform/database/tables.ts';
import { ServiceError } from '../../../platform/errors.ts';
import type { Scope } from '../../../platform/http/access.ts';
import type { DatabaseSecrets } from '../../../platform/secrets/database-secrets.ts';
import type { Registry } from '../context.ts';
import { findStore, lockStore } from '../find-store.ts';

/** The name under which the headers are sealed: with them, anyone could pose as the merchant's crawler. */
export type SealedIn = Pick<Seal, 'seal'>;

/**
 * Stores the signature headers that a platform issued for a store; null deletes them.
 *
 * @throws ServiceError `conflict` if they have expired
 */
export async function setRequestHeaders(
  registry: Registry & { readonly seal: SealedIn },
  scope: Scope,
  storeId: string,
  headers: RequestHeaders | null,
): Promise<void> {
  const { id, merchantId } = await findStore(registry.db, scope, storeId);
  const now = registry.clock();
  const expiresAt = headers === null ? null : expiryOf(headers);
  if (expiresAt !== null && expiresAt <= now) {
    throw new ServiceError('conflict', {
      message: `The signature expired at ${expiresAt.toISOString()}: let the platform issue a new one.`,
    });
  }
  await inTransaction(registry.db, async (trx) => {
    await lockStore(trx, { merchantId }, id);
    await trx
      .deleteFrom('store_request_headers')
      .where('merchant_id', '=', merchantId)
      .where('store_id', '=', id)
      .execute();
    if (headers === null) return;
    const values = {
      merchant_id: merchantId,
      store_id: id,
      sealed: registry.seal.seal(nameOf(id, merchantId), Buffer.from(JSON.stringify(headers))),
      expires_at: expiresAt,
      created_at: now,
    };
    await trx.insertInto('store_request_headers').values(values).execute();
  });
}

/** The headers as the merchant sees them; `undefined` if there are none. */
export async function viewRequestHeaders(
  db: Kysely<Tables>,
  secrets: DatabaseSecrets,
  { id, merchantId }: { readonly id: string; readonly merchantId: string },
  domains: readonly DomainView[],
  now: Date,
): Promise<RequestHeadersView | undefined> {
  const row = await db
    .selectFrom('store_request_headers')
    .select(['sealed', 'expires_at'])
    .where('merchant_id', '=', merchantId)
    .where('store_id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const isExpired = row.expires_at !== null && row.expires_at <= now;
  const proven = domains.filter(({ verified }) => verified).map(({ hostname }) => hostname);
  const otherwise = proven.length === 0 ? 'no_proven_domain' : 'sent';
  return {
    signatureAgent: openHeaders(secrets, id, merchantId, row.sealed)['Signature-Agent'],
    ...(row.expires_at === null ? {} : { expiresAt: row.expires_at.toISOString() }),
    state: isExpired ? 'expired' : otherwise,
    sentTo: isExpired ? [] : proven,
  };
}

/**
 * The headers for requests to a host; `undefined` if there are none. Only of a store whose merchant has proven
 * that it controls the host: anyone may claim an unproven one, and make its pages inaccessible by a wrong signature.
 */
export async function requestHeadersOf(
  { db, clock, secrets }: { readonly db: Database; readonly clock: Clock; readonly secrets: DatabaseSecrets },
  hostname: string,
): Promise<RequestHeaders | undefined> {
  const owner = await readOwner(db, secrets.rows, hostname);
  if (owner === null) return undefined;
  const row = await db
    .selectFrom('store_request_headers as kept')
    .innerJoin('stores', (join) =>
      join.onRef('stores.merchant_id', '=', 'kept.merchant_id').onRef('stores.id', '=', 'kept.store_id'),
    )
    .innerJoin('domains', (join) =>
      join
        .onRef('domains.merchant_id', '=', 'kept.merchant_id')
        .onRef('domains.store_id', '=', 'kept.store_id'),
    )
    .select(['kept.store_id as id', 'sealed'])
    .where('kept.merchant_id', '=', owner.merchant_id)
    .where('domains.hostname', '=', hostname)
    .where('domains.lost_at', 'is', null)
    .where('stores.deleted_at', 'is', null)
    .where(sql<boolean>`(kept.expires_at is null or kept.expires_at > ${clock()})`)
    .orderBy('kept.created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : openHeaders(secrets, row.id, owner.merchant_id, row.sealed);
}

function openHeaders(
  { seal }: DatabaseSecrets,
  storeId: string,
  merchantId: string,
  sealed: Buffer,
): RequestHeaders {
  return JSON.parse(seal.open(nameOf(storeId, merchantId), sealed).toString()) as RequestHeaders;
}

/** With the merchant: the headers are sent to the hosts of no other one. */
const nameOf = (storeId: string, merchantId: string) => `request headers of ${storeId} of ${merchantId}`;

/** Seconds since 1970 (RFC 9421, section 2.3); the earliest of several signatures. */
function expiryOf(headers: RequestHeaders): Date | null {
  const stated = [...headers['Signature-Input'].matchAll(/;\s*expires=(\d{1,12})\b/g)].map(([, at]) =>
    Number(at),
  );
  return stated.length === 0 ? null : new Date(Math.min(...stated) * 1000);
}
