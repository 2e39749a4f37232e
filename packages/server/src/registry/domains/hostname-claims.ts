import { randomBytes } from 'node:crypto';
import type { DomainView } from '@touchstone/contract';
import { type Kysely, sql } from 'kysely';
import type { DatabaseTransaction } from '../../platform/database/database.ts';
import { ownerOf, ownerRow, readOwner } from '../../platform/database/hostname-owners.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { TrustedRows } from '../../platform/database/trusted-rows.ts';
import { ServiceError } from '../../platform/errors.ts';
import { changeProducts } from '../changes/make-change.ts';
import type { Registry } from '../context.ts';
import type { LockedMerchant } from '../plan-seats.ts';

const MAX_DOMAINS = 100;
/** First half of the advisory lock's key; the second is the hash of the hostname. */
const HOSTNAME_LOCKS = 708_462;

/**
 * Serialises the decisions on the ownership and claims of a hostname. Taken before any merchant's
 * row lock, in the order of the names, which prevents deadlocks.
 */
export async function lockHostnames(trx: DatabaseTransaction, hostnames: Iterable<string>): Promise<void> {
  for (const hostname of [...new Set(hostnames)].toSorted()) {
    await sql`select pg_advisory_xact_lock(${HOSTNAME_LOCKS}, hashtext(${hostname}))`.execute(trx);
  }
}

/** All domains of a store, in the order of addition; lost ones with the time of their loss. */
export async function listDomains(
  db: Kysely<Tables>,
  rows: TrustedRows,
  store: { readonly id: string; readonly merchantId: string },
): Promise<DomainView[]> {
  const found = await db
    .selectFrom('domains')
    .leftJoin('hostname_owners', (join) =>
      join
        .onRef('hostname_owners.hostname', '=', 'domains.hostname')
        .on('hostname_owners.merchant_id', '=', store.merchantId),
    )
    .select(['domains.hostname', 'challenge', 'lost_at', ownerRow('hostname_owners').as('owner')])
    .where('store_id', '=', store.id)
    .orderBy('created_at')
    .orderBy('domains.hostname')
    .execute();
  return found.map((row) => ({
    hostname: row.hostname,
    verified: row.lost_at === null && ownerOf(rows, row.owner) !== null,
    challenge: row.challenge,
    ...(row.lost_at === null ? {} : { lostAt: row.lost_at.toISOString() }),
  }));
}

/**
 * Writes the row, under the locks of the hostname and of the merchant. Products on the host that had lost it
 * regain it; returns the id of their pending change, `null` if none is pending.
 */
export async function claimHostname(
  registry: Registry,
  trx: DatabaseTransaction,
  store: { readonly id: string; readonly merchantId: string; readonly merchant: LockedMerchant },
  hostname: string,
): Promise<string | null> {
  const owner = await readOwner(trx, registry.secrets.rows, hostname);
  if (owner !== null && owner.merchant_id !== store.merchantId) throw new ServiceError('hostname_taken');
  await assertFits(trx, store.id, hostname);
  const written = await trx
    .insertInto('domains')
    .values({
      store_id: store.id,
      hostname,
      challenge: await challengeFor(trx, store.merchantId, hostname),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['store_id', 'hostname'])
        .doUpdateSet({ lost_at: null })
        .where('domains.lost_at', 'is not', null),
    )
    .executeTakeFirst();
  if (written.numInsertedOrUpdatedRows === 0n) return null;
  return changeProducts(registry, trx, store.merchant, { kind: 'domain', storeId: store.id, hostname });
}

async function assertFits(trx: DatabaseTransaction, storeId: string, hostname: string): Promise<void> {
  const { others } = await trx
    .selectFrom('domains')
    .select((eb) => eb.fn.countAll<string>().as('others'))
    .where('store_id', '=', storeId)
    .where('hostname', '!=', hostname)
    .executeTakeFirstOrThrow();
  if (Number(others) >= MAX_DOMAINS) {
    throw new ServiceError('conflict', { message: `A store has at most ${MAX_DOMAINS} domains.` });
  }
}

/** One challenge per merchant and hostname, so that one proof counts for all stores of a merchant. */
async function challengeFor(trx: DatabaseTransaction, merchantId: string, hostname: string): Promise<string> {
  const present = await trx
    .selectFrom('domains')
    .innerJoin('stores', 'stores.id', 'domains.store_id')
    .select('challenge')
    .where('stores.merchant_id', '=', merchantId)
    .where('hostname', '=', hostname)
    .limit(1)
    .executeTakeFirst();
  return present?.challenge ?? `touchstone-challenge-${randomBytes(24).toString('base64url')}`;
}

/** Ends the ownership of hostnames that no store of the merchant has any more: another merchant may prove them. */
export async function freeHostnames(
  trx: DatabaseTransaction,
  merchantId: string,
  hostnames: readonly string[],
): Promise<void> {
  if (hostnames.length === 0) return;
  await trx
    .deleteFrom('hostname_owners')
    .where('merchant_id', '=', merchantId)
    .where('hostname', 'in', hostnames)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('domains')
            .innerJoin('stores', 'stores.id', 'domains.store_id')
            .select('domains.hostname')
            .whereRef('domains.hostname', '=', 'hostname_owners.hostname')
            .where('stores.merchant_id', '=', merchantId),
        ),
      ),
    )
    .execute();
}
