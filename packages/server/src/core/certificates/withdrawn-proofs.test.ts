import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { actOnProducts } from '../registry/changes/product-actions.ts';
import { undoChange } from '../registry/changes/undo-change.ts';
import { addDomain, removeDomain } from '../registry/domains/domains.ts';
import { patchMerchant } from '../registry/merchants/merchants.ts';
import { deleteProduct, patchProduct } from '../registry/products/change-product.ts';
import { registryOf, type TestRegistry, testShop as testStore } from '../registry/testing.ts';
import { withdrawProduct } from '../registry/withdrawals/withdraw-product.ts';
import type { StatusEntry } from './status-entries.ts';
import { parse, type TestNode, testNode } from './testing.ts';

const masterKey = randomBytes(32);
const SECOND = 1_000;
const MORE = 'more.example';

let database: TestDatabase;
let registry: TestRegistry;
let shop: Awaited<ReturnType<typeof testStore>>;
let node: TestNode;
let now: number;
let taken: StatusEntry[];
let productId: string;
let imageId: string;

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  now = Date.parse('2026-11-20T10:00:00.400Z');
  registry = { ...registryOf(database), clock: () => new Date(now) };
  shop = await testStore(registry);
  taken = [];
  node = await open(() => new Date(now));
  await addDomain(registry, 'all', shop.storeId, { hostname: MORE });
  const [made] = await shop.put(cup());
  productId = made?.id ?? '';
  const images = await database.query<{ id: string }>('select id from images');
  imageId = images[0]?.id ?? '';
  registry = { ...registry, onChange: (changes) => changes.forEach(node.changes.publish) };
});
afterEach(async () => {
  await node.close();
  await database.empty();
});
afterAll(() => database.close());

const cup = () => shop.row('cup', { url: `https://${MORE}/cup` });
const open = (clock: () => Date) =>
  testNode(database, {
    clock,
    masterKey,
    statusEntries: {
      take: async (count) => {
        const entries = Array.from({ length: count }, (_, nth) => ({ list: 7, index: taken.length + nth }));
        taken.push(...entries);
        return entries;
      },
    },
  });

interface Claims {
  readonly iat: number;
  readonly status: { readonly status_list: { readonly idx: number; readonly uri: string } };
}

function claimsOf(document: { readonly proof: { readonly jwt: string } }): Claims {
  return JSON.parse(Buffer.from(document.proof.jwt.split('.')[1] ?? '', 'base64url').toString());
}

const served = async (by: TestNode = node) => claimsOf(parse(await by.getCertificate(productId)));
const records = () =>
  database.query<{ kind: string; generation: number; status_index: number; issued_at: Date }>(
    'select kind, generation, status_list, status_index, issued_at from proofs order by id',
  );
const withdrawals = () =>
  database.query<{ cause: string }>(
    'select cause, reason, by_key, change_id, product_id from withdrawals order by id',
  );
const show = (visible: boolean) => patchProduct(registry, 'all', productId, { visible });

/** What withdraws for good, and how the product comes back. */
const CAUSES: Readonly<Record<string, readonly [() => Promise<unknown>, () => Promise<unknown>]>> = {
  deleted: [() => deleteProduct(registry, 'all', productId), () => shop.put(cup())],
  disabled: [
    () => patchProduct(registry, 'all', productId, { disabled: true }),
    () => patchProduct(registry, 'all', productId, { disabled: false }),
  ],
  host_lost: [
    () => removeDomain(registry, 'all', shop.storeId, MORE),
    () => addDomain(registry, 'all', shop.storeId, { hostname: MORE }),
  ],
  by_hand: [() => withdrawProduct(registry, 'all', productId, {}), () => show(true)],
};

describe.each(Object.entries(CAUSES))('certificates withdrawn: %s', (cause, [withdraw, bringBack]) => {
  test('what comes back in the same second has a later proof, of another entry of a list', async () => {
    const before = await served();
    await withdraw();
    await bringBack();
    const after = await served();
    expect(after.iat).toBe(before.iat + 1);
    expect(after.status.status_list).toEqual({
      idx: before.status.status_list.idx + 1,
      uri: 'https://certificates.example/api/v1/mc4p/status/7',
    });
    expect((await records()).map(({ generation }) => generation)).toEqual([1, 2]);
    expect(await withdrawals()).toMatchObject([{ cause, product_id: productId }]);
    // and stays
    expect(await served()).toEqual(after);
  });

  test('subscribers of webhooks and followers of the stream of certificates are told, each once', async () => {
    await database.query(
      `insert into webhooks (id, merchant_id, url, events, secret, created_at)
       values (gen_random_uuid(), $1, 'https://hooks.example', '{certificate.withdrawn}', '', now())`,
      [shop.merchantId],
    );
    const store = { id: shop.storeId, merchantId: shop.merchantId };
    const told = () => database.query('select type, count, items from events');
    const lines = async (since?: string) => {
      const texts: string[] = [];
      for await (const some of await node.streamCertificates('all', shop.storeId, since)) texts.push(...some);
      return texts.map((text) => JSON.parse(text) as { status: string; cursor: string });
    };
    await node.issueBatch(store);
    const before = await lines();
    await withdraw();
    while ((await node.issueBatch(store)) > 0);
    const event = { type: 'certificate.withdrawn', count: 1, items: [{ productId }] };
    expect(await told()).toMatchObject([event]);
    const after = await lines(before.at(-1)?.cursor);
    expect(after).toMatchObject([
      { status: 'withdrawn', productId },
      { status: 'end', withdrawn: 1 },
    ]);
    expect(await lines(after.at(-1)?.cursor)).toMatchObject([{ status: 'end', withdrawn: 0 }]);
  });
});

test('what is suspended comes back with the same proof, and nothing is listed', async () => {
  const before = await served();
  await show(false);
  await show(true);
  await patchMerchant(registry, 'all', shop.merchantId, { paused: true });
  await patchMerchant(registry, 'all', shop.merchantId, { paused: false });
  await patchMerchant(registry, 'all', shop.merchantId, { planCapacity: 0 });
  await patchMerchant(registry, 'all', shop.merchantId, { planCapacity: 9 });
  expect(await served()).toEqual(before);
  expect(await withdrawals()).toEqual([]);
});

test('the proofs of the images of a product are withdrawn with it', async () => {
  const asset = async () => claimsOf(parse(await node.getAssetCertificate(imageId)));
  const image = async () => claimsOf(parse(await node.getImageCertificate(imageId, 'full')));
  const before = [await asset(), await image()];
  await withdrawProduct(registry, 'all', productId, { reissue: true });
  const after = [await asset(), await image()];
  expect(after.map(({ iat }) => iat)).toEqual(before.map(({ iat }) => iat + 1));
  const indices = [...before, ...after].map(({ status }) => status.status_list.idx);
  expect(new Set(indices).size).toBe(4);
});

test('a proof of a node whose clock is ahead is withdrawn too, and the next one of each node is later', async () => {
  const ahead = await open(() => new Date(now + 45 * SECOND));
  const before = await served(ahead);
  await withdrawProduct(registry, 'all', productId, { reissue: true });
  const after = await served();
  expect(after.iat).toBe(before.iat + 1);
  ahead.changes.publish(`p:${productId}`);
  expect(await served(ahead)).toEqual(after);
  await ahead.close();
});

test('a proof begun beside a withdrawal is not served after it: recorded and not signed, or begun from what was read before', async () => {
  const read = await node.snapshots.product(productId);
  if (read === null) throw new Error('no product');
  const { merchantId, snapshot } = read;
  await node.proofs.proofFor({ merchantId, kind: 'product', id: productId, snapshot });
  // as if its node had been killed before it signed
  await database.query('update proofs set signature = null');
  await withdrawProduct(registry, 'all', productId, { reissue: true });
  const late = await node.proofs.proofFor({ merchantId, kind: 'product', id: productId, snapshot });
  const [withdrawn] = await database.query<{ withdrawn_at: Date }>('select withdrawn_at from products');
  expect(late.issuedAt.getTime()).toBeLessThanOrEqual(Number(withdrawn?.withdrawn_at));
  const after = await served();
  expect(after.iat * SECOND).toBeGreaterThan(Number(withdrawn?.withdrawn_at));
  expect((await records()).at(-1)).toMatchObject({
    generation: 2,
    status_index: after.status.status_list.idx,
  });
});

test('an unsigned record with another entry than it states is not signed', async () => {
  await served();
  await database.query('update proofs set signature = null, status_index = 99');
  node.changes.publish(`p:${productId}`);
  expect((await served()).status.status_list.idx).toBe(1);
  expect((await records()).map(({ generation }) => generation)).toEqual([1, 2]);
});

test('withdrawing again withdraws only what was issued in between, and is listed once for each', async () => {
  await served();
  await withdrawProduct(registry, 'all', productId, { reason: 'wrong price' });
  await withdrawProduct(registry, 'all', productId, { reason: 'again' });
  expect(await withdrawals()).toMatchObject([{ reason: 'wrong price' }]);
  await withdrawProduct(registry, 'all', productId, { reissue: true });
  expect(await withdrawals()).toHaveLength(1);
  await show(true);
  const second = await served();
  now += 5 * SECOND;
  await withdrawProduct(registry, 'all', productId, { reissue: true });
  expect((await served()).iat).toBeGreaterThan(second.iat);
  expect(await withdrawals()).toHaveLength(2);
});

test('a product without room for a later date fails alone, and does not keep others from their certificates', async () => {
  const [other] = await shop.put(shop.row('jug'));
  await database.query(
    `update products set withdrawn_at = '2026-11-20T10:30:00Z' where external_product_id = 'cup'`,
  );
  await expect(served()).rejects.toMatchObject({ code: 'signer_unavailable' });
  await node.issueBatch({ id: shop.storeId, merchantId: shop.merchantId });
  expect(await database.query('select product_id from certificate_lines where proof_id is not null')).toEqual(
    [{ product_id: other?.id }],
  );
});

test('an action on many withdraws and hides all that match, hidden ones too; it keeps by whom and why, and cannot be undone', async () => {
  const rows = await shop.put(...['a', 'b', 'c'].map((id) => shop.row(id)));
  await show(false);
  const few = { ...registry, productsAtOnce: 100 };
  await node.issueBatch({ id: shop.storeId, merchantId: shop.merchantId });
  await show(true);
  await served();
  await show(false);
  const keyId = '4f0c3f6e-5a3e-4d0b-9d57-0d9a8b6b1c11';
  const body = { action: 'withdraw', filter: {}, reason: 'recall' } as const;
  const change = await actOnProducts(few, 'all', shop.storeId, body, keyId);
  expect(change).toMatchObject({ kind: 'withdraw', state: 'done', done: 4, changed: 4 });
  expect(change).not.toHaveProperty('undoableUntil');
  const told = { cause: 'by_hand', reason: 'recall', by_key: keyId, change_id: change.id };
  expect(await withdrawals()).toHaveLength(rows.length + 1);
  for (const one of await withdrawals()) expect(one).toMatchObject(told);
  expect(await database.query('select from products where visible or withdrawn_at is null')).toEqual([]);
  await expect(undoChange(few, 'all', change.id)).rejects.toMatchObject({ code: 'conflict' });
});

describe('what was withdrawn by hand', () => {
  const act = (action: 'hide' | 'show' | 'withdraw') =>
    actOnProducts(registry, 'all', shop.storeId, { action, productIds: [productId] });
  const byHand: Readonly<Record<string, () => Promise<unknown>>> = {
    one: () => withdrawProduct(registry, 'all', productId, {}),
    many: () => act('withdraw'),
  };
  const shown: Readonly<Record<string, () => Promise<unknown>>> = {
    one: () => show(true),
    many: () => act('show'),
  };

  test.each(['one', 'many'] as const)(
    'stays without a certificate whatever rows of the shop state, and returns when its merchant shows it: %s',
    async (how) => {
      const before = await served();
      const hidden = await act('hide');
      await byHand[how]?.();
      for (const row of [cup(), { ...cup(), visible: false }, { ...cup(), visible: true }])
        expect(await shop.put(row)).toMatchObject([{ state: 'hidden', keptHidden: true }]);
      await deleteProduct(registry, 'all', productId);
      expect(await shop.put({ ...cup(), visible: true })).toMatchObject([
        { status: 'revived', state: 'hidden', keptHidden: true },
      ]);
      // an undo of what was done before the withdrawal is no decision about it
      await undoChange(registry, 'all', hidden.id);
      await node.issueBatch({ id: shop.storeId, merchantId: shop.merchantId });
      expect(parse(await node.getCertificate(productId))).not.toHaveProperty('proof');
      expect(await records()).toHaveLength(1);
      await shown[how]?.();
      expect((await served()).iat).toBeGreaterThan(before.iat);
      const [result] = await shop.put({ ...cup(), visible: true });
      expect(result).toMatchObject({ state: 'active' });
      expect(result).not.toHaveProperty('keptHidden');
    },
  );

  test('with new certificates at once is a product like any other', async () => {
    await served();
    await withdrawProduct(registry, 'all', productId, { reissue: true });
    await shop.put({ ...cup(), visible: false });
    expect(await shop.put({ ...cup(), visible: true })).toMatchObject([{ state: 'active' }]);
  });
});
