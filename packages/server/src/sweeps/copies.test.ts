import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addDomain } from '../registry/domains/domains.ts';
import { type TestRegistry, type TestShop, testRegistry, testShop } from '../registry/testing.ts';
import { createCopyRecorder, listCopies, purgeCopies } from './copies.ts';

let registry: TestRegistry;
let shop: TestShop;
let productId: string;
let now: Date;
let faults: unknown[];

beforeAll(async () => {
  registry = await testRegistry();
  shop = await testShop(registry);
  productId = (await shop.put(shop.row('cup')))[0]?.id ?? '';
  await registry.database.query(
    `insert into webhooks (id, merchant_id, url, events, secret, created_at)
     values (gen_random_uuid(), $1, 'https://hooks.example', '{copy.found}', '', now())`,
    [shop.merchantId],
  );
});
afterAll(() => registry.close());
beforeEach(async () => {
  now = new Date('2026-03-08T12:00:00Z');
  faults = [];
  await registry.database.query('truncate copies, webhook_deliveries, events');
  await registry.database.query("delete from jobs where queue = 'webhooks'");
  await registry.database.query('update sweep_stores set copies_more = 0');
});

/** What one process notes. */
const notes = () =>
  createCopyRecorder({ db: registry.db, clock: () => now, onFault: (fault) => faults.push(fault) });
const met = (pageUrl: string, note = notes()) => note({ productId, pageUrl });
const list = (query: { cursor?: string; limit?: number } = {}) =>
  listCopies(registry, 'all', shop.storeId, { limit: 100, ...query });
const events = () => registry.database.query('select count, items from events');

it('a cursor of no store starts with the first copy', async () => {
  expect(await list({ cursor: `${'-'.repeat(36)} copy.example` })).toEqual({ copies: [], more: 0 });
});

it('a copy is listed with host, URL, when and how often, and nothing about who asked', async () => {
  await met('https://me:secret@copy.example/cup?email=me@example.com#part');
  now = new Date('2026-03-09T12:00:00Z');
  await met('https://copy.example/cup-2?session=1');
  expect(await list()).toEqual({
    copies: [
      {
        productId,
        externalProductId: 'cup',
        host: 'copy.example',
        url: 'https://copy.example/cup-2',
        firstAt: '2026-03-08T12:00:00.000Z',
        lastAt: '2026-03-09T12:00:00.000Z',
        times: 2,
      },
    ],
    more: 0,
  });
  expect(await events()).toEqual([
    {
      count: 1,
      items: [{ productId, externalProductId: 'cup', host: 'copy.example', url: 'https://copy.example/cup' }],
    },
  ]);
});

it('a copy is counted at most once a minute by each process, however often it is found', async () => {
  const note = notes();
  await Promise.all(Array.from({ length: 5 }, () => met('https://copy.example/cup', note)));
  await met('https://copy.example/cup', notes());
  expect((await list()).copies).toMatchObject([{ times: 2 }]);
});

it("the merchant's own pages are not copies: other stores of it, with or without www.", async () => {
  await addDomain(registry, 'all', shop.storeId, { hostname: 'second.example' });
  for (const host of ['shop.example', 'www.shop.example', 'second.example']) await met(`https://${host}/cup`);
  await notes()({ productId: '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01', pageUrl: 'https://copy.example/cup' });
  expect((await list()).copies).toEqual([]);
  expect(await events()).toEqual([]);
});

it('a store has a thousand at most, listed page by page, and deleted in time', async () => {
  await registry.database.query(
    `insert into copies (product_id, host, store_id, url, first_at, last_at)
     select $1, 'copy-' || n || '.example', $2, 'https://copy.example', $3, $3 from generate_series(1, 999) n`,
    [productId, shop.storeId, now],
  );
  await met('https://z-1.example/cup');
  await met('https://z-2.example/cup');
  const first = await list({ limit: 600 });
  const second = await list({
    limit: 600,
    ...(first.nextCursor === undefined ? {} : { cursor: first.nextCursor }),
  });
  expect([first.copies.length, second.copies.length, second.more]).toEqual([600, 400, 1]);
  expect(second.copies.at(-1)?.host).toBe('z-1.example');
  await met('https://copy-1.example/cup');
  expect(await purgeCopies(registry.db, new Date(now.getTime() + 91 * 86_400_000))).toBe(1_000);
});

it('a failure to record a copy fails nothing else', async () => {
  const { db, close } = registry.database.open();
  await close();
  const note = createCopyRecorder({ db, clock: () => now, onFault: (fault) => faults.push(fault) });
  await note({ productId, pageUrl: 'https://copy.example/cup' });
  expect(faults).toHaveLength(1);
});
