import { hostOf } from '@touchstone/certificate/binding';
import type { DomainProof } from '@touchstone/contract';
import { type DatabaseTransaction, inTransaction } from '../../platform/database/database.ts';
import { ownerOf, ownerRow, readOwner, writeOwner } from '../../platform/database/hostname-owners.ts';
import type { DomainProofMethod } from '../../platform/database/tables.ts';
import { ServiceError } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/record-event.ts';
import type { Scope } from '../../platform/http/access.ts';
import { changeProducts } from '../changes/make-change.ts';
import type { Registry } from '../context.ts';
import { findStore, type StoreRow } from '../find-store.ts';
import { type LockedMerchant, lockMerchants } from '../plan-seats.ts';
import { hostnameOrThrow } from './domains.ts';
import { type DomainProofPorts, findProof, META_NAME, TXT_PREFIX, WELL_KNOWN_PATH } from './find-proof.ts';
import { lockHostnames } from './hostname-claims.ts';

/**
 * Looks for the challenge of a domain, and makes the merchant its owner if it is found. The first merchant to
 * prove a hostname owns it; stores of others lose it. A proof is permanent.
 *
 * Throws `store_unknown`, `domain_unknown_to_store`, `hostname_taken`.
 */
export async function verifyDomain(
  registry: Registry,
  ports: DomainProofPorts,
  scope: Scope,
  storeId: string,
  hostnameText: string,
): Promise<DomainProof> {
  const hostname = hostnameOrThrow(hostnameText);
  const store = await findStore(registry.db, scope, storeId);
  const { challenge, owner, method } = await readClaim(registry, store, hostname);
  if (owner !== undefined && owner !== store.merchantId) throw new ServiceError('hostname_taken');
  if (owner === store.merchantId && method !== undefined) {
    return {
      verified: true,
      method,
      lookedFor: challenge,
      saw: [],
      nextStep: 'Nothing: control of this hostname is already proven.',
    };
  }
  const saw = await findProof(ports, hostname, challenge, originsOf(store, hostname));
  const proof = saw.find(({ found }) => found);
  if (proof === undefined) {
    const isPortBlocked = saw.some(({ code }) => code === 'port_blocked');
    const remedy = isPortBlocked ? `${PORT_REMEDY} ` : '';
    return { verified: false, lookedFor: challenge, saw, nextStep: remedy + nextStep(hostname, challenge) };
  }
  await recordOwner(registry, store, hostname, proof.method);
  return {
    verified: true,
    method: proof.method,
    lookedFor: challenge,
    saw,
    nextStep: 'Nothing: control of this hostname is proven. The challenge may be removed.',
  };
}

async function readClaim(registry: Registry, store: StoreRow, hostname: string) {
  const domain = await registry.db
    .selectFrom('domains')
    .leftJoin('hostname_owners', 'hostname_owners.hostname', 'domains.hostname')
    .select(['challenge', 'lost_at', ownerRow('hostname_owners').as('owner')])
    .where('store_id', '=', store.id)
    .where('domains.hostname', '=', hostname)
    .executeTakeFirst();
  if (domain === undefined) throw new ServiceError('domain_unknown_to_store');
  const owner = ownerOf(registry.secrets.rows, domain.owner);
  if (domain.lost_at !== null && owner === null) {
    throw new ServiceError('conflict', { message: 'The store lost this domain; add it again first.' });
  }
  return {
    challenge: domain.challenge,
    owner: owner?.merchant_id,
    method: owner?.method,
  };
}

/** The scheme and port of the store's address if it has this host; else https, then http. */
function originsOf(store: StoreRow, hostname: string): string[] {
  if (hostOf(store.url) === hostname) return [new URL(store.url).origin];
  return [`https://${hostname}`, `http://${hostname}`];
}

const PORT_REMEDY =
  'The service does not fetch from this port: its operator can allow it with TOUCHSTONE_FETCH_PORTS; the TXT record needs no port.';

function nextStep(hostname: string, challenge: string): string {
  return (
    `Do one of these, then verify again: serve a text file at ${WELL_KNOWN_PATH} on ${hostname} that contains ` +
    `${challenge}; or put <meta name="${META_NAME}" content="${challenge}"> into the head of its home page; ` +
    `or add a TXT record ${TXT_PREFIX}${hostname} with that text.`
  );
}

/** Records the owner and removes the hostname from all other stores, in one transaction. */
async function recordOwner(
  registry: Registry,
  store: StoreRow,
  hostname: string,
  method: DomainProofMethod,
): Promise<void> {
  const losers = await inTransaction(registry.db, async (trx) => {
    await lockHostnames(trx, [hostname]);
    const claims = await trx
      .selectFrom('domains')
      .innerJoin('stores', 'stores.id', 'domains.store_id')
      .select(['stores.merchant_id', 'domains.store_id', 'lost_at'])
      .where('domains.hostname', '=', hostname)
      .execute();
    const merchants = await lockMerchants(trx, [
      store.merchantId,
      ...claims.map((claim) => claim.merchant_id),
    ]);
    if (!claims.some((claim) => claim.store_id === store.id && claim.lost_at === null)) {
      throw new ServiceError('domain_unknown_to_store');
    }
    const { rows } = registry.secrets;
    const owner = await readOwner(trx, rows, hostname);
    if (owner !== null && owner.merchant_id !== store.merchantId) throw new ServiceError('hostname_taken');
    if (owner === null) {
      const proven = { merchant_id: store.merchantId, method, proven_at: registry.clock() };
      await writeOwner(trx, rows, { hostname, ...proven });
    }
    const others = merchants.filter((merchant) => merchant.id !== store.merchantId);
    for (const merchant of others) await takeHostname(registry, trx, merchant, hostname);
    return others;
  });
  registry.onChange([
    `h:${hostname}` as const,
    `m:${store.merchantId}` as const,
    ...losers.map((merchant) => `m:${merchant.id}` as const),
  ]);
}

/** Marks the hostname as lost by the merchant's stores: products on it are no longer active and release their seats. */
async function takeHostname(
  registry: Registry,
  trx: DatabaseTransaction,
  merchant: LockedMerchant,
  hostname: string,
): Promise<void> {
  const stores = await trx
    .updateTable('domains')
    .set({ lost_at: registry.clock() })
    .where('hostname', '=', hostname)
    .where('lost_at', 'is', null)
    .where('store_id', 'in', (eb) =>
      eb.selectFrom('stores').select('id').where('merchant_id', '=', merchant.id),
    )
    .returning('store_id')
    .execute();
  let unsettled = merchant;
  for (const { store_id: storeId } of stores) {
    const change = await changeProducts(registry, trx, unsettled, { kind: 'domain', storeId, hostname });
    if (change !== null) unsettled = { ...unsettled, seatsUnsettled: true };
    await recordEvent(trx, {
      type: 'domain.lost',
      storeId,
      subject: hostname,
      detail: { hostname },
      at: registry.clock(),
    });
  }
}
