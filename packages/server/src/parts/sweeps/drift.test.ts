import { readFacts } from '@touchstone/facts';
import { judgePage, type PageReport } from '@touchstone/page';
import { readPage } from '@touchstone/page/read';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CheckPage } from '../../core/page-checks/check-page.ts';
import { type TestRegistry, type TestShop, testRegistry, testShop } from '../../core/registry/testing.ts';
import { openJobQueue } from '../../platform/jobs/job-queue.ts';
import { SWEEPS } from './order-sweeps.ts';
import { getSweep, listSweepPages, type SweepContext } from './read-sweep.ts';
import { runSweep } from './sweep-job.ts';

const HOUR = 3_600_000;
const OFFER = { amount: '24.90', currency: 'EUR' };

let registry: TestRegistry;
let shop: TestShop;
let context: SweepContext;
let now: Date;
/** What the page of a product asks; `null`: it cannot be fetched. */
let asked: string | null;

beforeAll(async () => {
  registry = await testRegistry();
});
afterAll(() => registry.close());
let shops = 0;
beforeEach(async () => {
  now = new Date('2026-03-08T12:00:00Z');
  asked = '24.90';
  shops += 1;
  shop = await testShop(registry, `priced-${shops}.example`, 1_000);
  const settings = { perDay: 1_000, perHost: 1_000, inAll: 10_000, every: 24 * HOUR };
  context = { db: registry.db, clock: () => now, isOn: true, settings };
  await registry.database.query('truncate rate_windows');
  await registry.database.query(
    `insert into webhooks (merchant_id, id, url, events, secret, created_at)
     values ($1, gen_random_uuid(), 'https://hooks.example/', '{page.drifted}', 's', now())`,
    [shop.merchantId],
  );
  await shop.put(shop.row('cup', { name: 'Stoneware cup', price: OFFER }));
});

const checkPage: CheckPage = async ({ url }) => {
  const name = 'Stoneware cup';
  const offers = { '@type': 'Offer', price: asked, priceCurrency: 'EUR' };
  const product = { '@context': 'https://schema.org', '@type': 'Product', name, offers };
  const html = `<html lang="en"><head><script type="application/ld+json">${JSON.stringify(product)}</script></head><body><h1>${name}</h1></body></html>`;
  const outcome =
    asked === null
      ? ({ kind: 'failed', code: 'timed_out', detail: '' } as const)
      : ({ kind: 'page', status: 200, reading: readPage(html, { url }, readFacts) } as const);
  const observation = { url, finalUrl: url, fetchedAt: now.toISOString(), outcome };
  const { report } = await judgePage(observation, {
    baseUrls: ['https://certificates.example'],
    verifyProduct: async () => null,
  });
  const named: PageReport = { id: '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01', ...report };
  return { report: named, observation };
};

/** Checks the page of the shop, so many hours after the last check. */
async function sweepAfter(hours: number) {
  now = new Date(now.getTime() + hours * HOUR);
  const queue = openJobQueue({ db: registry.db, name: SWEEPS, perResource: 1_000 });
  await registry.database.query(
    `update jobs set state = case when subject = $1 then 'ready' else 'idle' end,
       due_at = case when subject = $1 then now() end where queue = 'sweeps'`,
    [shop.storeId],
  );
  const [job] = await queue.claim(1);
  if (job === undefined) throw new Error('nothing is to be done');
  const options = { ...context, emit: registry.emit, queue, checkPage };
  await runSweep(job, options, new AbortController().signal);
}

const told = async () => {
  const query = `select items from events where store_id = $1 and type = 'page.drifted' order by occurred_at`;
  const rows = await registry.database.query<{ items: unknown[] }>(query, [shop.storeId]);
  return rows.flatMap(({ items }) => items);
};
const listed = async (query: object = {}) =>
  (await listSweepPages(context, 'all', shop.storeId, { limit: 100, ...query })).pages;
const view = () => getSweep(context, 'all', shop.storeId);

describe('a page that asks another price than the catalogue has', () => {
  it('is listed, counted and reported once it was seen again a day later, with the time of the first', async () => {
    await sweepAfter(0);
    expect((await listed())[0]).not.toHaveProperty('drift');
    asked = '31.90';
    await sweepAfter(25);
    const since = now.toISOString();
    expect(await told(), 'one sighting is none').toEqual([]);
    expect(await listed({ drifted: 'true' })).toEqual([]);
    await sweepAfter(25);
    const drift = [
      { field: 'price', catalogue: '24.90 EUR', page: '31.90 EUR', since, lastAt: now.toISOString() },
    ];
    const url = `https://${shop.host}/products/cup`;
    expect(await told()).toMatchObject([{ externalProductId: 'cup', url, drift }]);
    expect(await listed({ drifted: 'true' })).toMatchObject([{ externalProductId: 'cup', drift }]);
    const { summary, pages } = await view();
    expect(pages).toMatchObject({ checked: 1, missing: 1, drifted: 1 });
    expect(summary).toBe('0 of 1 pages verified, 1 without one so far; 1 differ from the catalogue.');
    await sweepAfter(25);
    expect(await told(), 'it is not told again').toHaveLength(1);
  });

  it('is forgotten once page and catalogue agree, whichever of them followed', async () => {
    asked = '31.90';
    await sweepAfter(0);
    await sweepAfter(25);
    expect((await view()).pages.drifted).toBe(1);
    await shop.put(shop.row('cup', { name: 'Stoneware cup', price: { ...OFFER, amount: '31.90' } }));
    await sweepAfter(25);
    expect((await view()).pages.drifted).toBe(0);
    expect(await listed({ drifted: 'true' })).toEqual([]);
  });

  it('stays as it was while the page cannot be fetched', async () => {
    asked = '31.90';
    await sweepAfter(0);
    asked = null;
    await sweepAfter(25);
    expect(await told()).toEqual([]);
    asked = '31.90';
    await sweepAfter(25);
    expect(await told()).toHaveLength(1);
  });

  it('says nothing if the store sends no prices', async () => {
    await shop.put(shop.row('cup', { name: 'Stoneware cup' }));
    asked = '31.90';
    await sweepAfter(0);
    await sweepAfter(25);
    expect(await told()).toEqual([]);
  });
});
