import { randomUUID } from 'node:crypto';
import type { CatalogueProduct } from '@touchstone/catalogue';
import type { RowResult, Store } from '@touchstone/contract';
import { CliError, usage } from '../cli-error.ts';
import { answerOf, type ServiceClient } from '../client.ts';
import { merchantMeant } from '../registry/merchant-meant.ts';
import { everyItem } from '../registry-client.ts';

export type StoreView = Pick<Store, 'id' | 'url' | 'platform' | 'domains'> & {
  /** False if it existed before. */
  readonly created: boolean;
};

/** The store with this id. @throws CliError if it does not exist or the key may not see it */
export async function getStore(client: ServiceClient, storeId: string): Promise<StoreView> {
  return viewOf(await client.call('getStore', { params: { store_id: storeId } }), false);
}

/**
 * The store with this home page, created if there is none.
 *
 * @throws CliError (usage) if several have it, or if one must be created and the merchant is ambiguous
 */
export async function findOrCreateStore(
  client: ServiceClient,
  wanted: Pick<Store, 'url' | 'name' | 'platform'> & { readonly merchantId?: string },
): Promise<StoreView> {
  const same = await storesAt(client, wanted);
  if (same.length > 1) {
    throw usage(
      `${same.length} stores have the address ${wanted.url}.`,
      `Choose one: --store ${same.map((store) => store.id).join(' or ')}`,
    );
  }
  if (same[0] !== undefined) return getStore(client, same[0].id);
  const occasion = `There is no store with the address ${wanted.url} yet, so it would be created.`;
  const merchantId = await merchantMeant(client, wanted.merchantId, occasion);
  const body = { ...wanted, merchantId };
  return viewOf(await client.call('createStore', { body }, { idempotencyKey: randomUUID() }), true);
}

/** The stores with this home page, restricted to a merchant if one is given. */
async function storesAt(
  client: ServiceClient,
  { url, merchantId }: { readonly url: string; readonly merchantId?: string },
): Promise<Pick<Store, 'id'>[]> {
  const all = await everyItem(
    (cursor) => client.call('listStores', { query: { cursor } }),
    ({ stores }) => stores,
  );
  const owner = merchantId?.toLowerCase();
  return all.filter(
    (store) => sameAddress(store.url, url) && (owner === undefined || store.merchantId === owner),
  );
}

function viewOf({ id, url, platform, domains }: Store, created: boolean): StoreView {
  return { id, url, platform, created, domains };
}

/** Result for one product. */
export interface RowOutcome {
  readonly status: RowResult['status'];
  /** The service's id; absent for a rejected product. */
  readonly id?: string;
  /** Its resulting state, if the service reports it. */
  readonly state?: string;
  /** Why it was rejected. */
  readonly reason?: string;
  /** Equal for errors of one kind. */
  readonly kind?: string;
}

/**
 * Sends one batch and returns the result of each product, in order. A batch that is too large for the service is halved; a product without
 * a result in the response counts as rejected.
 */
export async function putProducts(
  client: ServiceClient,
  storeId: string,
  products: readonly CatalogueProduct[],
): Promise<RowOutcome[]> {
  try {
    const body = [...products];
    const { results } = await client.call('putProducts', { params: { store_id: storeId }, body });
    return products.map((product, i) => outcomeOf(results[i], product));
  } catch (error) {
    if (!(error instanceof CliError) || answerOf(error)?.status !== 413) throw error;
    if (products.length === 1)
      return [{ status: 'error', reason: 'The product exceeds the size limit of the service.' }];
    const half = Math.ceil(products.length / 2);
    const first = await putProducts(client, storeId, products.slice(0, half));
    return [...first, ...(await putProducts(client, storeId, products.slice(half)))];
  }
}

function outcomeOf(result: RowResult | undefined, product: CatalogueProduct): RowOutcome {
  if (result === undefined || result.externalProductId !== product.externalProductId) {
    return { status: 'error', reason: 'The service returned no result for it.' };
  }
  const { status, id, state, errors = [] } = result;
  if (status !== 'error')
    return { status, ...(id === undefined ? {} : { id }), ...(state === undefined ? {} : { state }) };
  const reasons = errors.map(({ loc, msg }) => `${loc.length === 0 ? 'row' : loc.join('.')}: ${msg}`);
  const kind = errors.map(
    ({ loc, type }) => `${type} ${loc.filter((part) => typeof part === 'string').join('.')}`,
  );
  return {
    status,
    kind: kind.join(', '),
    reason: reasons.length === 0 ? 'The service gave no reason.' : reasons.join('; '),
  };
}

/** The registry's home pages differ only in their trailing slash. */
function sameAddress(a: string, b: string): boolean {
  return withoutSlash(a) === withoutSlash(b);
}

function withoutSlash(text: string): string {
  return (URL.parse(text)?.href ?? text).replace(/\/+$/, '');
}
