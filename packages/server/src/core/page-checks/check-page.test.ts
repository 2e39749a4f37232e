import { randomUUID } from 'node:crypto';
import { MAX_REPORT, type PageReport } from '@touchstone/page';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { BASE_URL, type TestProduct, type TestShop, testShop } from '../certificates/testing.ts';
import { verifyingNode } from '../verification/testing.ts';
import type { VerifyProductInput } from '../verification/verify-product.ts';
import { type CheckPage, type CheckPageInput, createCheckPage } from './check-page.ts';
import type { MatchImages } from './match-images.ts';
import type { ObserveSettings } from './observe-settings.ts';
import { createObserver, type Observer } from './observer.ts';
import { MAX_SHOWN } from './page-address.ts';
import { createGetPageCheck } from './page-check-store.ts';
import {
  ageObservations,
  DEFAULT_OBSERVE_SETTINGS,
  html,
  type TestPages,
  testObserver,
  testPages,
} from './testing.ts';
import type { UncertifiedPage } from './uncertified-page.ts';

const DAY = 86_400_000;

let database: TestDatabase;
let pages: TestPages;
let shop: TestShop;
let product: TestProduct;
let service: Awaited<ReturnType<typeof verifyingNode>>;
let now = new Date();
let observers: Observer[];

beforeAll(async () => {
  database = await testDatabase();
  pages = await testPages();
  shop = await testShop(database);
  service = await verifyingNode(database, { clock: () => now });
});
afterAll(async () => {
  await service.close();
  await pages.close();
  await database.close();
});

beforeEach(async () => {
  now = new Date();
  observers = [];
  pages.reset();
  await database.query('truncate observations, fetch_leases, page_texts, page_checks, rate_windows');
  const added = await shop.addProduct();
  // the shop on loopback does not support TLS
  product = { ...added, url: added.url.replace('https:', 'http:') };
  await database.query('update products set url = $1 where id = $2', [product.url, product.productId]);
  service.changes.publish(`p:${product.productId}`);
});
afterEach(() => Promise.all(observers.map((observer) => observer.close())));

function pageChecks(
  changes: Partial<ObserveSettings> = {},
  matchImages: MatchImages = async () => [],
  onQuery: (sql: string) => void = () => {},
  uncertifiedPage: UncertifiedPage = async () => [],
): CheckPage {
  const settings = { ...DEFAULT_OBSERVE_SETTINGS, ...changes };
  const { db } = database.open({ onQuery });
  const { secrets } = service;
  const observer = testObserver(db, pages, { settings, secrets });
  observers.push(observer);
  const { verifyProduct, productFacts, readSigned } = service;
  return createCheckPage({
    db,
    clock: () => new Date(),
    secrets,
    observer,
    verifyProduct,
    productFacts,
    readSigned,
    baseUrls: [BASE_URL],
    settings,
    matchImages,
    uncertifiedPage,
  });
}

const check = async (checkPage: CheckPage, changes: Partial<CheckPageInput> = {}) => {
  const { signal } = new AbortController();
  return await checkPage({ url: product.url, freshness: 'cached', caller: 'a', signal, ...changes });
};

/** Puts the product's certificate, as served, on every page of the shop. */
async function publish(edit: (certificate: Record<string, unknown>) => unknown = (same) => same) {
  const { body } = await service.getCertificate(product.productId);
  const certificate = JSON.parse(String(body)) as Record<string, unknown>;
  const block = `<script type="application/ld+json">${JSON.stringify(edit(certificate))}</script>`;
  pages.answer((_request, response) => html(response, `<html><head>${block}</head><h1>Cup</h1></html>`));
}

describe('a page with the certificate as served', () => {
  beforeEach(() => publish());

  it('is judged again for every response, even though it was fetched once', async () => {
    const checkPage = pageChecks();
    expect((await check(checkPage)).report.verdict).toBe('verified');
    now = new Date(now.getTime() + 8 * DAY);
    expect((await check(checkPage)).report.verdict).toBe('certificate_expired');
    now = new Date(now.getTime() - 8 * DAY);
    await database.query('update products set deleted_at = now() where id = $1', [product.productId]);
    service.changes.publish(`p:${product.productId}`);
    const { report } = await check(checkPage);
    expect(report).toMatchObject({ verdict: 'product_deleted', mc4p: { product_id: product.productId } });
    expect(pages.hits()).toBe(1);
  });

  it('takes one statement while it is cached, and seven when it is fetched', async () => {
    let statements = 0;
    const checkPage = pageChecks({}, undefined, () => {
      statements += 1;
    });
    const count = async (changes: Partial<CheckPageInput> = {}) => {
      const before = statements;
      await check(checkPage, changes);
      return statements - before;
    };
    expect(await count()).toBe(7);
    // this node has the reading from the page, and first reads the stored one now
    expect(await count()).toBe(2);
    expect(await count()).toBe(1);
    // another address with the same content
    expect(await count({ url: `${product.url}?ref=2` })).toBe(7);
    expect(await count({ freshness: 'fresh' })).toBe(7);
  });

  it('lets other requests be answered between any two of its certificates', async () => {
    let turns = 0;
    let timer = setImmediate(function count() {
      turns += 1;
      timer = setImmediate(count);
    });
    const seen: number[] = [];
    const { verifyProduct } = service;
    const counting = async (input: VerifyProductInput) => {
      const result = await verifyProduct(input);
      seen.push(turns);
      return result;
    };
    const certificates = Array.from({ length: 8 }, (_, n) => ({ '@context': 'https://schema.org', n }));
    await publish((certificate) => certificates.map((one) => ({ ...certificate, ...one })));
    try {
      service = { ...service, verifyProduct: counting };
      await check(pageChecks());
    } finally {
      clearImmediate(timer);
      service = { ...service, verifyProduct };
    }
    expect(seen).toHaveLength(8);
    expect(new Set(seen).size).toBe(8);
  });

  it('cannot fill the disk: storage is bounded, and what is stored is served as often as requested', async () => {
    const checkPage = pageChecks({ keptPerCaller: 12_000 });
    await check(checkPage);
    const junk = (n: number) => check(checkPage, { url: `nowhere ${n} ${'x'.repeat(900)}` });
    const answers = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => junk(n)));
    const refusals = answers.filter((answer) => answer.status === 'rejected');
    expect(refusals.length).toBeGreaterThan(3);
    const refused = { code: 'fetch_budget_spent', retryAfter: expect.any(Number) };
    for (const { reason } of refusals) expect(reason).toMatchObject(refused);
    for (let times = 0; times < 5; times += 1) await check(checkPage);
    const [kept] = await database.query('select sum(octet_length(report))::int as bytes from page_checks');
    expect(kept?.bytes).toBeLessThan(12_000);
    await check(checkPage, { url: 'nowhere', caller: 'b' });
  });

  it('is one report for every spelling of its URL', async () => {
    const checkPage = pageChecks();
    const { report } = await check(checkPage);
    const { host, pathname } = new URL(product.url);
    for (const url of [
      `${product.url}#reviews`,
      `HTTP://user:word@${host.toUpperCase()}.:80/./${pathname}#1`.replace('.//', './'),
      ` ${product.url} `,
    ]) {
      expect((await check(checkPage, { url })).report).toEqual(report);
    }
    expect(await database.query('select id from page_checks')).toHaveLength(1);
    expect(pages.hits()).toBe(1);
  });

  it('stores its facts and its reading once, however often it is fetched unchanged', async () => {
    const words = Array.from({ length: 60 }, (_, n) => `word${n}`).join(' ');
    const record = { '@type': 'Product', name: 'Cup', description: words, offers: { price: '9.50' } };
    await publish((certificate) => [record, certificate]);
    const checkPage = pageChecks();
    const ids = new Set<string>();
    for (let times = 0; times < 4; times += 1) {
      const { report } = await check(checkPage, { freshness: 'fresh' });
      expect(JSON.stringify(await read(report.id))).toBe(JSON.stringify(report));
      ids.add(report.id);
    }
    expect(ids.size).toBe(4);
    expect(await database.query('select digest from page_texts')).toHaveLength(2);
  });
});

describe('a page with an altered certificate', () => {
  it.each<[string, string, (certificate: Record<string, unknown>) => unknown]>([
    ['unverified', 'has no proof', (certificate) => ({ ...certificate, proof: undefined })],
    ['checks_failed', 'was edited', (certificate) => ({ ...certificate, productID: randomUUID() })],
    ['no_certificate', 'is no certificate', () => ({ '@type': 'Product', name: 'Cup' })],
    ['invalid_certificate', 'names no source', (certificate) => ({ ...certificate, 'svc:status': {} })],
    [
      'canonical_mismatch',
      'names a foreign source',
      (certificate) =>
        JSON.parse(JSON.stringify(certificate).replaceAll(BASE_URL, 'https://elsewhere.example')),
    ],
  ])('is %s when it %s', async (verdict, _what, edit) => {
    await publish(edit);
    expect((await check(pageChecks())).report.verdict).toBe(verdict);
  });
});

describe('a page without a certificate', () => {
  it('is told of what the registry knows, and of its pictures if requested; with one, the registry is not asked', async () => {
    const asked: unknown[] = [];
    const checkPage = pageChecks(
      { cacheSeconds: 0 },
      async (request) => {
        asked.push(request);
        return [];
      },
      undefined,
      async (pageUrl) => {
        asked.push(pageUrl);
        return ['host_certified_elsewhere: A fact.'];
      },
    );
    await publish();
    expect((await check(checkPage)).report.verdict).toBe('verified');
    expect(asked).toEqual([]);
    pages.answer((_request, response) => html(response, '<h1>Cup</h1>'));
    const { report } = await check(checkPage, { images: 'match' });
    expect(report).toMatchObject({ verdict: 'no_certificate', mc4p: { present: false } });
    expect(report.findings).toContain('host_certified_elsewhere: A fact.');
    expect(asked).toEqual([product.url, expect.objectContaining({ uncertified: product.url, live: [] })]);
  });
});

describe('anything that is not a page', () => {
  it.each(['nonsense', 'http://127.0.0.1/', 'ftp://shop.example/'])(
    '%s is answered with a report',
    async (url) => {
      const { report } = await check(pageChecks(), { url });
      expect(report).toMatchObject({ url, verdict: 'page_fetch_failed', mc4p: { present: false } });
      expect(report.errors).toHaveLength(1);
    },
  );

  it.each([
    ['itself', 'x'.repeat(MAX_SHOWN), 'x'.repeat(MAX_SHOWN)],
    ['truncated', 'x'.repeat(MAX_SHOWN + 1), 'x'.repeat(MAX_SHOWN)],
    [
      'truncated between characters',
      `${'x'.repeat(MAX_SHOWN - 1)}\u{1f375}`,
      `${'x'.repeat(MAX_SHOWN - 1)}\ufffd`,
    ],
    [
      'truncated, although only its length makes it invalid',
      `${'http://a/'.padEnd(9_000, 'x')}`,
      'http://a/'.padEnd(MAX_SHOWN, 'x'),
    ],
  ])('is reported as %s', async (_what, url, shown) => {
    const { report } = await check(pageChecks(), { url });
    expect(report).toMatchObject({ url: shown, final_url: shown, verdict: 'page_fetch_failed' });
  });
});

describe('fresh', () => {
  it('admits exactly ten of fifty concurrent calls, over two nodes', async () => {
    const nodes = [pageChecks(), pageChecks()] as const;
    const asking = Array.from({ length: 50 }, (_, i) =>
      check(nodes[i % 2 === 0 ? 0 : 1], { freshness: 'fresh' }),
    );
    const ends = await Promise.all(
      asking.map((one) =>
        one.then(
          () => 'answered',
          ({ code }) => code,
        ),
      ),
    );
    const refused = ends.filter((end) => end !== 'answered');
    expect(refused).toEqual(Array.from({ length: 40 }, () => 'fresh_rate_limited'));
  });
});

describe('with a cache lifetime of zero seconds', () => {
  it('nothing is reused, and nothing is rate limited', async () => {
    const checkPage = pageChecks({ cacheSeconds: 0 });
    for (let i = 0; i < 12; i += 1) await check(checkPage);
    expect(pages.hits()).toBe(12);
  });
});

/** The permalink of a report. */
function read(id: string): Promise<PageReport> {
  return createGetPageCheck({ db: database.db, secrets: service.secrets })(id);
}

describe('a report', () => {
  it('states once what was omitted, whatever is found about its images', async () => {
    const image = Array.from({ length: 50 }, (_, n) => `/${'x'.repeat(1_900)}${n}.jpg`);
    const record = { '@context': 'https://schema.org', '@type': 'Product', name: 'Cup', image };
    const block = `<script type="application/ld+json">${JSON.stringify(record)}</script>`;
    pages.answer((_request, response) => html(response, `<html>${block}<h1>Cup</h1></html>`));
    const found = Array.from({ length: 12 }, (_, n) => `image_unread: ${'x'.repeat(1_000)}${n}`);
    const checkPage = pageChecks({}, async () => found);
    const cut = (report: PageReport) => report.findings.filter((note) => note.startsWith('report_cut:'));
    const without = (await check(checkPage)).report;
    expect(cut(without)).toEqual([expect.stringContaining(`${50 - without.facts.images.length} images`)]);
    const { report } = await check(checkPage, { images: 'match' });
    expect(cut(report)).toEqual([expect.stringContaining(`${50 - report.facts.images.length} images`)]);
    expect(report.facts.images.length).toBeLessThan(without.facts.images.length);
    expect(report.findings).toEqual(expect.arrayContaining(found));
    expect(Buffer.byteLength(JSON.stringify(report))).toBeLessThanOrEqual(MAX_REPORT);
  });

  it('explains on request what each fact was chosen from, for cached pages too', async () => {
    await publish();
    const checkPage = pageChecks();
    const { report: plain } = await check(checkPage);
    const { report } = await check(checkPage, { explain: true });
    expect(plain.explanation).toBeUndefined();
    expect(report.explanation?.find(({ fact }) => fact === 'name')?.candidates[0]).toMatchObject({
      value: report.facts.name?.value,
      chosen: true,
    });
    expect({ ...report, id: plain.id, explanation: undefined }).toEqual({ ...plain, explanation: undefined });
    expect(await read(report.id)).toEqual(report);
  });

  it('can be read again unchanged for 30 days', async () => {
    await publish();
    const { report } = await check(pageChecks());
    now = new Date(now.getTime() + 8 * DAY);
    expect(JSON.stringify(await read(report.id))).toBe(JSON.stringify(report));
    await database.query(`update page_checks set created_at = now() - interval '32 days'`);
    await expect(read(report.id)).rejects.toMatchObject({ code: 'page_check_unknown' });
    await expect(read(randomUUID())).rejects.toMatchObject({ code: 'page_check_unknown' });
  });

  it('with the same contents is the same report, so that repeated checks take no space', async () => {
    await publish();
    const checkPage = pageChecks();
    const [first, second] = [await check(checkPage), await check(checkPage)];
    expect(second.report).toEqual(first.report);
    expect(first.report.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    await ageObservations(database, 1_000);
    expect((await check(checkPage)).report.id).not.toBe(first.report.id);
    expect(await database.query('select 1 from page_checks')).toHaveLength(2);
  });
});

describe('what somebody writes into the database', () => {
  it('makes no check answer for another page, nor with the reading of another page', async () => {
    await publish();
    const genuine = pages.hits();
    const checkPage = pageChecks();
    expect((await check(checkPage)).report.verdict).toBe('verified');
    pages.answer((_request, response) => html(response, '<title>Fake</title><h1>Fake goods</h1>'));
    const url = product.url.replace('shop.example', 'copy.example');
    expect((await check(checkPage, { url })).report.verdict).not.toBe('verified');
    expect(pages.hits()).toBe(genuine + 2);
    const [first, second] = await database.query<{ id: string; url_key: string; reading: Buffer }>(
      'select id, url_key, reading from observations order by fetched_at',
    );
    const forged = async () => check(pageChecks(), { url }).then(({ report }) => report.verdict);
    await database.query('update observations set reading = $1 where id = $2', [first?.reading, second?.id]);
    await expect(forged()).rejects.toThrow();
    await database.query('delete from observations where id = $1', [second?.id]);
    await database.query('update observations set url_key = $1', [second?.url_key]);
    await expect(forged()).rejects.toThrow();
  });

  it('changes no report that can be read again', async () => {
    const priced = (name: string, price: string) => {
      const offered = {
        '@context': 'https://schema.org',
        '@type': 'Product',
        name,
        description: 'lorem ipsum '.repeat(40),
        offers: { '@type': 'Offer', price, priceCurrency: 'EUR' },
      };
      const block = `<script type="application/ld+json">${JSON.stringify(offered)}</script>`;
      pages.answer((_request, response) => html(response, `<head>${block}</head><h1>${name}</h1>`));
    };
    priced('Cheap', '1.00');
    const cheap = (await check(pageChecks())).report;
    await database.query('truncate observations');
    priced('Dear', '999.00');
    const dear = (await check(pageChecks())).report;
    expect(await read(cheap.id)).toEqual(cheap);
    await database.query(
      'update page_checks set facts = (select facts from page_checks where id = $2) where id = $1',
      [cheap.id, dear.id],
    );
    await expect(read(cheap.id)).rejects.toThrow();
    expect(await read(dear.id)).toEqual(dear);
  });
});

it('an unreachable database is a fault, never a verdict', async () => {
  const { db, close } = database.open();
  const observer = createObserver({
    db,
    clock: () => now,
    secrets: service.secrets,
    settings: DEFAULT_OBSERVE_SETTINGS,
    fetcher: { fetch: () => Promise.reject(new Error('not asked')) },
    readPage: () => {
      throw new Error('not asked');
    },
  });
  await close();
  const { verifyProduct, productFacts, readSigned } = service;
  const settings = DEFAULT_OBSERVE_SETTINGS;
  const checkPage = createCheckPage({
    db,
    clock: () => now,
    secrets: service.secrets,
    observer,
    verifyProduct,
    productFacts,
    readSigned,
    baseUrls: [BASE_URL],
    settings,
    matchImages: async () => [],
    uncertifiedPage: async () => [],
  });
  await expect(check(checkPage)).rejects.toMatchObject({ code: 'database_unavailable' });
});
