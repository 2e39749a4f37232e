import { randomBytes } from 'node:crypto';
import { normalizeHost } from '@touchstone/certificate/binding';
import type { DomainView } from '@touchstone/contract';
import { sql } from 'kysely';
import { type DatabaseTransaction, inTransaction } from '../../platform/database/database.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/access.ts';
import { productChanges, type Registry } from '../context.ts';
import { changeProducts } from '../products/bites.ts';
import { lockMerchants, settleSlots } from '../slots.ts';
import { findStore, lockStore } from '../stores/find-store.ts';
import { lockHostnames } from './hostname-lock.ts';
import { listDomains } from './list-domains.ts';

const MAX_DOMAINS = 100;

/**
 * Makes a hostname a domain of the store, unproven until its challenge is found. Adding it again changes
 * nothing; one that was lost comes back when nobody else owns it any more. Throws `hostname_taken`.
 */
export async function addDomain(
  registry: Registry,
  scope: Scope,
  storeId: string,
  input: { hostname: string },
): Promise<DomainView> {
  const hostname = hostnameOrThrow(input.hostname);
  const { merchantId } = await findStore(registry.db, scope, storeId);
  const { domain, changed } = await inTransaction(registry.db, async (trx) => {
    await lockHostnames(trx, [hostname]);
    const store = await lockStore(trx, merchantId, storeId);
    const ids = await claimDomain(trx, store, hostname);
    const domains = await listDomains(trx, store);
    return { domain: domains.find((candidate) => candidate.hostname === hostname), changed: ids };
  });
  registry.onChange([`s:${storeId.toLowerCase()}`, ...productChanges(changed)]);
  if (domain === undefined) throw new Error('A domain that was just added is not there.');
  return domain;
}

export function hostnameOrThrow(text: string): string {
  const hostname = normalizeHost(text);
  if (hostname === null) throw new ServiceError('domain_unknown_to_store');
  return hostname;
}

/**
 * Writes the row, under the locks of the hostname and of the merchant. Products on the host that had lost it
 * have it again; answers the ids of those, and of products whose slot came or went.
 */
export async function claimDomain(
  trx: DatabaseTransaction,
  store: { readonly id: string; readonly merchantId: string },
  hostname: string,
): Promise<string[]> {
  const owner = await trx
    .selectFrom('hostname_owners')
    .select('merchant_id')
    .where('hostname', '=', hostname)
    .executeTakeFirst();
  if (owner !== undefined && owner.merchant_id !== store.merchantId) throw new ServiceError('hostname_taken');
  await assertRoom(trx, store.id, hostname);
  await trx
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
    .execute();
  return regainHost(trx, store, hostname);
}

async function assertRoom(trx: DatabaseTransaction, storeId: string, hostname: string): Promise<void> {
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

/** One challenge per merchant and hostname, so that all stores of a merchant are proven by the same. */
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

async function regainHost(
  trx: DatabaseTransaction,
  store: { readonly id: string; readonly merchantId: string },
  hostname: string,
): Promise<string[]> {
  const regained = await changeProducts(
    trx,
    sql`host_known = true`,
    sql`store_id = ${store.id} and host = ${hostname} and not host_known`,
  );
  if (regained.length === 0) return [];
  const [merchant] = await lockMerchants(trx, [store.merchantId]);
  const moved = merchant === undefined ? [] : await settleSlots(trx, merchant, sql<boolean>`false`);
  return [...regained, ...moved];
}
