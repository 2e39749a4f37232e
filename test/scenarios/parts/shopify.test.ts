import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { useFolder } from '../../kit/folder.ts';
import { PATIENT } from '../../kit/patience.ts';
import { type Answer, type Json, openScene, type Scene } from '../../kit/service.ts';
import { openShop, type Shop } from '../../kit/shop.ts';
import { openShopifyShop, type TestShopify } from '../../kit/shopify.ts';
import { renderEmbed } from '../../kit/shopify-theme.ts';

const STOREFRONT = 'http://kettles.example';
const BASE_URL = 'https://certificates.example';

const folder = useFolder('shopify');
let shopify: TestShopify;
let storefront: Shop;
let scene: Scene;
let merchantId: string;
let storeId: string;

beforeAll(async () => {
  shopify = await openShopifyShop(STOREFRONT);
  storefront = await openShop();
  const ca = join(folder, 'ca.pem');
  await writeFile(ca, shopify.authority);
  scene = await openScene({
    TOUCHSTONE_FETCH_CA_FILE: ca,
    TOUCHSTONE_FETCH_CONNECT_TO: `${shopify.shop}=127.0.0.1:${shopify.port},kettles.example=127.0.0.1:${storefront.port}`,
  });
  merchantId = (await scene.operate('POST', '/merchants', { name: 'Kettles Inc', planCapacity: 5_000 }))
    .id as string;
});
afterAll(async () => {
  await scene.close();
  await shopify.close();
  await storefront.close();
});

beforeEach(async () => {
  shopify.reset();
  storeId = await addStore();
});
afterEach(async () => {
  await operate('DELETE', '');
  await deleteStore();
});

const deleteStore = () =>
  scene.call('DELETE', `/api/v1/registry/stores/${storeId}`, undefined, {
    authorization: `Bearer ${scene.service.operatorKey}`,
  });

async function addStore(owner = merchantId, url = STOREFRONT): Promise<string> {
  const store = { merchantId: owner, name: 'Kettles', url, platform: 'shopify' };
  return (await scene.operate('POST', '/stores', store)).id as string;
}

const connect = (changes: Json = {}) =>
  operate('PUT', '', {
    shop: shopify.shop,
    accessToken: shopify.token,
    clientSecret: shopify.secret,
    ...changes,
  });

async function operate(method: string, path: string, body?: unknown): Promise<Answer> {
  return scene.call(method, `/api/v1/registry/stores/${storeId}/shopify${path}`, body, {
    authorization: `Bearer ${scene.service.operatorKey}`,
  });
}

/** Polls the connection until the condition holds. */
const until = (isSo: (connection: Json) => boolean): Promise<Json> =>
  vi.waitFor(async () => {
    const { json } = await operate('GET', '');
    if (!isSo(json)) throw new Error(`It stays ${JSON.stringify(json)}`);
    return json;
  }, PATIENT);
const current = () => until(({ state }) => state === 'current');

describe('a connected shop', () => {
  test('with several stores at once belongs to one of them; the others get an error', async () => {
    const ofOther = async (name: string) => {
      const { id } = await scene.operate('POST', '/merchants', { name, planCapacity: 10 });
      return addStore(id as string);
    };
    const stores = [storeId, await ofOther('A'), await ofOther('B'), await ofOther('C')];
    const body = { shop: shopify.shop, accessToken: shopify.token, clientSecret: shopify.secret };
    const headers = { authorization: `Bearer ${scene.service.operatorKey}` };
    const connectOne = (id: string) =>
      scene.call('PUT', `/api/v1/registry/stores/${id}/shopify`, body, headers);
    const answers = await Promise.all(stores.map(connectOne));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    const winner = stores[answers.findIndex(({ status }) => status === 200)];
    await scene.call('DELETE', `/api/v1/registry/stores/${winner}/shopify`, undefined, headers);
  });

  test('has all its products registered, and the certificate of each in its metafield', async () => {
    for (let count = 0; count < 60; count += 1) shopify.add();
    const draft = shopify.add({ status: 'DRAFT' });
    expect((await connect()).status).toBe(200);
    expect(await current()).toMatchObject({ products: 61, published: 60, failed: 0, problems: [] });
    for (const product of shopify.products.values()) {
      const certificate = shopify.certificateOf(product);
      if (product === draft) expect(certificate).toBeNull();
      else expect(certificate).toEqual(await scene.certificate(certificate?.productID as string));
    }
    expect(shopify.subscriptions.map(({ topic }) => topic).toSorted()).toEqual([
      'APP_UNINSTALLED',
      'PRODUCTS_CREATE',
      'PRODUCTS_DELETE',
      'PRODUCTS_UPDATE',
    ]);
    expect(shopify.subscriptions[0]?.uri).toBe(`${BASE_URL}/api/v1/shopify/${storeId}/webhooks`);
  });

  test('serves pages that page checks verify, with what the app embed prints', async () => {
    const product = shopify.add({ title: '</script><b>Kettle</b>' });
    await connect();
    await current();
    const touchstone_certificate = { value: shopify.certificateOf(product) };
    const embed = await renderEmbed({
      handle: product.handle,
      metafields: { $app: { touchstone_certificate } },
    });
    const url = `${STOREFRONT}/products/${product.handle}`;
    storefront.put(url, `<!doctype html><html><head>${embed}</head><body><h1>Kettle</h1></body></html>`);
    expect(await scene.checkPage(url)).toMatchObject({ verdict: 'verified' });
  });

  test('with many products is written by bulk operations; what these refuse is written separately', async () => {
    for (let count = 0; count < 560; count += 1) shopify.add();
    const foreign = shopify.add({ metafield: '{}' });
    await connect();
    expect(await current()).toMatchObject({ products: 561, published: 561, failed: 0 });
    expect(shopify.asked.filter((name) => name === 'Bulk')).toHaveLength(1);
    // 500 in calls of 25, plus the one whose value differed
    expect(shopify.asked.filter((name) => name === 'Set').length).toBeLessThan(24);
    expect(shopify.certificateOf(foreign)).toHaveProperty('proof');
  });

  test('is followed by webhooks: changed, hidden and deleted products; a repeated webhook has no effect', async () => {
    const [changed, hidden, deleted] = [shopify.add(), shopify.add(), shopify.add()];
    await connect();
    await current();
    const before = shopify.certificateOf(changed);
    changed.variants = [{ sku: 'NEW-SKU', barcode: null }];
    hidden.published = false;
    shopify.products.delete(String(deleted.id));
    expect(await deliver('products/update', changed)).toBe(204);
    expect(await deliver('products/update', hidden)).toBe(204);
    expect(await deliver('products/delete', deleted)).toBe(204);
    await until(({ published, products }) => published === 1 && products === 2);
    await current();
    expect(shopify.certificateOf(hidden)).toBeNull();
    const after = shopify.certificateOf(changed);
    expect(JSON.stringify(after?.additionalProperty)).toContain('NEW-SKU');
    expect(after?.productID).toBe(before?.productID);
    // the webhook caused by our own write
    const asked = shopify.asked.length;
    expect(await deliver('products/update', changed)).toBe(204);
    expect((await operate('GET', '')).json.state).toBe('current');
    expect(shopify.asked.slice(asked)).toEqual([]);
  });

  test('is read despite throttled, failing and truncated responses, and queries that it refuses as too large', async () => {
    for (let count = 0; count < 30; count += 1) shopify.add();
    shopify.largestPage = 13;
    await connect();
    shopify.faults.push({ status: 502 }, 'truncated', 'throttled', {
      status: 429,
      headers: { 'retry-after': '0.1' },
    });
    expect(await current()).toMatchObject({ products: 30, published: 30 });
  });

  test('a metafield that someone else changed is overwritten, unless it is newer than ours', async () => {
    const [older, newer] = [shopify.add(), shopify.add()];
    older.metafield = '{"name":"somebody else’s"}';
    const future = JSON.stringify({ 'svc:record': { issuedAt: '2999-01-01T00:00:00Z' } });
    newer.metafield = future;
    await connect();
    expect(await current()).toMatchObject({ published: 2, failed: 0 });
    expect(shopify.certificateOf(older)).toHaveProperty('proof');
    expect(newer.metafield).toBe(future);
  });

  test('products that cannot be registered are reported with the reason, and the others continue', async () => {
    const bad = shopify.add({ title: 'x'.repeat(400) });
    shopify.add();
    await connect();
    const connection = await current();
    expect(connection).toMatchObject({ products: 2, published: 1, failed: 1 });
    expect(connection.problems).toEqual([
      expect.objectContaining({ externalProductId: String(bad.id), code: 'shopify_row_refused' }),
    ]);
  });

  test('what was deleted in the shop is deleted by the next reading, which runs once a day', async () => {
    const [kept, gone] = [shopify.add(), shopify.add()];
    await connect();
    await current();
    const id = shopify.certificateOf(gone)?.productID as string;
    shopify.products.delete(String(gone.id));
    expect((await operate('POST', '/read')).status).toBe(202);
    await until(({ products }) => products === 1);
    expect((await scene.call('GET', `/api/v1/mc4p/products/${id}/certificate`)).status).toBe(404);
    expect(shopify.certificateOf(kept)).not.toBeNull();
  });

  test('a product whose certificates were withdrawn by hand gets none by any reading, until its merchant shows it', async () => {
    const product = shopify.add();
    await connect();
    await current();
    const id = shopify.certificateOf(product)?.productID as string;
    await scene.operate('POST', `/products/${id}/withdraw`, {});
    // otherwise it leaves the shop with the next publication, within a minute
    await operate('POST', '/read');
    await until(({ published }) => published === 0);
    product.title = 'Another kettle';
    expect((await operate('POST', '/read')).status).toBe(202);
    expect(await current()).toMatchObject({ published: 0 });
    expect(await scene.operate('GET', `/products/${id}`)).toMatchObject({
      name: 'Another kettle',
      state: 'hidden',
    });
    expect(shopify.certificateOf(product)).toBeNull();
    await scene.operate('PATCH', `/products/${id}`, { visible: true });
    await operate('POST', '/read');
    await until(({ published }) => published === 1);
  });

  test('a reading requested during another one reads again what that one has already read', async () => {
    const products = Array.from({ length: 40 }, () => shopify.add());
    shopify.largestPage = 1;
    await connect();
    await until((connection) => (connection.products as number) >= 3);
    const [first] = products;
    if (first === undefined) throw new Error('no product');
    first.variants = [{ sku: 'READ-AGAIN', barcode: null }];
    await operate('POST', '/read');
    await current();
    expect(JSON.stringify(shopify.certificateOf(first))).toContain('READ-AGAIN');
  });

  test('identifiers of other products of the store need not look like those of Shopify', async () => {
    shopify.add();
    const row = { externalProductId: '9'.repeat(19), name: 'Pan', url: `${STOREFRONT}/pan` };
    await scene.operate('PUT', `/stores/${storeId}/products`, [row]);
    await connect();
    expect(await current()).toMatchObject({ products: 1, published: 1, failed: 0 });
  });

  test('a deleted store releases the shop', async () => {
    shopify.add();
    await connect();
    await current();
    await deleteStore();
    storeId = await addStore();
    expect((await connect()).status).toBe(200);
    expect(await current()).toMatchObject({ products: 1 });
  });

  test('an app that was uninstalled is reported as such, and a new token continues where it was', async () => {
    const product = shopify.add();
    await connect();
    await current();
    shopify.isUninstalled = true;
    await deliver('app/uninstalled', product);
    expect(await until(({ state }) => state === 'failing')).toMatchObject({
      problem: { code: 'shopify_token_refused' },
    });
    shopify.isUninstalled = false;
    await connect();
    await current();
    expect((await operate('DELETE', '')).status).toBe(204);
    expect((await operate('GET', '')).json.code).toBe('shopify_not_connected');
    expect(await deliver('products/update', product)).toBe(404);
  });

  describe('with an app of the Dev Dashboard, which gets tokens for a day', () => {
    const connectApp = (changes: Json = {}) => {
      const { clientId, secret: clientSecret } = shopify;
      return connect({ accessToken: undefined, clientId, clientSecret, ...changes });
    };
    const grants = () => shopify.asked.filter((name) => name === 'Grant').length;

    test('is read and written with one token; when that is revoked, with another, as soon as one is granted', async () => {
      const product = shopify.add();
      await connect();
      const connected = await connectApp();
      expect(connected.json).toMatchObject({ clientId: shopify.clientId, webhooks: true });
      expect(connected.text).not.toMatch(/shpat|shpss/);
      expect(await current()).toMatchObject({ products: 1, published: 1 });
      expect(grants()).toBe(1);
      shopify.granted.clear();
      shopify.refusal = { status: 503, body: '' };
      product.variants = [{ sku: 'AFTERWARDS', barcode: null }];
      await operate('POST', '/read');
      await expect.poll(grants).toBe(2);
      shopify.refusal = null;
      await current();
      expect(JSON.stringify(shopify.certificateOf(product))).toContain('AFTERWARDS');
      expect(shopify.granted.size).toBe(1);
    });

    test('reports when the shop grants none any more; continues with a new secret, and with a token', async () => {
      shopify.add();
      await connectApp();
      await current();
      shopify.granted.clear();
      shopify.refusal = { status: 400, body: '{"error":"invalid_client"}' };
      await operate('POST', '/read');
      expect(await until(({ state }) => state === 'failing')).toMatchObject({
        problem: { code: 'shopify_credentials_refused', detail: 'It answered 400: invalid_client.' },
      });
      shopify.refusal = null;
      expect((await connectApp()).json).not.toHaveProperty('problem');
      await connect();
      shopify.granted.clear();
      const connection = await current();
      expect(connection).toMatchObject({ products: 1, published: 1 });
      expect(connection).not.toHaveProperty('clientId');
    });

    test.each([
      ['the client ID is wrong', { clientId: 'f00' }, /application_cannot_be_found/],
      ['the secret is wrong', { clientSecret: 'shpss_wrong' }, /invalid_client/],
    ])('is not connected if %s', async (_, changes, told) => {
      const answer = await connectApp(changes);
      expect([answer.status, answer.json.code]).toEqual([422, 'shopify_refused']);
      expect(answer.text).toMatch(told);
      expect(answer.text).not.toContain('shpss');
    });

    test.each([
      [
        400,
        'Oauth error shop_not_permitted: Client credentials cannot be performed on this shop.',
        /organization/,
      ],
      [200, '{"access_token":""}', /cannot be read/],
      [200, '{"acce', /cannot be read/],
      [404, '', /no such shop/],
      [429, '', /no more calls/],
    ])('is not connected if the shop answers %i %s', async (status, body, told) => {
      shopify.refusal = { status, body };
      const answer = await connectApp();
      expect([answer.status, answer.json.code]).toEqual([422, 'shopify_refused']);
      expect(answer.text).toMatch(told);
    });

    test.each([
      ['both', { accessToken: 'shpat_1' }],
      ['neither', { clientId: undefined }],
      ['no secret', { clientSecret: undefined }],
    ])('is not asked with %s of them', async (_, changes) => {
      expect((await connectApp(changes)).status).toBe(422);
      expect(shopify.asked).toEqual([]);
    });
  });

  describe('with more than 10,000 products, according to the shop', () => {
    const asked = (name: string) => shopify.asked.filter((one) => one === name).length;
    const fill = (count = 10) => {
      shopify.counted = 30_000;
      for (let nth = 0; nth < count; nth += 1) shopify.add();
      return Array.from(shopify.products.values());
    };
    /** Triggers a poll of the shop by the service. */
    const wake = (product: Parameters<TestShopify['webhook']>[1], title: string) =>
      deliver('products/update', { ...product, title });

    test('is read by a bulk operation, with the same result as by pages', async () => {
      const products = fill();
      const [many] = products;
      if (many === undefined) throw new Error('no product');
      many.images = Array.from({ length: 40 }, (_, nth) => `https://cdn.shopify.com/${nth}.jpg`);
      many.variants = Array.from({ length: 90 }, (_, nth) => ({ sku: `K-${nth}`, barcode: null }));
      shopify.add({ status: 'DRAFT' });
      await connect();
      expect(await current()).toMatchObject({ products: 11, published: 10, failed: 0 });
      expect([asked('Collect'), asked('Products')]).toEqual([1, 0]);
      const collected = shopify.certificateOf(many);
      shopify.counted = null;
      await operate('POST', '/read');
      await current();
      expect(asked('Products')).toBe(1);
      expect(shopify.certificateOf(many)).toEqual(collected);
      expect(new Set(JSON.stringify(collected).match(/cdn\.shopify\.com\/\d+\.jpg/g)).size).toBe(25);
    });

    test('is read from lines in any order', async () => {
      fill();
      shopify.bulk.ends.push({ lines: (lines) => lines.toSorted((a, b) => (a > b ? -1 : 1)) });
      await connect();
      expect(await current()).toMatchObject({ products: 10, published: 10, failed: 0 });
      for (const product of shopify.products.values())
        expect(JSON.stringify(shopify.certificateOf(product))).toContain(`"K-${product.id}"`);
    });

    test('is followed while Shopify collects; the file does not revert later changes', async () => {
      const [changed, deleted] = fill(3);
      if (changed === undefined || deleted === undefined) throw new Error('no product');
      shopify.bulk.ends.push('held');
      await connect();
      expect(await until(({ reading }) => (reading as Json | undefined)?.products === 3)).toMatchObject({
        state: 'reading',
        reading: { by: 'bulk', step: 'collecting', products: 3, of: 30_000 },
      });
      changed.variants = [{ sku: 'NEWER', barcode: null }];
      shopify.products.delete(String(deleted.id));
      await deliver('products/update', changed);
      await deliver('products/delete', deleted);
      await until(({ published }) => published === 1);
      expect(JSON.stringify(shopify.certificateOf(changed))).toContain('NEWER');
      shopify.bulk.release();
      await wake(changed, 'once more');
      expect(await current()).toMatchObject({ products: 2, published: 2 });
      expect(JSON.stringify(shopify.certificateOf(changed))).toContain('NEWER');
      expect(asked('Collect')).toBe(1);
    });

    test('is read by a second operation if the first has no result', async () => {
      fill();
      shopify.bulk.ends.push({ status: 'FAILED', errorCode: 'TIMEOUT' });
      await connect();
      expect(await current()).toMatchObject({ products: 10, published: 10, failed: 0 });
      expect([asked('Collect'), asked('Products')]).toEqual([2, 0]);
      expect(shopify.bulk.grouped.at(-1)).toBe(false);
    });

    type End = TestShopify['bulk']['ends'][number];
    test.each<[string, End, End]>([
      [
        'is canceled, then has a file that ends in a line',
        { status: 'CANCELED' },
        { lines: (lines) => [...lines.slice(0, -1), '{"id":"gid:'] },
      ],
      ['has expired, then is refused', { status: 'EXPIRED' }, { refused: 'INVALID' }],
      ['has no file, then one that no longer exists', 'empty', 'gone'],
      [
        'has a file that ends too early, then one of something else',
        { lines: (lines) => lines.slice(0, 10) },
        { lines: () => ['<html>'] },
      ],
    ])('is read by pages if the operation %s', async (_, first, second) => {
      fill();
      shopify.bulk.ends.push(first, second);
      await connect();
      expect(await current()).toMatchObject({ products: 10, published: 10, failed: 0 });
      expect([asked('Collect'), asked('Products')]).toEqual([2, 1]);
    });

    test('waits while other operations of the app run, and reports when the app may not read', async () => {
      const [first] = fill();
      if (first === undefined) throw new Error('no product');
      shopify.bulk.ends.push({ refused: 'LIMIT_REACHED' }, { status: 'FAILED', errorCode: 'ACCESS_DENIED' });
      await connect();
      await expect.poll(() => asked('Collect')).toBe(1);
      expect((await operate('GET', '')).json).toMatchObject({ state: 'reading', reading: { by: 'bulk' } });
      await wake(first, 'a');
      const failing = await until(({ state }) => state === 'failing');
      expect(failing).toMatchObject({ problem: { code: 'shopify_scope_missing' } });
      await wake(first, 'b');
      expect(await current()).toMatchObject({ products: 10, published: 10 });
      expect(asked('Collect')).toBe(3);
    });

    test('continues with the same file after an interruption, and deletes what is not in it', async () => {
      const products = fill(110);
      await connect();
      await current();
      const [gone, first] = products;
      if (gone === undefined || first === undefined) throw new Error('no product');
      shopify.products.delete(String(gone.id));
      for (const product of shopify.products.values())
        product.variants = [{ sku: `NEW-${product.id}`, barcode: null }];
      shopify.bulk.ends.push('broken_off');
      await operate('POST', '/read');
      expect(await until(({ state }) => state === 'failing')).toMatchObject({
        problem: { code: 'shopify_unreachable' },
      });
      await wake(first, 'go on');
      expect(await current()).toMatchObject({ products: 109, published: 109, failed: 0 });
      expect(asked('Collect')).toBe(2);
      for (const product of shopify.products.values())
        expect(JSON.stringify(shopify.certificateOf(product))).toContain(`NEW-${product.id}`);
    });
  });

  // the following tests run in this order, since they set the clock
  test('a granted token is replaced before it expires', async () => {
    shopify.add();
    const { clientId, secret: clientSecret } = shopify;
    await connect({ accessToken: undefined, clientId, clientSecret });
    await current();
    scene.travel(86_399 - 300);
    await operate('POST', '/read');
    await current();
    expect(shopify.asked.filter((name) => name === 'Grant')).toHaveLength(2);
  });

  test('a webhook that is not signed with the secret, or with one replaced over an hour ago, changes nothing', async () => {
    const product = shopify.add();
    await connect();
    await current();
    expect(await deliver('products/update', product, 'another')).toBe(401);
    await connect({ clientSecret: 'rotated' });
    await current();
    expect(await deliver('products/update', { ...product, title: 'x' })).toBe(204);
    expect(await deliver('products/update', { ...product, title: 'y' }, 'rotated')).toBe(204);
    scene.travel(3_601);
    expect(await deliver('products/update', { ...product, title: 'z' })).toBe(401);
  });
});

describe('a shop that cannot be connected', () => {
  test.each([
    ['the token is refused', { accessToken: 'shpat_wrong' }, 422, /shopify_refused/, /access token/],
    ['the shop does not answer', { shop: 'nobody.myshopify.com' }, 422, /shopify_refused/, /did not answer/],
    ['the name is not a permanent one', { shop: 'kettles.example' }, 422, /myshopify/, /myshopify/],
  ])('says so when %s', async (_, changes, status, code, sentence) => {
    const answer = await connect(changes);
    expect(answer.status).toBe(status);
    expect(answer.text).toMatch(code);
    expect(answer.text).toMatch(sentence);
    expect(answer.text).not.toContain('shpat');
  });

  test('names the scopes that are missing', async () => {
    shopify.scopes = ['read_products'];
    expect((await connect()).text).toMatch(/write_products/);
  });

  test('is connected to one store at a time', async () => {
    await connect();
    const first = storeId;
    storeId = await addStore(merchantId, `${STOREFRONT}/es`);
    const answer = await connect();
    storeId = first;
    expect(answer.status).toBe(409);
  });
});

async function deliver(topic: string, product: Parameters<TestShopify['webhook']>[1], secret?: string) {
  const { headers, body } = shopify.webhook(topic, product, secret);
  const path = `${scene.service.url}/api/v1/shopify/${storeId}/webhooks`;
  const { status } = await fetch(path, { method: 'POST', headers, body });
  return status;
}
