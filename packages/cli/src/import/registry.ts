import { randomUUID } from 'node:crypto';
import type { CatalogueProduct } from '@touchstone/catalogue';
import { cannotTell, usage } from '../cli-error.ts';
import { errorOfAnswer, isRecord } from '../client/problem.ts';
import type { ServiceClient } from '../client/service-client.ts';

const ROOT = '/api/v1/registry';

export interface StoreView {
  readonly id: string;
  readonly url: string;
  /** False when it was there before. */
  readonly created: boolean;
  readonly domains: readonly {
    readonly hostname: string;
    readonly verified: boolean;
    readonly challenge: string;
  }[];
}

/** The store of this id. @throws CliError when the service does not show it to this key */
export async function getStore(client: ServiceClient, storeId: string): Promise<StoreView> {
  const path = `${ROOT}/stores/${encodeURIComponent(storeId)}`;
  return storeOf(await client.request({ method: 'GET', path }), false, client.baseUrl);
}

/**
 * The store with this home page, made when there is none.
 *
 * @throws CliError (usage) when several have it, or when one would have to be made and several merchants could be meant
 */
export async function findOrCreateStore(
  client: ServiceClient,
  wanted: {
    readonly url: string;
    readonly name: string;
    readonly platform: string;
    readonly merchantId?: string;
  },
): Promise<StoreView> {
  const same = (await listStores(client)).filter(
    (store) =>
      sameAddress(store.url, wanted.url) &&
      (wanted.merchantId === undefined || store.merchantId === wanted.merchantId.toLowerCase()),
  );
  if (same.length > 1) {
    throw usage(
      `${same.length} stores have the address ${wanted.url}.`,
      `Say which one: --store-id ${same.map((store) => store.id).join(' or ')}`,
    );
  }
  if (same[0] !== undefined) return getStore(client, same[0].id);
  const merchantId = wanted.merchantId ?? (await onlyMerchant(client));
  if (merchantId === undefined) {
    throw usage(
      `There is no store with the address ${wanted.url} yet.`,
      `Name the merchant that it belongs to, and it will be made: --merchant-id <uuid>. GET ${ROOT}/merchants lists them; ` +
        'the operator makes one by POST with {"name", "planCapacity"}.',
    );
  }
  const answer = await client.request({
    method: 'POST',
    path: `${ROOT}/stores`,
    body: { ...wanted, merchantId },
    idempotencyKey: randomUUID(),
  });
  return storeOf(answer, true, client.baseUrl);
}

/** The merchant of a merchant's key, or the only one that there is: then nobody else can be meant. */
async function onlyMerchant(client: ServiceClient): Promise<string | undefined> {
  const answer = await client.request({ method: 'GET', path: `${ROOT}/merchants?limit=2` });
  const merchants =
    isRecord(answer) && Array.isArray(answer.merchants) ? answer.merchants.filter(isRecord) : [];
  const [only, ...others] = merchants;
  return others.length === 0 && typeof only?.id === 'string' ? only.id : undefined;
}

async function listStores(client: ServiceClient): Promise<{ id: string; url: string; merchantId: string }[]> {
  const stores: { id: string; url: string; merchantId: string }[] = [];
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`;
    const answer = await client.request({ method: 'GET', path: `${ROOT}/stores${query}` });
    if (!isRecord(answer) || !Array.isArray(answer.stores))
      throw unexpected(client.baseUrl, 'list of stores');
    for (const store of answer.stores.filter(isRecord)) {
      stores.push({ id: String(store.id), url: String(store.url), merchantId: String(store.merchantId) });
    }
    cursor = typeof answer.nextCursor === 'string' ? answer.nextCursor : undefined;
  } while (cursor !== undefined);
  return stores;
}

function storeOf(answer: unknown, created: boolean, baseUrl: string): StoreView {
  if (!isRecord(answer) || typeof answer.id !== 'string') throw unexpected(baseUrl, 'store');
  const domains = Array.isArray(answer.domains) ? answer.domains.filter(isRecord) : [];
  return {
    id: answer.id,
    url: String(answer.url),
    created,
    domains: domains.map(({ hostname, verified, challenge }) => ({
      hostname: String(hostname),
      verified: verified === true,
      challenge: String(challenge),
    })),
  };
}

/** What became of one product. */
export interface RowOutcome {
  readonly status: 'created' | 'updated' | 'unchanged' | 'revived' | 'error';
  /** In which it was left, where the service says so. */
  readonly state?: string;
  /** Why it is in error. */
  readonly reason?: string;
}

const STATUSES = ['created', 'updated', 'unchanged', 'revived', 'error'] as const;

/**
 * Sends one batch and answers what became of each of its products, in their order. A batch that the service finds
 * too large is halved; a product about which the service says nothing is one in error.
 */
export async function putProducts(
  client: ServiceClient,
  storeId: string,
  products: readonly CatalogueProduct[],
): Promise<RowOutcome[]> {
  const path = `${ROOT}/stores/${encodeURIComponent(storeId)}/products`;
  const answer = await client.answer({ method: 'PUT', path, body: products });
  if (answer.status === 413) {
    if (products.length === 1)
      return [{ status: 'error', reason: 'The product is over the size limit of the service.' }];
    const half = Math.ceil(products.length / 2);
    const first = await putProducts(client, storeId, products.slice(0, half));
    return [...first, ...(await putProducts(client, storeId, products.slice(half)))];
  }
  if (answer.status !== 200 || !isRecord(answer.body) || !Array.isArray(answer.body.results)) {
    throw errorOfAnswer(answer, client.baseUrl, `PUT ${path}`);
  }
  const results: readonly unknown[] = answer.body.results;
  return products.map((product, i) => outcomeOf(results[i], product));
}

function outcomeOf(result: unknown, product: CatalogueProduct): RowOutcome {
  const status = isRecord(result) ? STATUSES.find((known) => known === result.status) : undefined;
  if (!isRecord(result) || status === undefined || result.externalProductId !== product.externalProductId) {
    return { status: 'error', reason: 'The service did not say what became of it.' };
  }
  if (status !== 'error')
    return { status, ...(typeof result.state === 'string' ? { state: result.state } : {}) };
  const errors = Array.isArray(result.errors) ? result.errors.filter(isRecord) : [];
  const reasons = errors.map(
    ({ loc, msg }) => `${Array.isArray(loc) ? loc.join('.') : 'row'}: ${String(msg)}`,
  );
  return { status, reason: reasons.length === 0 ? 'The service gave no reason.' : reasons.join('; ') };
}

/** As the registry keeps them, front pages differ in their trailing slash only. */
function sameAddress(a: string, b: string): boolean {
  return withoutSlash(a) === withoutSlash(b);
}

function withoutSlash(text: string): string {
  return (URL.parse(text)?.href ?? text).replace(/\/+$/, '');
}

function unexpected(baseUrl: string, what: string): Error {
  return cannotTell(`The answer of ${baseUrl} is no ${what}.`, 'Are service and command of one version?');
}
