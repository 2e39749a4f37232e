import { hostOf, normalizeHost } from '@touchstone/certificate/binding';
import type { DomainCheckList, DomainCheckQuery, DomainView } from '@touchstone/contract';
import { announce } from '../../../platform/cache/announce.ts';
import { inTransaction } from '../../../platform/database/database.ts';
import { ServiceError } from '../../../platform/errors.ts';
import type { Scope } from '../../../platform/http/access.ts';
import { changeProducts } from '../changes/make-change.ts';
import { pageOf, type Registry } from '../context.ts';
import { findStore, lockStore } from '../find-store.ts';
import { claimHostname, freeHostnames, listDomains, lockHostnames } from './hostname-claims.ts';

/**
 * Adds a hostname as a domain of the store, unproven until its challenge is found; lost from the start while another merchant
 * owns it. Adding it again changes nothing; a lost domain is regained if nobody owns it.
 */
export async function addDomain(
  registry: Registry,
  scope: Scope,
  storeId: string,
  input: { hostname: string },
): Promise<DomainView> {
  const hostname = hostnameOrThrow(input.hostname);
  const { merchantId, domain } = await inTransaction(registry.db, async (trx) => {
    await lockHostnames(trx, [hostname]);
    const store = await lockStore(trx, scope, storeId);
    await claimHostname(registry, trx, store, hostname);
    const domains = await listDomains(trx, registry.secrets, store);
    return { ...store, domain: domains.find((one) => one.hostname === hostname) };
  });
  // of the merchant, too: products that regain their host may get seats of its plan
  registry.onChange([`s:${storeId.toLowerCase()}`, `m:${merchantId}`]);
  if (domain === undefined) throw new Error('A domain that was just added is not there.');
  return domain;
}

/**
 * Removes a hostname from a store: one added by mistake, sold, or expired. Products on it are no longer active. If no
 * other store of the merchant has it, its ownership ends, and the next merchant to prove it owns it.
 *
 * Throws `store_unknown`, `domain_unknown_to_store`; `conflict` for the host of the store's own address.
 *
 * @returns id of the pending change of its products; `null`: none is pending
 */
export async function removeDomain(
  registry: Registry,
  scope: Scope,
  storeId: string,
  hostnameText: string,
): Promise<string | null> {
  const hostname = hostnameOrThrow(hostnameText);
  const { merchantId, change } = await inTransaction(registry.db, async (trx) => {
    await lockHostnames(trx, [hostname]);
    const store = await lockStore(trx, scope, storeId);
    if (hostOf(store.url) === hostname) {
      throw new ServiceError('conflict', {
        message: `${hostname} is the host of the store's own address; change the url of the store first.`,
      });
    }
    const { numDeletedRows } = await trx
      .deleteFrom('domains')
      .where('merchant_id', '=', store.merchantId)
      .where('store_id', '=', store.id)
      .where('hostname', '=', hostname)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new ServiceError('domain_unknown_to_store');
    await announce(trx, [`s:${store.id}`]);
    await freeHostnames(registry, trx, store.merchantId, [hostname]);
    const domain = { kind: 'domain', storeId: store.id, hostname } as const;
    return { ...store, change: await changeProducts(registry, trx, store.merchant, domain) };
  });
  // of the merchant, too: a released seat goes to another of its products
  registry.onChange([`s:${storeId.toLowerCase()}`, `m:${merchantId}`]);
  return change;
}

export function hostnameOrThrow(text: string): string {
  const hostname = normalizeHost(text);
  if (hostname === null) throw new ServiceError('domain_unknown_to_store');
  return hostname;
}

/** The checks of control of a domain of the store, made for its merchant, the newest first. Throws as `removeDomain`. */
export async function listChecks(
  { db }: Pick<Registry, 'db'>,
  scope: Scope,
  storeId: string,
  hostnameText: string,
  { cursor, limit }: DomainCheckQuery,
): Promise<DomainCheckList> {
  const hostname = hostnameOrThrow(hostnameText);
  const { id, merchantId } = await findStore(db, scope, storeId);
  const domain = db
    .selectFrom('domains')
    .select('hostname')
    .where('merchant_id', '=', merchantId)
    .where('store_id', '=', id)
    .where('hostname', '=', hostname);
  if ((await domain.executeTakeFirst()) === undefined) throw new ServiceError('domain_unknown_to_store');
  const rows = await db
    .selectFrom('control_checks')
    .select(['id', 'checked_at', 'reason', 'outcome', 'method', 'saw'])
    .where('merchant_id', '=', merchantId)
    .where('hostname', '=', hostname)
    .$if(cursor !== undefined, (select) => select.where('id', '<', cursor ?? ''))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const { page, next } = pageOf(rows, limit, (row) => row.id);
  const checks = page.map(({ checked_at, reason, outcome, method, saw }) => ({
    checkedAt: checked_at.toISOString(),
    reason,
    outcome,
    ...(method === null ? {} : { method }),
    ...(saw === null ? {} : { saw }),
  }));
  return { checks, ...next };
}
