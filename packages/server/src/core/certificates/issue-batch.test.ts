import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { emitterOf } from '../../parts.ts';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { createBackgroundPace } from '../../platform/limits/background-pace.ts';
import { activeKey } from '../keys/key-schedule.ts';
import { patchMerchant } from '../registry/merchants/merchants.ts';
import { patchStore } from '../registry/stores/stores.ts';
import { registryOf } from '../registry/testing.ts';
import { createIssueBatch } from './issue-batch.ts';
import { renewAt } from './renewal.ts';
import { takeDue } from './take-due-products.ts';
import { changeProducts, parse, type TestNode, type TestShop, testNode, testShop } from './testing.ts';

const emit = emitterOf({ without: [] });

const DAY = 86_400_000;
const masterKey = randomBytes(32);

let database: TestDatabase;
let shop: TestShop;
let now: Date;
let first: TestNode;
let second: TestNode;

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  shop = await testShop(database);
  now = new Date('2026-03-01T12:00:00Z');
  first = await open();
  second = await open();
});
afterEach(async () => {
  await Promise.all([first.close(), second.close()]);
  await database.empty();
});
afterAll(() => database.close());

const open = () => testNode(database, { clock: () => now, masterKey });

/** Batch after batch, until nothing is due. */
async function issueAll(...which: TestNode[]): Promise<number> {
  let checked = 0;
  const drain = async ({ issueBatch }: TestNode) => {
    for (let count = await issueBatch(shop.store); count > 0; count = await issueBatch(shop.store))
      checked += count;
  };
  await Promise.all(which.map(drain));
  return checked;
}

const proofs = () =>
  database.query<{ subject_id: string; generation: number; kid: string; signature: string | null }>(
    'select subject_id, generation, kid, signature from proofs order by id',
  );
const lines = () =>
  database.query<{ product_id: string; position: string; proof_id: string | null }>(
    'select product_id, position, proof_id from certificate_lines order by position',
  );
const store = async () =>
  (await database.query('select position, certificates, visit_after from certificate_stores'))[0];
const revoke = async (node: TestNode) => {
  const keys = await node.keys.list();
  await node.keys.revoke(activeKey(keys)?.kid ?? '');
};

test('certificates are issued before they are requested, once on two nodes concurrently; a GET signs nothing more', async () => {
  const products = await Promise.all(Array.from({ length: 300 }, () => shop.addProduct({ images: 1 })));
  expect(await issueAll(first, second, first, second)).toBe(300);
  const made = await proofs();
  expect(new Set(made.map(({ subject_id: id }) => id))).toEqual(
    new Set(products.map(({ productId }) => productId)),
  );
  expect(made).toHaveLength(300);
  expect(made.every(({ signature }) => signature !== null)).toBe(true);
  expect((await lines()).map(({ position }) => Number(position))).toEqual(
    Array.from({ length: 300 }, (_, index) => index + 1),
  );
  expect(await store()).toMatchObject({ certificates: 300 });
  const signed = first.counts.signatures + second.counts.signatures;
  const [{ productId } = { productId: '' }] = products;
  const document = parse(await second.getCertificate(productId));
  const recorded = made.find(({ subject_id: id }) => id === productId);
  expect(document.proof.jwt).toContain(recorded?.signature);
  expect(first.counts.signatures + second.counts.signatures).toBe(signed);
});

test('only active products get one; one that becomes hidden is withdrawn, and is restored unchanged', async () => {
  const { productId } = await shop.addProduct();
  await shop.addProduct({ visible: false });
  await shop.addProduct({ seat: false });
  await issueAll(first);
  expect(await proofs()).toHaveLength(1);
  const hide = (visible: boolean) => changeProducts(database, [productId], `visible = ${visible}`);
  await hide(false);
  await issueAll(first);
  expect(await lines()).toEqual([{ product_id: productId, position: '2', proof_id: null }]);
  expect(await store()).toMatchObject({ certificates: 0 });
  await hide(true);
  await issueAll(first);
  expect(await lines()).toEqual([{ product_id: productId, position: '3', proof_id: expect.any(String) }]);
  expect(await proofs()).toHaveLength(1);
});

test('a change during a batch is checked again, and the product as read before is discarded', async () => {
  const { productId } = await shop.addProduct();
  const node = first;
  const issueBatch = createIssueBatch({
    emit,
    db: database.db,
    clock: () => now,
    pace: createBackgroundPace(),
    proofs: node.proofs,
    snapshots: {
      async products(merchantId, ids) {
        const read = await node.snapshots.products(merchantId, ids);
        await changeProducts(database, [productId], "name = 'Mug'");
        return read;
      },
    },
  });
  expect(await issueBatch(shop.store)).toBe(1);
  expect(await lines()).toEqual([]);
  expect(await issueAll(node)).toBe(1);
  const [line] = await lines();
  const [{ name } = { name: '' }] = await database.query<{ name: string }>(
    "select snapshot->>'name' as name from proofs where id = $1",
    [line?.proof_id],
  );
  expect(name).toBe('Mug');
});

test('what a killed node had taken is taken by another', async () => {
  await shop.addProduct();
  expect((await takeDue(database.db, shop.store, 10, now))?.productIds).toHaveLength(1);
  expect(await issueAll(first)).toBe(0);
  await database.query("update certificate_due set taken_at = now() - interval '61 seconds'");
  expect(await issueAll(first)).toBe(1);
  expect(await lines()).toHaveLength(1);
});

describe('a certificate is replaced before it expires', () => {
  test('at its scheduled time, once on two nodes, and a cached GET returns the new one', async () => {
    const { productId } = await shop.addProduct();
    await issueAll(first);
    const warm = parse(await second.getCertificate(productId));
    const due = renewAt(productId, now);
    now = new Date(due.getTime() - 1);
    expect(await issueAll(first, second)).toBe(0);
    now = due;
    expect(await issueAll(first, second)).toBe(1);
    expect((await proofs()).map(({ generation }) => generation)).toEqual([1, 2]);
    await expect
      .poll(async () => parse(await second.getCertificate(productId)).proof.jwt)
      .not.toBe(warm.proof.jwt);
    expect(await lines()).toMatchObject([{ position: '2' }]);
  });

  test('with about a fifth of them renewed per day, with more than two days left, from the first cycle on', () => {
    let late = 0;
    const days = Array.from({ length: 5 }, () => 0);
    for (let count = 0; count < 10_000; count += 1) {
      const at = renewAt(randomUUID(), now);
      const age = at.getTime() - now.getTime();
      expect(age).toBeGreaterThanOrEqual(DAY / 4);
      expect(age).toBeLessThanOrEqual(4.75 * DAY);
      const day = Math.floor(age / DAY);
      days[day] = (days[day] ?? 0) + 1;
      late = Math.max(late, age);
    }
    // a quarter of a day belongs to the next renewal
    for (const share of days.slice(1, 4)) expect(share / 10_000).toBeCloseTo(1 / 4.5, 1);
    expect(7 * DAY - late).toBeGreaterThan(2 * DAY);
  });

  test('with the next key, once its key is revoked', async () => {
    await shop.addProduct();
    await issueAll(first);
    await revoke(first);
    expect(await issueAll(first)).toBe(1);
    // a key that cannot sign loses nothing
    await database.query('update signing_keys set private_key = null');
    await revoke(first);
    await expect(issueAll(first)).rejects.toMatchObject({ code: 'signer_unavailable' });
    expect(await database.query('select from certificate_due where taken is not null')).toEqual([]);
    for (const { kid } of (await first.keys.published()).keys) await first.keys.revoke(kid);
    expect(await issueAll(first)).toBe(1);
    const [former, present] = await proofs();
    expect(present?.kid).not.toBe(former?.kid);
    expect(await lines()).toMatchObject([{ position: '3' }]);
  });
});

test('a pause withdraws all, its end restores the same proofs; a new name of the store leads to new ones', async () => {
  for (let count = 0; count < 3; count += 1) await shop.addProduct();
  await issueAll(first);
  const pause = (paused: boolean) => patchMerchant(registryOf(database), 'all', shop.merchantId, { paused });
  await pause(true);
  await issueAll(first);
  expect(await store()).toMatchObject({ certificates: 0, position: '6', visit_after: null });
  await pause(false);
  await issueAll(first);
  expect(await proofs()).toHaveLength(3);
  await patchStore(registryOf(database), 'all', shop.storeId, { name: 'Other' });
  await issueAll(first);
  expect(await proofs()).toHaveLength(6);
  expect(await store()).toMatchObject({ certificates: 3, position: '12' });
});
