import { OPERATIONS, type Operation } from '@touchstone/contract';
import type { TestService } from '../../testing.ts';

const REGISTRY = '/api/v1/registry';

/** Every call of the contract that changes something and takes the session of a browser, or begins one. */
export const CHANGING: readonly Operation[] = OPERATIONS.filter(
  ({ method, access, sameOrigin }) => method !== 'GET' && (access !== 'public' || sameOrigin === true),
);

/** A merchant that has one of everything, by the names of path parameters. */
export interface WholeMerchant {
  readonly key: string;
  readonly ids: Readonly<Record<string, string>>;
}

interface Made {
  readonly id: string;
  readonly key?: string;
  readonly results?: readonly { readonly id: string }[];
  readonly images?: readonly { readonly id: string }[];
  readonly keys?: readonly { readonly kid: string }[];
}

export async function wholeMerchant(service: TestService, host: string): Promise<WholeMerchant> {
  const make = async (method: string, path: string, body?: unknown) =>
    (await service.operate(method, `${REGISTRY}${path}`, body)) as Made;
  const { id: merchantId } = await make('POST', '/merchants', { name: host, planCapacity: 9 });
  const key = await make('POST', `/merchants/${merchantId}/api-keys`);
  // a second key to revoke or delete, so that the merchant stays signed in
  const spare = await make('POST', `/merchants/${merchantId}/api-keys`);
  const url = `https://${host}/`;
  const store = await make('POST', '/stores', { merchantId, name: host, url });
  const row = { externalProductId: 'a', url: `${url}a`, name: 'A', images: [{ url: `${url}a.jpg` }] };
  const { results } = await make('PUT', `/stores/${store.id}/products`, [row]);
  const productId = results?.[0]?.id ?? '';
  const product = await make('GET', `/products/${productId}`);
  const webhook = await make('POST', '/webhooks', { merchantId, url: `${url}hook`, events: ['copy.found'] });
  const change = await make('POST', `/stores/${store.id}/products/actions`, {
    action: 'show',
    productIds: [productId],
  });
  const { keys } = await make('GET', '/signing-keys');
  const checked = await fetch(`${service.url}/api/v1/mc4p/page-checks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
    // a port that is never connected to
    body: JSON.stringify({ url: `http://${host}:22/`, evidence: true }),
  });
  const { evidence } = (await checked.json()) as { readonly evidence?: Made };
  return {
    key: String(key.key),
    ids: {
      merchant_id: merchantId,
      key_id: spare.id,
      store_id: store.id,
      hostname: host,
      host,
      product_id: productId,
      image_id: product.images?.[0]?.id ?? '',
      webhook_id: webhook.id,
      change_id: change.id,
      import_id: crypto.randomUUID(),
      delivery_id: crypto.randomUUID(),
      evidence_id: evidence?.id ?? crypto.randomUUID(),
      kid: keys?.at(-1)?.kid ?? '',
    },
  };
}

/**
 * A valid body for an operation that has one, so that a call can only be refused because of its caller.
 *
 * @param ids - of the merchant whose resources it names
 */
export function goodBody({ id }: Operation, ids: WholeMerchant['ids']): unknown {
  return { ...BODIES, ...namingBodies(ids) }[id];
}

/** Those that name things of a merchant. */
const namingBodies = ({ merchant_id: merchantId, product_id, image_id }: WholeMerchant['ids']) =>
  ({
    createStore: { merchantId, name: 'x', url: 'https://x.example' },
    createWebhook: { merchantId, url: 'https://x.example/hook', events: ['copy.found'] },
    actOnProducts: { action: 'hide', productIds: [product_id] },
    withdrawProduct: { reason: 'recalled' },
    retryFailedImages: { imageIds: [image_id] },
  }) as const satisfies Readonly<Record<string, unknown>>;

const BODIES: Readonly<Record<string, unknown>> = {
  beginSession: { apiKey: 'tsk_guess' },
  createMerchant: { name: 'x', planCapacity: 1 },
  createApiKey: { label: 'x' },
  updateMerchant: { name: 'x' },
  updateStore: { name: 'x' },
  addDomain: { hostname: 'x.example' },
  putProducts: [],
  updateProduct: { visible: false },
  addImages: { images: [{ url: 'https://x.example/x.jpg' }] },
  createImport: { url: 'https://x.example/feed.csv' },
  putStoreSource: { url: 'https://x.example/feed.csv', everyHours: 24 },
  connectShopify: { shop: 'x.myshopify.com', accessToken: 'shpat_x' },
  recordNft: {
    chain: 'x',
    contract: `0x${'0'.repeat(40)}`,
    tokenId: '1',
    transactionHash: `0x${'0'.repeat(64)}`,
  },
  setPictureSettings: { told: true, makersPictures: false, makersImages: [], allowedHosts: [] },
  updateWebhook: { description: 'x' },
  mergeStatusList: { token: 'x' },
  setMerchantLog: { hideDomain: true },
  setMerchantSites: { optOut: true },
  decideCopy: { state: 'mine' },
  setHostStatements: { statements: [] },
};

/** A browser that has signed in. */
export interface SignedIn {
  readonly cookie: string;
  readonly csrfToken: string;
}

/** @param held - the cookie that the browser has already */
export async function signedIn(service: TestService, apiKey: string, held = ''): Promise<SignedIn> {
  const begun = await fetch(`${service.url}/console/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.url, cookie: held },
    body: JSON.stringify({ apiKey }),
  });
  const { csrfToken } = (await begun.json()) as { csrfToken: string };
  return { cookie: (begun.headers.get('set-cookie') ?? '').split(';')[0] ?? '', csrfToken };
}

/** Tables that change without requests. */
const LIVING = ['console_sessions', 'nodes', 'jobs', 'image_counts', 'rate_windows', 'schema_migrations'];

/** All data of the registry as text, for comparison. */
export async function keptBy({ database }: TestService): Promise<string> {
  const tables = await database.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
     and relname <> all ($1) order by 1`,
    [LIVING],
  );
  const parts = tables.map(
    ({ name }) =>
      `select '${name}' as name, md5(string_agg(t::text, ' ' order by t::text)) as kept from "${name}" t`,
  );
  return JSON.stringify(await database.query(`${parts.join(' union all ')} order by name`), null, 1);
}
