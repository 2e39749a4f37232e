import type { EventType } from '@touchstone/contract';
import type { PageReport } from '@touchstone/page';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CheckPage } from '../../core/page-checks/check-page.ts';
import { changedBy, changedColumns, followProducts } from '../../core/registry/changed-products.ts';
import { type TestRegistry, type TestShop, testRegistry, testShop } from '../../core/registry/testing.ts';
import { inTransaction } from '../../platform/database/database.ts';
import { ServiceError } from '../../platform/errors.ts';
import { type JobQueue, openJobQueue } from '../../platform/jobs/job-queue.ts';
import { addMissingStores, SWEEPS } from './order-sweeps.ts';
import { beginSweep, getSweep, listSweepPages, type SweepContext } from './read-sweep.ts';
import { runSweep } from './sweep-job.ts';

const DAY = 86_400_000;
const DAYS_7 = 7 * DAY;

let registry: TestRegistry;
let shop: TestShop;
let queue: JobQueue;
let context: SweepContext;
let now: Date;
let ids: Map<string, string>;
/** What each page carries: how many milliseconds ago its certificate was signed, or what else comes of its check. */
const pages = new Map<
  string,
  number | 'no_certificate' | 'page_fetch_failed' | 'certificate_expired' | ServiceError
>();
const checked: string[] = [];
/** Since when the fetch of each checked page had to begin, in microseconds since 1970. */
const since: (number | undefined)[] = [];
/** Milliseconds since the observations of pages. */
let observedAgo: number;
/** What happens while a page is checked. */
let meanwhile: (name: string) => Promise<unknown> = async () => {};

beforeAll(async () => {
  registry = await testRegistry();
});
afterAll(() => registry.close());
let shops = 0;
beforeEach(async () => {
  now = new Date('2026-03-08T12:00:00Z');
  shops += 1;
  shop = await testShop(registry, `shop-${shops}.example`, 1_000);
  queue = openJobQueue({ db: registry.db, name: SWEEPS, perResource: 1_000 });
  context = {
    db: registry.db,
    clock: () => now,
    isOn: true,
    settings: { perDay: 1_000, perHost: 1_000, inAll: 10_000, every: DAY },
  };
  pages.clear();
  checked.length = 0;
  since.length = 0;
  observedAgo = 0;
  meanwhile = async () => {};
  await registry.database.query('truncate rate_windows');
});

async function put(...names: string[]) {
  const results = await shop.put(...names.map((name) => shop.row(name)));
  ids = new Map([...(ids ?? []), ...results.map(({ id = '' }, nth) => [names[nth] ?? '', id] as const)]);
}

const checkPage: CheckPage = async ({ url, since: from }) => {
  const name = url.slice(url.lastIndexOf('/') + 1);
  checked.push(name);
  since.push(from);
  await meanwhile(name);
  const state = pages.get(name) ?? 'no_certificate';
  if (state instanceof ServiceError) throw state;
  const isAge = typeof state === 'number';
  const age = isAge ? state : state === 'certificate_expired' ? 8 * DAY : undefined;
  const issued = now.getTime() - (age ?? 0);
  const productId = ids.get(name);
  const signed = {
    productId,
    issuedAt: new Date(issued).toISOString(),
    expiresAt: new Date(issued + DAYS_7).toISOString(),
  };
  const mc4p = age === undefined ? { present: false } : { present: true, product_id: productId, signed };
  const report = {
    id: '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01',
    url,
    final_url: url,
    facts: {
      description: {
        value: `What can be said in so many words of the thing that is shown on ${url} and nowhere else.`,
      },
    },
    fetched_at: new Date(now.getTime() - observedAgo).toISOString(),
    verdict: isAge ? 'verified' : state,
    mc4p,
    errors: [],
    warnings: isAge ? [] : ['some_code: It says so.'],
    findings: [],
  };
  const outcome = { kind: 'failed', code: 'timed_out', detail: '' } as const;
  const observation = { url, finalUrl: url, fetchedAt: report.fetched_at, outcome };
  return { report: report as unknown as PageReport, observation };
};

/** Runs the shop's job if it is ready or scheduled; returns approximately the seconds until its next run. */
async function sweep(runs = 1): Promise<number | null> {
  const { signal } = new AbortController();
  for (let run = 0; run < runs; run += 1) {
    await registry.database.query(
      "update jobs set state = 'idle', due_at = null where queue = 'sweeps' and subject <> $1",
      [shop.storeId],
    );
    await registry.database.query(
      "update jobs set state = 'ready' where queue = 'sweeps' and state = 'scheduled'",
    );
    const [job] = await queue.claim(1);
    if (job === undefined) throw new Error('nothing is to be done');
    await runSweep(job, { ...context, emit: registry.emit, queue, checkPage }, signal);
  }
  const [row] = await registry.database.query<{ seconds: number | null }>(
    "select extract(epoch from due_at - now())::float8 as seconds from jobs where queue = 'sweeps' and subject = $1",
    [shop.storeId],
  );
  return row?.seconds ?? null;
}

const view = () => getSweep(context, 'all', shop.storeId);
const listed = async (query: object = {}) =>
  (await listSweepPages(context, 'all', shop.storeId, { limit: 100, ...query })).pages;

/** Records a certificate of the product, issued `age` milliseconds ago. */
async function certify(name: string, age: number) {
  await registry.database.query(
    `insert into signing_keys (kid, public_jwk, retired_at) values ('k', '{}', now()) on conflict do nothing`,
  );
  await registry.database.query(
    `insert into proofs (merchant_id, kind, subject_id, snapshot_hash, generation, kid, header, payload, snapshot, issued_at, expires_at,
       signature)
     values ($5, 'product', $1, $2, 1, 'k', '', '', '{}', $3, $4, 's')`,
    [
      ids.get(name),
      Buffer.from(`${name} ${age} ${now.getTime()}`),
      new Date(now.getTime() - age),
      new Date(now.getTime() - age + DAYS_7),
      shop.merchantId,
    ],
  );
}

describe('a sweep', () => {
  it('checks every page, counts the results, and says what to do', async () => {
    await put('good', 'old', 'gone', 'none', 'away');
    for (const name of ['good', 'old']) await certify(name, 2 * DAY);
    pages
      .set('good', 2 * DAY)
      .set('old', 4 * DAY)
      .set('gone', 'certificate_expired')
      .set('away', 'page_fetch_failed');
    expect(await view()).toMatchObject({ state: 'waiting', pages: { checked: 0, waiting: 5 } });
    await sweep(2);
    const { summary, pages: counts, problems, budget } = await view();
    expect(summary).toBe(
      '1 of 5 pages verified, 1 expired, 1 served from a stale cache, 1 without one so far, 1 not reachable.',
    );
    expect(counts).toMatchObject({ checked: 5, waiting: 0, verified: 1, stale: 1, expired: 1, missing: 1 });
    expect(problems.find(({ result }) => result === 'expired')).toMatchObject({
      count: 1,
      nextStep: expect.stringContaining('current'),
    });
    expect(budget).toMatchObject({ checkedToday: 5 });
    expect(await listed({ result: 'unreachable' })).toMatchObject([
      { externalProductId: 'away', verdict: 'page_fetch_failed', reason: 'some_code: It says so.' },
    ]);
    expect((await listed({ verdict: 'verified' })).map(({ result }) => result).toSorted()).toEqual([
      'stale',
      'verified',
    ]);
    expect(await listed()).toHaveLength(5);
  });

  it('continues when a page is due again, and reports one that lost its certificate', async () => {
    await put('cup');
    await certify('cup', 0);
    pages.set('cup', 0);
    expect(await sweep(2)).toBeGreaterThan(20 * 3_600);
    checked.length = 0;
    await sweep();
    expect(checked).toEqual([]);
    now = new Date(now.getTime() + DAY + 1_000);
    pages.set('cup', 'no_certificate');
    await sweep();
    expect(checked).toEqual(['cup']);
    expect((await view()).pages).toMatchObject({ checked: 1, verified: 0, lost: 1 });
    const [page] = await listed();
    expect(page).toMatchObject({ result: 'lost', since: now.toISOString() });
  });

  it('checks changed products first, and no inactive ones', async () => {
    await put('one', 'two', 'three');
    await sweep(2);
    expect(checked.toSorted()).toEqual(['one', 'three', 'two']);
    checked.length = 0;
    await shop.put({ ...shop.row('two'), url: `https://${shop.host}/two` });
    await shop.put({ ...shop.row('three'), visible: false });
    expect(await sweep()).toBeLessThan(60);
    expect(checked).toEqual(['two']);
    expect((await view()).pages).toMatchObject({ checked: 2, waiting: 0 });
    await shop.put({ ...shop.row('three'), visible: true });
    await sweep();
    expect(checked).toEqual(['two', 'three']);
  });

  it('that is requested starts at once', async () => {
    await put('one', 'two');
    await sweep(2);
    checked.length = 0;
    now = new Date(now.getTime() + 1_000);
    expect(await beginSweep(context, 'all', shop.storeId)).toMatchObject({ state: 'working' });
    await sweep();
    expect(checked.toSorted()).toEqual(['one', 'two']);
    await expect(beginSweep({ ...context, isOn: false }, 'all', shop.storeId)).rejects.toMatchObject({
      code: 'conflict',
    });
    expect((await getSweep({ ...context, isOn: false }, 'all', shop.storeId)).state).toBe('off');
  });

  it('that is requested, and one of a changed product, needs fetches that begin later; others use what was observed', async () => {
    await put('one', 'two');
    await sweep(2);
    now = new Date(now.getTime() + DAY + 1_000);
    since.length = 0;
    await sweep(2);
    expect(since).toEqual([undefined, undefined]);
    const [before] = await registry.database.query<{ now: number }>(
      'select extract(epoch from clock_timestamp())::float8 * 1000000 as now',
    );
    since.length = 0;
    now = new Date(now.getTime() + 1_000);
    await beginSweep(context, 'all', shop.storeId);
    await sweep(2);
    await shop.put({ ...shop.row('two'), name: 'Two' });
    await sweep();
    expect(since).toHaveLength(3);
    for (const from of since) expect(from).toBeGreaterThan(before?.now ?? Number.NaN);
  });

  it('shows for each page when it was observed, not when the observation was used', async () => {
    await put('one');
    observedAgo = 10 * 60_000;
    await sweep();
    const observedAt = new Date(now.getTime() - observedAgo).toISOString();
    expect(await listed()).toMatchObject([{ checkedAt: observedAt, since: observedAt }]);
    expect(await view()).toMatchObject({ checkedAt: observedAt });
  });

  it('that is requested during a check repeats the check of that page', async () => {
    await put('one');
    await sweep();
    now = new Date(now.getTime() + 2 * DAY);
    meanwhile = async () => {
      now = new Date(now.getTime() + 1_000);
      await beginSweep(context, 'all', shop.storeId);
      now = new Date(now.getTime() + 1_000);
      meanwhile = async () => {};
    };
    await sweep(2);
    expect(checked).toEqual(['one', 'one', 'one']);
    expect(await sweep()).toBeGreaterThan(20 * 3_600);
  });

  it('checks a page again if its product changed during its check', async () => {
    await put('one');
    meanwhile = async () => {
      meanwhile = async () => {};
      await shop.put({ ...shop.row('one'), url: `https://${shop.host}/elsewhere` });
    };
    ids.set('elsewhere', ids.get('one') ?? '');
    await sweep(2);
    expect(checked).toEqual(['one', 'elsewhere']);
  });

  it('notices at once what is new or changed while it runs', async () => {
    await put('one', 'two');
    await sweep(2);
    now = new Date(now.getTime() + 2 * DAY);
    const due = context.settings;
    // the day is over before the second page
    context = { ...context, settings: { ...due, perDay: 1 } };
    meanwhile = async () => {
      meanwhile = async () => {};
      await put('new');
    };
    await sweep();
    context = { ...context, settings: due };
    const [job] = await queue.claim(1);
    expect(job?.subject).toBe(shop.storeId);
    if (job !== undefined) await queue.release(job);
  });

  it('starts after a change that is not committed yet', async () => {
    await put('one');
    await sweep(2);
    await registry.database.query(
      "update jobs set state = case when subject = $1 then 'ready' else 'idle' end where queue = 'sweeps'",
      [shop.storeId],
    );
    await inTransaction(registry.db, async (trx) => {
      const changed = await changedBy(
        trx,
        sql`update products p set name = 'Other' where store_id = ${shop.storeId} returning ${changedColumns(sql`true`)}`,
      );
      await followProducts(registry, trx, { merchantId: shop.merchantId, changed });
      expect(await queue.claim(1)).toEqual([]);
    });
    checked.length = 0;
    await sweep();
    expect(checked).toEqual(['one']);
  });

  it('checks a product that becomes active only after a delay', async () => {
    const hidden = { ...shop.row('one'), visible: false };
    const [{ id = '' } = {}] = await shop.put(hidden);
    ids = new Map([['one', id]]);
    await sweep();
    expect(checked).toEqual([]);
    await shop.put({ ...hidden, visible: true });
    await sweep();
    expect(checked).toEqual(['one']);
  });

  it('of a store with new pages does not neglect those that were checked before', async () => {
    await put('first');
    await sweep(2);
    now = new Date(now.getTime() + 2 * DAY);
    await put(...Array.from({ length: 60 }, (_, nth) => `new-${nth}`));
    checked.length = 0;
    await sweep();
    expect(checked).toHaveLength(20);
    expect(checked).toContain('first');
  });
});

describe('budgets', () => {
  it('per day are kept, and the store continues on the next day', async () => {
    context = { ...context, settings: { ...context.settings, perDay: 3 } };
    await put('a', 'b', 'c', 'd', 'e');
    await sweep();
    expect(checked).toHaveLength(3);
    expect(await sweep()).toBeGreaterThan(11 * 3_600);
    expect(checked).toHaveLength(3);
    expect(await view()).toMatchObject({ state: 'budget_spent', budget: { checkedToday: 3, perDay: 3 } });
    now = new Date('2026-03-09T00:01:00Z');
    await sweep();
    expect(checked).toHaveLength(5);
  });

  it('per host are kept, and nothing is lost', async () => {
    context = { ...context, settings: { ...context.settings, perHost: 2 } };
    await put('a', 'b', 'c');
    expect(await sweep()).toBeLessThan(60);
    expect(checked).toHaveLength(2);
    expect((await view()).pages).toMatchObject({ checked: 2 });
    await registry.database.query('truncate rate_windows');
    await sweep();
    expect([...new Set(checked)].toSorted()).toEqual(['a', 'b', 'c']);
    expect(checked).toHaveLength(3);
  });

  it('that others have spent, and faults of ours, give no result for a page', async () => {
    await put('a', 'b');
    pages.set('a', new ServiceError('fetch_budget_spent', { retryAfter: 40 }));
    expect(await sweep()).toBeGreaterThan(30);
    expect((await view()).pages).toMatchObject({ checked: 0 });
    pages.delete('a');
    await sweep();
    expect((await view()).pages).toMatchObject({ checked: 2 });
  });
});

async function subscribe(...events: EventType[]) {
  await registry.database.query(
    `insert into webhooks (id, merchant_id, url, events, secret, created_at)
     values (gen_random_uuid(), $1, 'https://hooks.example', $2, '', now())`,
    [shop.merchantId, events],
  );
}

describe('events', () => {
  const recorded = () =>
    registry.database.query('select type, count, items from events where store_id = $1 order by type', [
      shop.storeId,
    ]);

  it('report what became worse, once and not again while it lasts', async () => {
    await subscribe(
      'certificate.lost_on_page',
      'certificate.expired_on_page',
      'certificate.expiring_on_page',
    );
    await put('lost', 'old', 'ending');
    for (const name of ['lost', 'old', 'ending']) pages.set(name, 0);
    await sweep(2);
    expect(await recorded()).toEqual([]);
    now = new Date(now.getTime() + 6 * DAY);
    await certify('ending', 2 * DAY);
    pages
      .set('lost', 'no_certificate')
      .set('old', 'certificate_expired')
      .set('ending', 6 * DAY);
    await sweep(2);
    const first = await recorded();
    expect(first).toMatchObject([
      { type: 'certificate.expired_on_page', count: 1 },
      {
        type: 'certificate.expiring_on_page',
        count: 1,
        items: [{ productId: ids.get('ending'), externalProductId: 'ending', expiresAt: expect.any(String) }],
      },
      { type: 'certificate.lost_on_page', count: 1, items: [{ productId: ids.get('lost') }] },
    ]);
    expect((await view()).pages).toMatchObject({ expiring: 1, stale: 1, lost: 1, expired: 1 });
    now = new Date(now.getTime() + 2 * DAY);
    pages.set('ending', 'certificate_expired');
    await sweep(2);
    expect((await view()).pages).toMatchObject({ expiring: 0, expired: 2 });
    expect((await recorded()).find(({ type }) => type === 'certificate.lost_on_page')).toMatchObject({
      count: 1,
    });
  });
});

describe('a page that cannot be reached for a day', () => {
  const reported = async () =>
    (
      await registry.database.query<{
        items: { externalProductId: string; since: string; reason: string }[];
      }>("select items from events where store_id = $1 and type = 'page.unreachable' order by occurred_at", [
        shop.storeId,
      ])
    ).flatMap(({ items }) => items);
  const after = async (hours: number) => {
    now = new Date(now.getTime() + hours * 3_600_000);
    // each delivery ends an event
    await registry.database.query('update events set gathering = false where store_id = $1', [shop.storeId]);
    await sweep(2);
  };

  it('is reported once, and again only after it was back', async () => {
    await subscribe('page.unreachable');
    await put('gone', 'there');
    pages.set('gone', 'page_fetch_failed').set('there', 0);
    await sweep(2);
    const begunAt = now.toISOString();
    await after(23);
    expect(await reported(), 'not before a day has passed').toEqual([]);
    await after(1);
    const first = {
      productId: ids.get('gone'),
      externalProductId: 'gone',
      url: `https://${shop.host}/products/gone`,
      since: begunAt,
      reason: 'some_code: It says so.',
    };
    expect(await reported()).toEqual([first]);
    await after(25);
    expect(await reported(), 'while it lasts').toEqual([first]);
    pages.set('gone', 0);
    await after(25);
    pages.set('gone', 'page_fetch_failed');
    await after(25);
    expect(await reported(), 'not reachable once').toEqual([first]);
    const again = now.toISOString();
    await after(25);
    expect(await reported()).toEqual([first, { ...first, since: again }]);
  });

  it('is checked again after a day, though the others of a large store have to wait', async () => {
    context = { ...context, settings: { ...context.settings, every: 30 * DAY } };
    await put('gone', 'there');
    pages.set('gone', 'page_fetch_failed').set('there', 0);
    // the queue varies the time by a tenth
    expect(await sweep(2)).toBeLessThanOrEqual(24 * 1.1 * 3_600);
    checked.length = 0;
    await after(24);
    expect(checked).toEqual(['gone']);
    expect(await sweep()).toBeGreaterThan((20 * DAY) / 1_000);
  });
});

it('of a store that was created while the service ran without sweeps begins with the next service that has them', async () => {
  await put('cup');
  await registry.database.query('delete from sweep_stores where store_id = $1', [shop.storeId]);
  await registry.database.query("delete from jobs where queue = 'sweeps' and subject = $1", [shop.storeId]);
  expect(await addMissingStores(registry.db)).toBe(1);
  expect(await addMissingStores(registry.db)).toBe(0);
  await sweep();
  expect(checked).toEqual(['cup']);
});

it('of a deleted store, or one whose merchant is paused, checks nothing', async () => {
  await put('cup');
  await registry.database.query('update merchants set paused = true where id = $1', [shop.merchantId]);
  expect(await sweep()).toBeGreaterThan(3_000);
  await registry.database.query('update merchants set paused = false');
  await registry.database.query('update stores set deleted_at = now() where id = $1', [shop.storeId]);
  expect(await sweep()).toBeNull();
  expect(checked).toEqual([]);
});
