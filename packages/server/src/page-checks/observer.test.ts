import { randomUUID } from 'node:crypto';
import { FetchFault } from '@touchstone/page/fetch';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../platform/database/testing.ts';
import type { Observer } from './observer.ts';
import { pageAddress } from './page-address.ts';
import { purgePageChecks } from './page-check-store.ts';
import {
  ageObservations,
  databaseNow,
  heldAnswer,
  html,
  internetAt,
  type TestObserverOptions,
  type TestPages,
  testObserver,
  testPages,
  until,
} from './testing.ts';

const PAGE = 'http://shop.example/products/cup';
const signal = new AbortController().signal;
const CACHED = { caller: 'a', signal };

let database: TestDatabase;
let pages: TestPages;
let observers: Observer[];

beforeAll(async () => {
  database = await testDatabase();
  pages = await testPages();
});
afterAll(async () => {
  await pages.close();
  await database.close();
});

beforeEach(async () => {
  observers = [];
  pages.reset();
  await database.query('truncate observations, fetch_leases, page_checks, rate_windows');
});
afterEach(() => Promise.all(observers.map((observer) => observer.close())));

/** Another node of the service. */
function node(options: TestObserverOptions = {}): Observer {
  const observer = testObserver(database.open().db, pages, options);
  observers.push(observer);
  return observer;
}

const leases = async () => (await database.query('select 1 from fetch_leases')).length;

describe('one fetch per address at a time', () => {
  it('serves a hundred callers of two nodes', async () => {
    const [one, two] = [node(), node()];
    const held = heldAnswer('<title>A cup</title>');
    pages.answer(held.listener);
    const asking = Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? one : two).observe(PAGE, CACHED));
    await until(() => pages.hits() > 0);
    held.open();
    const observed = await Promise.all(asking);
    expect(pages.hits()).toBe(1);
    expect(new Set(observed.map(({ fetchedAt }) => fetchedAt)).size).toBe(1);
    expect(await leases()).toBe(0);
  });

  it('whatever fragment, credentials or trailing dot the address comes with', async () => {
    const observer = node();
    await observer.observe(PAGE, CACHED);
    const asked = 'http://user:word@SHOP.example.:80/products/cup#reviews';
    expect(await observer.observe(asked, CACHED)).toMatchObject({ url: asked, finalUrl: PAGE });
    expect(pages.hits()).toBe(1);
  });

  it('but another query is another page', async () => {
    const observer = node();
    await observer.observe(PAGE, CACHED);
    await observer.observe(`${PAGE}?variant=2`, CACHED);
    expect(pages.hits()).toBe(2);
  });

  it('is taken over from a node that died with it, within seconds', async () => {
    const observer = node();
    await observer.observe(PAGE, CACHED);
    await database.query('delete from observations');
    await database.query(
      `insert into fetch_leases select url_key, $1, now(), now() + interval '1 second'
       from (values ($2)) as k (url_key)`,
      [randomUUID(), keyOf(PAGE)],
    );
    const begun = Date.now();
    expect(await observer.observe(PAGE, CACHED)).toMatchObject({ outcome: { kind: 'page' } });
    expect(Date.now() - begun).toBeGreaterThan(500);
    expect(pages.hits()).toBe(2);
  });

  it('keeps its lease as long as the fetch takes', async () => {
    const observer = node();
    const held = heldAnswer('<title>A cup</title>');
    pages.answer(held.listener);
    const asking = observer.observe(PAGE, CACHED);
    await until(() => pages.hits() === 1);
    const begun = await leaseExpiry();
    await until(async () => (await leaseExpiry()) > begun);
    held.open();
    await asking;
    expect(await leases()).toBe(0);
  });
});

async function leaseExpiry(): Promise<number> {
  const rows = await database.query<{ at: number }>(
    'select extract(epoch from expires_at)::float8 as at from fetch_leases',
  );
  return rows[0]?.at ?? 0;
}

function keyOf(url: string): string {
  const page = pageAddress(url);
  return page.kind === 'address' ? page.key : '';
}

describe('a recent observation', () => {
  it('is used again for 15 minutes, on every node, and no longer', async () => {
    const first = await node().observe(PAGE, CACHED);
    await ageObservations(database, 890);
    const again = await node().observe(PAGE, CACHED);
    expect(again.outcome).toEqual(first.outcome);
    expect(pages.hits()).toBe(1);
    await ageObservations(database, 20);
    await node().observe(PAGE, CACHED);
    expect(pages.hits()).toBe(2);
  });

  it('of a failed fetch is used again for a minute only', async () => {
    pages.answer((_request, response) => html(response, 'gone', 500));
    const observer = node();
    expect(await observer.observe(PAGE, CACHED)).toMatchObject({ outcome: { code: 'http_status' } });
    await ageObservations(database, 55);
    await observer.observe(PAGE, CACHED);
    expect(pages.hits()).toBe(1);
    await ageObservations(database, 10);
    await observer.observe(PAGE, CACHED);
    expect(pages.hits()).toBe(2);
  });

  it('that failed is not passed over for an older one that did not', async () => {
    const observer = node();
    await observer.observe(PAGE, CACHED);
    pages.answer((_request, response) => html(response, 'gone', 500));
    await observer.observe(PAGE, { ...CACHED, since: await databaseNow(database) });
    expect(await observer.observe(PAGE, CACHED)).toMatchObject({ outcome: { code: 'http_status' } });
    expect(pages.hits()).toBe(2);
  });

  it('holds what a hostile page says, to the last character', async () => {
    const nasty = { '@type': 'Product', 'svc:issuedFor': { domain: 'a\u0000b\ud800c' }, name: '\u2028' };
    pages.answer((_request, response) =>
      html(response, `<script type="application/ld+json">${JSON.stringify(nasty)}</script>`),
    );
    const observer = node();
    const first = await observer.observe(PAGE, CACHED);
    expect(await observer.observe(PAGE, CACHED)).toEqual(first);
    expect(pages.hits()).toBe(1);
    expect(JSON.stringify(first)).toContain('a\\u0000b');
  });
});

/** Asks one node for a fresh observation. */
async function freshFrom(observer: Observer) {
  return observer.observe(PAGE, { caller: 'a', signal, since: await databaseNow(database) });
}

describe('fresh', () => {
  it('never takes what was fetched before it was asked', async () => {
    const observer = node();
    await observer.observe(PAGE, CACHED);
    await freshFrom(observer);
    expect(pages.hits()).toBe(2);
  });

  it.each(['this node', 'another node'])('does not join a fetch that %s began before', async (where) => {
    const one = node();
    const two = where === 'this node' ? one : node();
    const early = heldAnswer('<title>Early</title>');
    pages.answer(early.listener);
    const cached = one.observe(PAGE, CACHED);
    await until(() => pages.hits() === 1);
    // when they asked is settled before the early fetch ends, however slow the machine
    const since = await databaseNow(database);
    const late = [two, two, one].map((asked) => asked.observe(PAGE, { caller: 'a', signal, since }));
    await new Promise((resolve) => setTimeout(resolve, 150));
    pages.answer((_request, response) => html(response, '<title>Late</title>'));
    early.open();
    const [before, ...after] = await Promise.all([cached, ...late]);
    // both late ones at one node, and the one at the other, share one fetch
    expect(pages.hits()).toBe(2);
    for (const later of after)
      expect(Date.parse(later.fetchedAt)).toBeGreaterThan(Date.parse(before.fetchedAt));
  });

  it('joins a fetch that began after it was asked', async () => {
    const since = await databaseNow(database);
    const observer = node();
    const held = heldAnswer('<title>A cup</title>');
    pages.answer(held.listener);
    const first = observer.observe(PAGE, CACHED);
    await until(() => pages.hits() === 1);
    const fresh = observer.observe(PAGE, { caller: 'b', signal, since });
    held.open();
    expect(await fresh).toEqual(await first);
    expect(pages.hits()).toBe(1);
  });
});

describe('one caller leaving', () => {
  it('disturbs nobody else, and the page is kept', async () => {
    const observer = node();
    const held = heldAnswer('<title>A cup</title>');
    pages.answer(held.listener);
    const leaver = new AbortController();
    const left = observer.observe(PAGE, { caller: 'a', signal: leaver.signal });
    const staying = observer.observe(PAGE, CACHED);
    await until(() => pages.hits() === 1);
    leaver.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    held.open();
    expect(await staying).toMatchObject({ outcome: { kind: 'page' } });
    await observer.observe(PAGE, CACHED);
    expect(pages.hits()).toBe(1);
  });
});

describe('budgets', () => {
  it('of a caller bound its fetches, and count nobody who joins or is served from what is kept', async () => {
    const observer = node({ settings: { fetchesPerCaller: 2 } });
    await Promise.all([observer.observe(PAGE, CACHED), observer.observe(PAGE, CACHED)]);
    await observer.observe(PAGE, CACHED);
    await observer.observe(`${PAGE}/2`, CACHED);
    await expect(observer.observe(`${PAGE}/3`, CACHED)).rejects.toMatchObject({
      code: 'fetch_budget_spent',
      retryAfter: expect.any(Number),
    });
    expect(await observer.observe(PAGE, CACHED)).toMatchObject({ outcome: { kind: 'page' } });
    expect(await observer.observe(`${PAGE}/3`, { ...CACHED, caller: 'b' })).toMatchObject({
      outcome: { kind: 'page' },
    });
    expect(await leases()).toBe(0);
  });

  it('that are spent by one caller fail nobody who asked for the same page', async () => {
    const observer = node({ settings: { fetchesPerCaller: 1 } });
    await observer.observe(PAGE, CACHED);
    const poor = observer.observe(`${PAGE}/2`, CACHED);
    const rich = observer.observe(`${PAGE}/2`, { ...CACHED, caller: 'b' });
    await expect(poor).rejects.toMatchObject({ code: 'fetch_budget_spent' });
    expect(await rich).toMatchObject({ outcome: { kind: 'page' } });
  });

  it('of a host hold for all callers, and not for other hosts', async () => {
    const observer = node({ settings: { fetchesPerHost: 1 } });
    await observer.observe(PAGE, CACHED);
    await expect(observer.observe(`${PAGE}/2`, { ...CACHED, caller: 'b' })).rejects.toMatchObject({
      code: 'fetch_budget_spent',
    });
    await observer.observe('http://other.example/', CACHED);
  });

  it('in all hold over all nodes', async () => {
    const settings = { fetchesInAll: 3 };
    const nodes = [node({ settings }), node({ settings })];
    const asking = Array.from({ length: 10 }, (_, i) =>
      nodes[i % 2]?.observe(`${PAGE}/${i}`, { signal, caller: `${i}` }),
    );
    const settled = await Promise.allSettled(asking);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(pages.hits()).toBe(3);
  });
});

describe('one network that drips its pages', () => {
  it('under many names, for many callers, leaves the permits to others', async () => {
    const drips = new Set<NodeJS.Timeout>();
    pages.answer((request, response) => {
      if (request.headers.host === 'shop.example') return html(response, '<title>A cup</title>');
      response.writeHead(200, { 'content-type': 'text/html' });
      drips.add(setInterval(() => response.write('a'), 50));
    });
    const one = node({
      settings: { concurrentFetches: 8 },
      fetch: {
        connectTo: [],
        resolver: {
          resolve: async (host) => ({
            kind: 'addresses',
            addresses: [host === 'shop.example' ? '151.101.1.1' : `93.184.215.${host.length}`],
          }),
        },
        dialer: internetAt(pages.port),
      },
    });
    const slow = Promise.allSettled(
      Array.from({ length: 16 }, (_, i) =>
        one.observe(`http://n${i}.dripping.example/`, { caller: `ip:192.0.${i}.1`, signal }),
      ),
    );
    await until(() => drips.size > 0);
    expect(await one.observe(PAGE, { caller: 'ip:198.51.100.1', signal })).toMatchObject({
      outcome: { kind: 'page' },
    });
    expect(drips.size).toBe(2);
    for (const drip of drips) clearInterval(drip);
    await one.close();
    await slow;
  });
});

describe('whose failure it is', () => {
  it.each([
    ['not an address', 'url_invalid'],
    ['ftp://shop.example/', 'scheme_blocked'],
    [`http://shop.example/${'a'.repeat(9_000)}`, 'url_invalid'],
    ['http://127.0.0.1/', 'address_blocked'],
    ['http://localhost:8787/metrics', 'port_blocked'],
    ['http://unheard.invalid/', 'host_unknown'],
  ])('%s is an observation like any other', async (url, code) => {
    const observed = await node().observe(url, CACHED);
    expect(observed.outcome).toMatchObject({ kind: 'failed', code });
    expect(observed.url.length).toBeLessThanOrEqual(8_192);
    expect(pages.hits()).toBe(0);
  });

  it('a password gate shows though it came with a refusal', async () => {
    const gate = '<title>Shop</title><form action="/password"><input type="password" name="password"></form>';
    pages.answer((_request, response) => html(response, gate, 401));
    expect(await node().observe('http://shop.example/password', CACHED)).toMatchObject({
      outcome: { kind: 'failed', code: 'http_status', gate: { kind: 'password' } },
    });
  });

  it('a network that we cannot reach is a fault for everyone who waits, and is not kept', async () => {
    let asked = 0;
    const bothWait = Promise.withResolvers<void>();
    const observer = node({
      fetch: {
        connectTo: [],
        resolver: {
          resolve: async () => {
            asked += 1;
            await bothWait.promise;
            throw new FetchFault('no resolver');
          },
        },
      },
    });
    const asking = [observer.observe(PAGE, CACHED), observer.observe(PAGE, CACHED)];
    await until(() => asked === 1);
    // the other has as much to do as the one that is at it, and has joined by now
    setTimeout(bothWait.resolve, 500);
    for (const result of await Promise.allSettled(asking)) {
      expect(result).toMatchObject({
        status: 'rejected',
        reason: { code: 'network_unavailable', retryAfter: 5 },
      });
    }
    expect(asked).toBe(1);
    expect(await leases()).toBe(0);
    expect(await database.query('select 1 from observations')).toEqual([]);
  });

  it('a page that breaks the reader is a page that cannot be read, and is logged', async () => {
    const logged: string[] = [];
    const observer = node({
      readPage: () => {
        throw new RangeError('too deep');
      },
      onUnreadable: (error, url) => logged.push(`${url} ${String(error)}`),
    });
    expect(await observer.observe(PAGE, CACHED)).toMatchObject({ outcome: { code: 'page_unreadable' } });
    expect(logged).toEqual([`${PAGE} RangeError: too deep`]);
  });

  it('shutting down ends what is under way, and says so', async () => {
    const observer = node();
    pages.answer(() => {});
    const asking = observer.observe(PAGE, CACHED);
    asking.catch(() => {});
    await until(() => pages.hits() === 1);
    await observer.close();
    await expect(asking).rejects.toMatchObject({ code: 'shutting_down' });
    await expect(observer.observe(PAGE, CACHED)).rejects.toMatchObject({ code: 'shutting_down' });
    expect(await leases()).toBe(0);
  });
});

it('what nobody can ask for any more is deleted, and nothing else', async () => {
  const observer = node();
  await observer.observe(PAGE, CACHED);
  await ageObservations(database, 1_000);
  await observer.observe('http://other.example/', CACHED);
  await database.query(`insert into page_checks values ($1, '{}', now() - interval '32 days')`, [
    randomUUID(),
  ]);
  await database.query(`insert into page_checks values ($1, '{}', now() - interval '29 days')`, [
    randomUUID(),
  ]);
  await database.query(`insert into fetch_leases values ('k', $1, now(), now() - interval '2 minutes')`, [
    randomUUID(),
  ]);
  await database.query(
    `update rate_windows set seen_at = now() - interval '3 minutes' where bucket like '%shop%'`,
  );
  expect(await purgePageChecks(database.db, 900)).toBe(4);
  expect(await database.query('select url from observations')).toEqual([{ url: 'http://other.example/' }]);
  expect(await database.query('select 1 from page_checks')).toHaveLength(1);
});
