import { OPERATIONS, pathOf } from '@touchstone/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestService, testService } from '../testing.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.dispose());

const REGISTRY = '/api/v1/registry';

interface Made {
  readonly id: string;
  readonly key?: string;
  readonly results?: readonly { readonly id: string }[];
  readonly images?: readonly { readonly id: string }[];
}

/** A merchant that has one of everything. */
async function merchant(host: string) {
  const make = async (method: string, path: string, body?: unknown) =>
    (await service.operate(method, `${REGISTRY}${path}`, body)) as Made;
  const { id: merchantId } = await make('POST', '/merchants', { name: host, planCapacity: 9 });
  const key = await make('POST', `/merchants/${merchantId}/api-keys`);
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
  return {
    key: String(key.key),
    ids: {
      merchant_id: merchantId,
      key_id: key.id,
      store_id: store.id,
      hostname: host,
      product_id: productId,
      image_id: product.images?.[0]?.id ?? '',
      webhook_id: webhook.id,
      change_id: change.id,
      import_id: crypto.randomUUID(),
      delivery_id: crypto.randomUUID(),
    } as Record<string, string>,
  };
}

/** Bodies that are taken, by operation: what is wrong with a call of this test is whose it is, and nothing else. */
const BODIES: Readonly<Record<string, unknown>> = {
  updateMerchant: { name: 'x' },
  updateStore: { name: 'x' },
  addDomain: { hostname: 'x.example' },
  putProducts: [],
  updateProduct: { visible: false },
  addImages: { images: [{ url: 'https://x.example/x.jpg' }] },
  actOnProducts: { action: 'delete', filter: {} },
  createImport: { url: 'https://x.example/feed.csv' },
  putStoreSource: { url: 'https://x.example/feed.csv', everyHours: 24 },
  connectShopify: { shop: 'x.myshopify.com', accessToken: 'shpat_x' },
  recordNft: {
    chain: 'x',
    contract: `0x${'0'.repeat(40)}`,
    tokenId: '1',
    transactionHash: `0x${'0'.repeat(64)}`,
  },
  updateWebhook: { description: 'x' },
};

const concerned = OPERATIONS.filter(
  ({ access, params, id }) => access === 'merchant' && params !== undefined && id !== 'receiveShopifyWebhook',
);

it('answers every call about what is another merchant’s as one about nothing, with a session too', async () => {
  const [mine, theirs] = [await merchant('mine.example'), await merchant('theirs.example')];
  const begun = await fetch(`${service.url}/console/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.url },
    body: JSON.stringify({ apiKey: mine.key }),
  });
  const cookie = (begun.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const { csrfToken } = (await begun.json()) as { csrfToken: string };
  const before = await service.operate('GET', `${REGISTRY}/products/${theirs.ids.product_id}`);
  const answers: [string, number][] = [];
  for (const operation of concerned) {
    const body = BODIES[operation.id];
    const response = await fetch(`${service.url}${pathOf(operation, theirs.ids)}`, {
      method: operation.method,
      headers: {
        cookie,
        origin: service.url,
        'x-csrf-token': csrfToken,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    await response.arrayBuffer();
    answers.push([operation.id, response.status]);
  }
  expect(answers.length).toBeGreaterThan(40);
  expect(answers).toEqual(concerned.map(({ id }) => [id, 404]));
  expect(await service.operate('GET', `${REGISTRY}/products/${theirs.ids.product_id}`)).toEqual(before);
});
