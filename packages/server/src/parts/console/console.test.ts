import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApiKey, revokeApiKey } from '../../core/registry/api-keys/api-keys.ts';
import { actOnProducts } from '../../core/registry/changes/product-actions.ts';
import { type TestRegistry, type TestShop, testRegistry, testShop } from '../../core/registry/testing.ts';
import { provenOwner, writeOwner } from '../../platform/database/hostname-owners.ts';
import { listActivity } from './activity.ts';
import { failingHosts } from './failing-hosts.ts';
import { operatorOverview } from './operator-overview.ts';
import { recordDays, storeHistory } from './store-history.ts';
import { storeSetup } from './store-setup.ts';

let registry: TestRegistry;
let now = new Date('2026-11-20T10:00:00Z');
beforeAll(async () => {
  registry = { ...(await testRegistry()), clock: () => now };
});
afterAll(() => registry.close());

const query = (statement: string, values: unknown[] = []) => registry.database.query(statement, values);

/** The state of each step. */
async function stepsOf({ storeId }: TestShop) {
  const { steps, next, complete } = await storeSetup(registry, 'all', storeId);
  return { ...Object.fromEntries(steps.map(({ step, state }) => [step, state])), next, complete };
}

it('shows the setup progress of a store from nothing to verified pages', async () => {
  const shop = await testShop(registry, 'setup.example');
  const open = {
    store: 'done',
    domain: 'open',
    products: 'open',
    images: 'open',
    publish: 'open',
    pages: 'open',
  };
  expect(await stepsOf(shop)).toEqual({ ...open, next: 'domain', complete: false });
  const owner = { hostname: 'setup.example', merchant_id: shop.merchantId, method: 'dns_txt' } as const;
  const provenAt = registry.clock();
  await writeOwner(registry.db, registry.secrets.rows, provenOwner(owner, provenAt), provenAt);
  await query(
    `insert into imports (merchant_id, id, store_id, url, kind, prune, scheduled, state, created_at)
     values ($3, $1, $2, 'https://setup.example', 'auto', 'never', false, 'running', now())`,
    [randomUUID(), shop.storeId, shop.merchantId],
  );
  expect(await stepsOf(shop)).toMatchObject({ domain: 'done', products: 'under_way', next: 'products' });
  await query(`update imports set state = 'failed', finished_at = now() where store_id = $1`, [shop.storeId]);
  expect(await stepsOf(shop)).toMatchObject({ products: 'problem' });
  await shop.put(shop.row('a'), shop.row('b'));
  expect(await stepsOf(shop)).toMatchObject({ products: 'done', images: 'under_way', next: 'images' });
  expect(await storeSetup(registry, 'all', shop.storeId)).toMatchObject({
    products: 2,
    domains: { proven: 1, open: 0, lost: 0 },
    lastImport: { state: 'failed' },
    images: { total: 2, waiting: 2, certified: 0, failed: 0 },
  });
  await query(
    `update jobs set result = 'done', finished_at = now(), image_marks = 1 where queue = 'image-scans' and owner = $1`,
    [shop.storeId],
  );
  expect(await stepsOf(shop)).toMatchObject({ images: 'done', next: 'publish' });
  await query(`insert into sweep_counts values ($2, $1, 'expired', 1)`, [shop.storeId, shop.merchantId]);
  expect(await stepsOf(shop)).toMatchObject({ publish: 'done', pages: 'problem', next: 'pages' });
  await query(`insert into sweep_counts values ($2, $1, 'verified', 1)`, [shop.storeId, shop.merchantId]);
  expect(await stepsOf(shop)).toMatchObject({ pages: 'done', complete: true });
  expect((await storeSetup(registry, 'all', shop.storeId)).pages).toMatchObject({
    checked: 2,
    carrying: 2,
    verified: 1,
  });
});

it('shows the days of a store, today with current figures', async () => {
  const shop = await testShop(registry, 'days.example');
  const told = (values: string) =>
    query(`update certificate_stores set ${values} where store_id = $1`, [shop.storeId]);
  await told('certificates = 2, issued = 2');
  await query(`insert into sweep_counts values ($2, $1, 'verified', 2)`, [shop.storeId, shop.merchantId]);
  await recordDays(registry);
  await recordDays(registry);
  now = new Date('2026-11-21T23:50:00Z');
  await told('certificates = 1, issued = 3, renewed = 1, withdrawn = 2');
  await recordDays(registry);
  now = new Date('2026-11-22T10:00:00Z');
  await told('renewed = 5');
  await shop.put(shop.row('a'));
  const history = await storeHistory(registry, 'all', shop.storeId, 90);
  const none = { stale: 0, expired: 0, lost: 0, missing: 0, failed: 0, unreachable: 0 };
  expect(history.days).toMatchObject([
    {
      day: '2026-11-20',
      certificates: 2,
      issued: 2,
      renewed: 0,
      withdrawn: 0,
      pages: { verified: 2, ...none },
    },
    { day: '2026-11-21', certificates: 1, issued: 1, renewed: 1, withdrawn: 2 },
    { day: '2026-11-22', live: true, issued: 0, renewed: 4, withdrawn: 0, images: { total: 1 } },
  ]);
  const lately = await storeHistory(registry, 'all', shop.storeId, 2);
  expect(lately.days).toEqual(history.days.slice(1));
  // certified: what the shop serves, which signed images that it does not serve are not
  await query(
    `insert into image_counts
     (store_id, at, total, done, failed, waiting, retrying, certified, signed_by_us, not_served, no_image, finished)
     values ($1, '-infinity', 5, 5, 0, 0, 0, 4, 3, 3, 0, 0)`,
    [shop.storeId],
  );
  const [served] = (await storeHistory(registry, 'all', shop.storeId, 1)).days;
  expect(served?.images).toMatchObject({ total: 6, certified: 1 });
  expect((await storeSetup(registry, 'all', shop.storeId)).images).toMatchObject({ total: 6, certified: 1 });
});

it('keeps the figures of 400 days', async () => {
  const shop = await testShop(registry, 'kept.example');
  await query(
    `insert into store_days select $2, $1, day::date, 0, 0, 0, 0, 0, 0, 0, '{}'
     from generate_series('2025-10-01'::date, '2026-11-21', '1 day') day`,
    [shop.storeId, shop.merchantId],
  );
  now = new Date('2026-11-22T10:00:00Z');
  await recordDays(registry);
  const { days } = await storeHistory(registry, 'all', shop.storeId, 400);
  expect([days.length, days[0]?.day, days.at(-1)?.day]).toEqual([400, '2025-10-19', '2026-11-22']);
  expect(
    await query('select min(day)::text as day from store_days where store_id = $1', [shop.storeId]),
  ).toEqual([{ day: '2025-10-19' }]);
});

it('lists what happened, newest first, without duplicates or gaps', async () => {
  const shop = await testShop(registry, 'activity.example');
  const scope = { merchantId: shop.merchantId };
  const key = await createApiKey(registry, scope, shop.merchantId, 'feed');
  await revokeApiKey(registry, scope, shop.merchantId, key.id);
  const asker = await createApiKey(registry, scope, shop.merchantId, 'laptop');
  const action = { action: 'hide', filter: {} } as const;
  const { id: changeId } = await actOnProducts(registry, scope, shop.storeId, action, asker.id);
  // many at one moment
  await query(
    `insert into events (type, merchant_id, store_id, subject, count, occurred_at, gathering)
     select 'certificate.issued', $1, $2, n::text, n, '2026-11-20T09:00:00Z', false from generate_series(1, 7) n`,
    [shop.merchantId, shop.storeId],
  );
  const all = await listActivity(registry, scope, shop.merchantId, { limit: 200 });
  expect(all.nextCursor).toBeUndefined();
  expect(all.entries).toHaveLength(13);
  expect(all.entries).toContainEqual(
    expect.objectContaining({ kind: 'change_begun', changeId, change: 'hide', keyLabel: 'laptop' }),
  );
  expect(all.entries.map(({ at }) => at)).toEqual(
    all.entries
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  );
  expect(all.entries).toContainEqual({
    at: now.toISOString(),
    kind: 'key_revoked',
    keyId: key.id,
    keyLabel: 'feed',
  });
  expect(all.entries).toContainEqual({
    at: '2026-11-20T09:00:00.000Z',
    kind: 'event',
    storeId: shop.storeId,
    storeName: 'Shop',
    event: 'certificate.issued',
    count: 7,
  });
  const paged = [];
  for (let cursor: string | undefined; ; ) {
    const page = await listActivity(registry, scope, shop.merchantId, { limit: 2, cursor });
    paged.push(...page.entries);
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  expect(paged).toEqual(all.entries);
});

it('shows nothing of another merchant', async () => {
  const [mine, theirs] = [await testShop(registry, 'my.example'), await testShop(registry, 'their.example')];
  const scope = { merchantId: mine.merchantId };
  const unknown = (code: string) => expect.objectContaining({ code });
  await expect(storeSetup(registry, scope, theirs.storeId)).rejects.toEqual(unknown('store_unknown'));
  await expect(storeHistory(registry, scope, theirs.storeId, 1)).rejects.toEqual(unknown('store_unknown'));
  await expect(listActivity(registry, scope, theirs.merchantId, { limit: 1 })).rejects.toEqual(
    unknown('merchant_unknown'),
  );
});

it('shows the operator capacity, queues, nodes and the rotation of keys', async () => {
  const at = (iso: string) => new Date(iso);
  const overview = () =>
    operatorOverview({
      ...registry,
      policy: { rotateEvery: 90 * 86_400_000 },
      listKeys: {
        proofs: async () => [
          { kid: 'old', publicJwk: {}, publishedAt: at('2026-01-01'), retiredAt: at('2026-11-01') },
          { kid: 'now', publicJwk: {}, publishedAt: at('2026-10-01'), activeFrom: at('2026-11-01') },
          { kid: 'next', publicJwk: {}, publishedAt: at('2026-11-01') },
        ],
        requests: async () => [],
        status_lists: async () => [],
        receipts: async () => [],
        attestations: async () => [],
      },
    });
  await query('update merchants set plan_capacity = 0, slots_held = 0 where name = $1', [
    'Merchant of my.example',
  ]);
  await query(
    `insert into nodes values ($1, '1', 2, $3, now() - interval '2 min', '[]'),
      ($2, '1', 1, $4, now() - interval '10 s', '["the database does not answer"]')`,
    [randomUUID(), randomUUID(), at('2026-11-22T09:58:00Z'), at('2026-11-22T09:59:50Z')],
  );
  const { merchants, queues, nodes, keys, stores } = await overview();
  expect(merchants.count).toBeGreaterThan(4);
  expect([merchants.full, merchants.paused, stores]).toEqual([1, 0, merchants.count]);
  expect(nodes).toMatchObject([
    { state: 'silent', processes: 2 },
    { state: 'not_ready', problems: ['the database does not answer'] },
  ]);
  expect(queues.find(({ queue }) => queue === 'image-scans')).toMatchObject({
    waiting: 3,
    running: 0,
    givenUp: 0,
  });
  expect(keys).toEqual([
    {
      purpose: 'proofs',
      activeKid: 'now',
      activeFrom: '2026-11-01T00:00:00.000Z',
      standbyKid: 'next',
      rotatesAt: '2027-01-30T00:00:00.000Z',
      retired: 1,
      revoked: 0,
    },
    { purpose: 'requests', retired: 0, revoked: 0 },
    { purpose: 'status_lists', retired: 0, revoked: 0 },
    { purpose: 'receipts', retired: 0, revoked: 0 },
    { purpose: 'attestations', retired: 0, revoked: 0 },
  ]);
});

it('shows the operator which hosts fail, and why', async () => {
  const shop = await testShop(registry, 'slow.example');
  const [first, second] = await shop.put(shop.row('a'), shop.row('b'));
  await query(
    `update jobs set result = 'failed', state = 'idle', due_at = null,
       failure = '{"code": "image_timed_out", "detail": "", "at": "2026-11-22T09:00:00Z", "attempts": 8}'
     where queue = 'image-scans' and owner = $1`,
    [shop.storeId],
  );
  for (const result of [first, second])
    await query(
      `insert into sweep_pages (merchant_id, product_id, store_id, turn, result, verdict, reason, checked_at)
       values ($3, $1, $2, now(), 'unreachable', 'page_fetch_failed', 'blocked: The shop refuses.', '2026-11-22T09:30:00Z')`,
      [result?.id, shop.storeId, shop.merchantId],
    );
  await query(`insert into sweep_counts values ($2, $1, 'unreachable', 2)`, [shop.storeId, shop.merchantId]);
  expect(await failingHosts(registry.db)).toEqual({
    complete: true,
    hosts: [
      {
        host: 'slow.example',
        images: 2,
        pages: 2,
        reasons: [
          { code: 'image_timed_out', count: 2 },
          { code: 'blocked', count: 2 },
        ],
        lastAt: '2026-11-22T09:30:00.000Z',
      },
    ],
  });
});
