import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ChangeWay } from '../../platform/cache/poll-changes.ts';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { patchMerchant } from '../registry/merchants/merchants.ts';
import { removeImage } from '../registry/products/product-images.ts';
import { patchStore } from '../registry/stores/stores.ts';
import { registryOf } from '../registry/testing.ts';
import { changeProducts, parse, type TestNode, type TestShop, testNode, testShop, warm } from './testing.ts';

const WAYS = ['listen', 'poll'] as const;
const now = new Date(Date.UTC(2026, 0, 1));
const masterKey = randomBytes(32);

let database: TestDatabase;
let shop: TestShop;
const nodes: TestNode[] = [];

beforeAll(async () => {
  database = await testDatabase();
  shop = await testShop(database);
});
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()));
});
afterAll(() => database.close());

const clock = () => now;

const startNodeBy =
  (changesBy: ChangeWay) =>
  async (options: Parameters<typeof testNode>[1] = { clock }): Promise<TestNode> => {
    const node = await testNode(database, { masterKey, changesBy, ...options });
    nodes.push(node);
    return node;
  };

const hide = (productId: string, visible = false) =>
  changeProducts(database, [productId], `visible = ${visible}`);

describe.each(WAYS)('a change, heard by %s,', (changesBy) => {
  const startNode = startNodeBy(changesBy);

  test('made on this node is visible at once, before any notification', async () => {
    const node = await startNode();
    const { productId } = await shop.addProduct();
    expect(parse(await node.getCertificate(productId))).toHaveProperty('proof');
    for (const visible of [false, true, false]) {
      await hide(productId, visible);
      node.changes.publish(`p:${productId}`);
      expect('proof' in parse(await node.getCertificate(productId))).toBe(visible);
    }
  });

  test.each(['product', 'store', 'merchant', 'image'] as const)(
    'of the %s made on another node is visible within a second',
    async (what) => {
      const node = await startNode();
      const own = await testShop(database, `${what}-${changesBy}.example`);
      const { productId, imageIds } = await own.addProduct();
      const before = await warm(node, productId);
      const registry = registryOf(database);
      if (what === 'product') await hide(productId);
      if (what === 'store') await patchStore(registry, 'all', own.storeId, { name: 'New' });
      if (what === 'merchant') await patchMerchant(registry, 'all', own.merchantId, { paused: true });
      if (what === 'image') await removeImage(registry, 'all', imageIds[0] ?? '');
      const committed = performance.now();
      // a request that starts a second later gets the change, however long it takes
      for (let asked = committed; ; asked = performance.now()) {
        if ((await node.getCertificate(productId)).etag !== before.etag) break;
        expect(asked - committed).toBeLessThan(1_000);
        await delay(1);
      }
    },
  );

  test('leads to the same bytes on every node', async () => {
    const [one, two] = [await startNode(), await startNode()];
    const { productId } = await shop.addProduct();
    const first = await Promise.all([one.getCertificate(productId), two.getCertificate(productId)]);
    expect(first[0]).toEqual(first[1]);
    await changeProducts(database, [productId], "name = 'Mug'");
    one.changes.publish('*');
    two.changes.publish('*');
    const second = await Promise.all([one.getCertificate(productId), two.getCertificate(productId)]);
    expect(second[0]).toEqual(second[1]);
    expect(second[0]?.etag).not.toBe(first[0]?.etag);
    const rows = await database.query('select 1 from proofs where subject_id = $1', [productId]);
    expect(rows).toHaveLength(2);
  });

  test('is seen even among very many others', async () => {
    const node = await startNode();
    const { productId } = await shop.addProduct();
    await node.getCertificate(productId);
    await hide(productId);
    await database.query("select announce_changes(array_agg('p:' || i)) from generate_series(1, 20000) i");
    await delay(1_000);
    expect(parse(await node.getCertificate(productId))).not.toHaveProperty('proof');
  });
});

describe.each(WAYS)('when freshness cannot be proven by %s,', (changesBy) => {
  const startNode = startNodeBy(changesBy);

  test('a listening session that hangs silently is not trusted for more than a second', async () => {
    const node = await startNode();
    const { productId } = await shop.addProduct();
    await warm(node, productId);
    const [session] = await database.query<{ pid: number }>(
      `select pid from pg_stat_activity
        where application_name = 'touchstone listener' and datname = current_database()`,
    );
    const pid = session?.pid ?? 0;
    expect(pid).toBeGreaterThan(1);
    process.kill(pid, 'SIGSTOP');
    try {
      await hide(productId);
      await delay(1_000);
      expect(parse(await node.getCertificate(productId))).not.toHaveProperty('proof');
      await hide(productId, true);
      expect(parse(await node.getCertificate(productId))).toHaveProperty('proof');
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await node.listener.whenProven(AbortSignal.timeout(60_000));
    await hide(productId);
    await delay(1_000);
    expect(parse(await node.getCertificate(productId))).not.toHaveProperty('proof');
  });

  test('each response is read again, and is correct', async () => {
    let time = 0;
    const node = await startNode({ clock, monotonic: () => time });
    const { productId } = await shop.addProduct();
    await node.getCertificate(productId);
    // no heartbeat is recent enough: each is more than a second old on arrival
    const runaway = setInterval(() => {
      time += 10_000;
    }, 1);
    try {
      await delay(5);
      const before = node.counts.queries;
      for (const visible of [false, true, false]) {
        await hide(productId, visible);
        time += 10_000;
        expect('proof' in parse(await node.getCertificate(productId))).toBe(visible);
      }
      expect(node.counts.queries - before).toBeGreaterThanOrEqual(3);
    } finally {
      clearInterval(runaway);
    }
  });
});
