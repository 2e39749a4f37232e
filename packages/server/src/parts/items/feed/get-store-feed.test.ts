import { readItems } from '@touchstone/catalogue';
import { verifyItem } from '@touchstone/certificate/item';
import { getJwks } from '@touchstone/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../../../testing.ts';

const REGISTRY = '/api/v1/registry';
const SHOP = 'https://shop.example';

let service: TestService;
let storeId: string;
let ids: readonly string[];

const row = (n: number, more: object = {}) => ({
  externalProductId: `cup-${n}`,
  name: `Cup ${n} <&> "Größe"`,
  url: `${SHOP}/cup-${n}?a=1&b=2`,
  sku: `CUP-${n}`,
  brand: 'Kiln',
  gtin: '4012345123456',
  images: [{ url: `${SHOP}/cup-${n}.jpg` }, { url: `${SHOP}/back-${n}.jpg` }],
  price: { amount: '24.90', currency: 'EUR' },
  availability: 'InStock',
  ...more,
});

async function put(...rows: readonly object[]): Promise<string[]> {
  const { results } = (await service.operate('PUT', `${REGISTRY}/stores/${storeId}/products`, rows)) as {
    results: { id: string }[];
  };
  return results.map(({ id }) => id);
}

beforeAll(async () => {
  service = await testService();
  const merchant = (await service.operate('POST', `${REGISTRY}/merchants`, {
    name: 'M',
    planCapacity: 10,
  })) as { id: string };
  const store = await service.operate('POST', `${REGISTRY}/stores`, {
    merchantId: merchant.id,
    name: 'S & Co',
    url: SHOP,
  });
  storeId = (store as { id: string }).id;
  ids = await put(
    row(1),
    row(2, { price: undefined, availability: undefined }),
    row(3),
    row(4, { visible: false }),
  );
});
afterAll(() => service.dispose());

const ask = (query: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  fetch(`${service.url}${REGISTRY}/stores/${storeId}/feed?${query}`, {
    method,
    headers: { authorization: `Bearer ${service.operatorKey}`, ...headers },
  });

async function verified(feed: string) {
  const jwks: unknown = await (await fetch(`${service.url}${getJwks.path}`)).json();
  const results = [];
  for await (const read of readItems(feed)) {
    if (!('item' in read)) {
      results.push(read.problem.code);
      continue;
    }
    const issuer = issuerIn(read.item.certificates[0]?.document);
    const { fields, status, item } = await verifyItem(read.item, {
      trustedIssuers: [issuer],
      jwks: jwks as object,
      now: new Date(),
    });
    const differing = Object.entries(fields).filter(([, { result }]) => result === 'differs');
    results.push([item.id, status, differing.length]);
  }
  return results.toSorted();
}

const byId = (a: Record<string, unknown>, b: Record<string, unknown>) =>
  String(a.id).localeCompare(String(b.id));

function issuerIn(document: unknown): string {
  const { proof } = document as { proof: { jwt: string } };
  return (JSON.parse(String(Buffer.from(proof.jwt.split('.')[1] ?? '', 'base64url'))) as { iss: string }).iss;
}

test.each(['jsonl', 'google'])(
  '%s: every active product with a certificate that agrees with it',
  async (format) => {
    const answer = await ask(`format=${format}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('touchstone-left-out')).toMatch(/^[14]$/);
    const feed = await answer.text();
    expect(await verified(feed)).toEqual([1, 2, 3].map((n) => [`cup-${n}`, 'verified', 0]));
    expect(feed.match(/24\.90 EUR/g)).toHaveLength(2);
  },
);

test('ucp: those with a price, in the shape of its schema', async () => {
  const answer = await ask('format=ucp');
  expect(answer.headers.get('content-type')).toBe('application/json');
  const text = await answer.text();
  const { ucp, products, pagination, messages } = JSON.parse(text) as Record<string, unknown> & {
    products: Record<string, unknown>[];
  };
  expect(ucp).toEqual({ version: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) });
  expect(pagination).toMatchObject({ has_next_page: false, cursor: expect.any(String) });
  expect(messages).toMatchObject([
    { type: 'info', content: expect.stringContaining('1 product has no price') },
  ]);
  const price = { amount: 2490, currency: 'EUR' };
  expect(products.map((product) => ({ ...product, metadata: undefined })).toSorted(byId)).toEqual(
    [1, 3].map((n) => ({
      id: `cup-${n}`,
      title: row(n).name,
      description: { plain: '' },
      url: row(n).url,
      price_range: { min: price, max: price },
      media: row(n).images.map(({ url }) => ({ type: 'image', url })),
      variants: [
        {
          id: `cup-${n}`,
          sku: `CUP-${n}`,
          barcodes: [{ type: 'GTIN', value: '4012345123456' }],
          title: row(n).name,
          description: { plain: '' },
          url: row(n).url,
          price,
          availability: { available: true, status: 'in_stock' },
        },
      ],
    })),
  );
  expect(await verified(text)).toEqual([1, 3].map((n) => [`cup-${n}`, 'verified', 0]));
});

test('the same again is a 304, also for HEAD, until anything changes', async () => {
  await (await ask('')).text();
  const answer = await ask('');
  const etag = answer.headers.get('etag') ?? '';
  await answer.text();
  expect((await ask('', { 'if-none-match': etag })).status).toBe(304);
  expect((await ask('', { 'if-none-match': etag }, 'HEAD')).status).toBe(304);
  expect((await ask('format=google', { 'if-none-match': etag })).status).toBe(200);
  // not signed, but in the feed
  await put(row(1, { availability: 'OutOfStock' }));
  const changed = await ask('', { 'if-none-match': etag });
  expect([changed.status, await changed.text()]).toEqual([
    200,
    expect.stringContaining('"availability":"out_of_stock"'),
  ]);
  const head = await ask('', {}, 'HEAD');
  expect([head.status, head.headers.get('touchstone-left-out'), await head.text()]).toEqual([200, '1', '']);
});

test('an update tells what is new, replaced and to be removed, and continues from its cursor', async () => {
  const whole = await ask('');
  const lines = (await whole.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const since = /since=([^&>]+)/.exec(whole.headers.get('link') ?? '')?.[1] ?? '';
  await put(row(1, { name: 'Mug' }), row(5));
  await service.operate('DELETE', `${REGISTRY}/products/${ids[1]}`);
  const update = (await (await ask(`since=${since}`)).text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(
    update
      .slice(0, -1)
      .map(({ status, id, externalProductId }) => [status, id ?? externalProductId])
      .toSorted(),
  ).toEqual(
    [
      [undefined, 'cup-1'],
      [undefined, 'cup-5'],
      ['withdrawn', 'cup-2'],
    ].toSorted(),
  );
  expect(update.at(-1)).toMatchObject({ status: 'end', certificates: 2, withdrawn: 1 });
  const google = await (await ask(`format=google&since=${since}`)).text();
  expect(google).toMatch(
    /<svc:withdrawn id="cup-2" productId="[0-9a-f-]+" url="https:\/\/shop\.example\/cup-2\?a=1&amp;b=2" state="deleted"\/>/,
  );
  const ucp = JSON.parse(await (await ask(`format=ucp&since=${since}`)).text()) as Record<string, unknown>;
  expect(Object.values(ucp).at(-1)).toMatchObject([{ id: 'cup-2', state: 'deleted' }]);
  // the rest after a line of the whole feed, and nothing after the end
  const rest = await (await ask(`since=${lines[0]?.['svc:cursor']}`)).text();
  expect(
    lines
      .slice(1)
      .filter(({ id }) => id === 'cup-3')
      .every(({ id }) => rest.includes(`"id":"${id}"`)),
  ).toBe(true);
  expect(rest).not.toContain('"id":"cup-4"');
  const last = await (await ask(`since=${update.at(-1)?.cursor}`)).text();
  expect(last.trim().split('\n')).toHaveLength(1);
});

test('a cursor that is none is a 400, another store a 404, no key a 401, another format a 422', async () => {
  expect((await ask('since=junk')).status).toBe(400);
  expect((await ask('format=atom')).status).toBe(422);
  const other = await fetch(`${service.url}${REGISTRY}/stores/${ids[0]}/feed`, {
    headers: { authorization: `Bearer ${service.operatorKey}` },
  });
  expect(other.status).toBe(404);
  expect((await fetch(`${service.url}${REGISTRY}/stores/${storeId}/feed`)).status).toBe(401);
});
