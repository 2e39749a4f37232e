import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createReportCopies } from '../../core/page-checks/report-copies.ts';
import { addDomain } from '../../core/registry/domains/domains.ts';
import { type TestRegistry, type TestShop, testRegistry, testShop } from '../../core/registry/testing.ts';
import { addMissingHosts } from './add-missing.ts';
import { listCopies } from './copies.ts';
import { purgeCopies } from './purge.ts';

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
  await registry.database.query('truncate copies, copy_domains, copy_hosts, webhook_deliveries, events');
  await registry.database.query("delete from jobs where queue = 'webhooks'");
  await registry.database.query('update sweep_stores set copies_more = 0');
});

/** What one process notes. */
const notes = () =>
  createReportCopies({
    db: registry.db,
    emit: registry.emit,
    clock: () => now,
    onFault: (fault) => faults.push(fault),
  });
const met = (pageUrl: string, note = notes()) => note.certificate({ productId, pageUrl });
const list = (query: { cursor?: string; limit?: number } = {}) =>
  listCopies({ db: registry.db, trusted: registry.secrets.rows }, 'all', shop.storeId, {
    limit: 100,
    ...query,
  });
const events = () => registry.database.query('select count, items from events');

it('a copy is listed with host, URL, when and how often, and nothing about who asked', async () => {
  await met('https://me:secret@copy.example/cup?email=me@example.com#part');
  now = new Date('2026-03-09T12:00:00Z');
  await met('https://copy.example/cup-2?session=1');
  const seen = { firstAt: '2026-03-08T12:00:00.000Z', lastAt: '2026-03-09T12:00:00.000Z', times: 2 };
  const place = { host: 'copy.example', url: 'https://copy.example/cup-2' };
  expect(await list()).toEqual({
    domains: [
      {
        domain: 'copy.example',
        ...seen,
        hosts: [
          {
            ...place,
            state: 'new',
            found: { certificate: { lastAt: seen.lastAt } },
            firstAt: seen.firstAt,
            lastAt: seen.lastAt,
          },
        ],
        copies: [{ productId, externalProductId: 'cup', ...place, ...seen }],
        dropped: 0,
      },
    ],
    limits: { domains: 1_000, copiesOfDomain: 20 },
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
  expect((await list()).domains).toMatchObject([{ times: 2, copies: [{ times: 2 }] }]);
});

it("the merchant's own pages are not copies: other stores of it, with or without www.", async () => {
  await addDomain(registry, 'all', shop.storeId, { hostname: 'second.example' });
  for (const host of ['shop.example', 'www.shop.example', 'second.example']) await met(`https://${host}/cup`);
  await notes().certificate({
    productId: '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01',
    pageUrl: 'https://copy.example/cup',
  });
  expect((await list()).domains).toEqual([]);
  expect(await events()).toEqual([]);
});

it('a thousand names below one domain leave room for others; the newest evidence of each is kept, and the rest counted', async () => {
  const note = notes();
  for (let n = 0; n < 1_000; n += 1) {
    now = new Date(now.getTime() + 1_000);
    await met(`https://shop-${n}.attacker.co.uk/cup`, note);
  }
  await met('https://another.example/cup', note);
  await met('https://192.0.2.1/cup', note);
  await met('https://192.0.2.2/cup', note);
  await met('https://[2001:db8::1]/cup', note);
  const { domains, more } = await list();
  expect(domains.map(({ domain, times, dropped }) => [domain, times, dropped])).toEqual([
    ['192.0.2.1', 1, 0],
    ['192.0.2.2', 1, 0],
    ['[2001:db8::1]', 1, 0],
    ['another.example', 1, 0],
    ['attacker.co.uk', 1_000, 980],
  ]);
  expect(more).toBe(0);
  expect(domains[4]?.copies.map(({ host }) => host)).toEqual(
    Array.from({ length: 20 }, (_, n) => `shop-${999 - n}.attacker.co.uk`),
  );
  expect(domains[4]?.hosts.map(({ host }) => host)).toEqual(domains[4]?.copies.map(({ host }) => host));
  // what the merchant is told of the attacker is bounded, too
  expect(await events()).toMatchObject([{ count: 24 }]);
  // what is found again is new evidence
  now = new Date(now.getTime() + 1_000);
  await met('https://shop-3.attacker.co.uk/cup');
  const again = (await list()).domains[4];
  expect([again?.dropped, again?.copies[0]?.host]).toEqual([981, 'shop-3.attacker.co.uk']);
});

it('a store has a thousand domains at most, listed page by page, and deleted in time', async () => {
  await registry.database.query(
    `insert into copy_domains (merchant_id, store_id, domain, first_at, last_at, times)
     select $3, $1, 'copy-' || n || '.example', $2, $2, 1 from generate_series(1, 999) n`,
    [shop.storeId, now, shop.merchantId],
  );
  await met('https://z-1.example/cup');
  await met('https://z-2.example/cup');
  const first = await list({ limit: 600 });
  const second = await list({
    limit: 600,
    ...(first.nextCursor === undefined ? {} : { cursor: first.nextCursor }),
  });
  expect([first.domains.length, second.domains.length, second.more]).toEqual([600, 400, 1]);
  expect(second.domains.at(-1)?.domain).toBe('z-1.example');
  await met('https://copy-1.example/cup');
  expect(await purgeCopies(registry.db, new Date(now.getTime() + 91 * 86_400_000))).toBe(2);
  expect((await list()).domains).toEqual([]);
});

it('a copy that a release without hosts has recorded is listed with its host, once', async () => {
  await met('https://copy.example/cup');
  const before = await list();
  await registry.database.query('truncate copy_hosts');
  expect(await addMissingHosts(registry.db)).toBe(1);
  expect(await list()).toEqual(before);
  expect(await addMissingHosts(registry.db)).toBe(0);
});

it('a failure to record a copy fails nothing else', async () => {
  const { db, close } = registry.database.open();
  await close();
  const note = createReportCopies({
    db,
    emit: registry.emit,
    clock: () => now,
    onFault: (fault) => faults.push(fault),
  });
  await note.certificate({ productId, pageUrl: 'https://copy.example/cup' });
  expect(faults).toHaveLength(1);
});
