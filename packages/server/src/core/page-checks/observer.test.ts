import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Observer } from './observer.ts';
import { pageAddress, storedKey } from './page-address.ts';
import { ageObservations, databaseNow, heldAnswer, html, useObservers } from './testing.ts';

const PAGE = 'http://shop.example/products/cup';
const { signal } = new AbortController();
const CACHED = { caller: 'a', signal };

const service = useObservers();
const { node, leases } = service;

describe('one concurrent fetch per address', () => {
  it('serves a hundred callers on two nodes', async () => {
    const [one, two] = [node(), node()];
    const held = heldAnswer('<title>A cup</title>');
    service.pages.answer(held.listener);
    const asking = Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? one : two).observe(PAGE, CACHED));
    await expect.poll(() => service.pages.hits()).toBeGreaterThan(0);
    held.open();
    const observed = await Promise.all(asking);
    expect(service.pages.hits()).toBe(1);
    expect(new Set(observed.map(({ fetchedAt }) => fetchedAt)).size).toBe(1);
    expect(await leases()).toBe(0);
  });

  it('with any fragment, credentials or trailing dot in the address', async () => {
    const observer = node();
    await observer.observe(PAGE, CACHED);
    const asked = 'http://user:word@SHOP.example.:80/products/./cup#reviews';
    expect(await observer.observe(asked, CACHED)).toMatchObject({ url: PAGE, finalUrl: PAGE });
    expect(service.pages.hits()).toBe(1);
  });

  it('but another query is another page', async () => {
    const observer = node();
    await observer.observe(PAGE, CACHED);
    await observer.observe(`${PAGE}?variant=2`, CACHED);
    expect(service.pages.hits()).toBe(2);
  });

  it('is taken over within seconds from a node that died', async () => {
    const observer = node();
    await observer.observe(PAGE, CACHED);
    await service.database.query('delete from observations');
    await service.database.query(
      `insert into fetch_leases select url_key, $1, now(), now() + interval '1 second'
       from (values ($2)) as k (url_key)`,
      [randomUUID(), keyOf(PAGE)],
    );
    const begun = Date.now();
    expect(await observer.observe(PAGE, CACHED)).toMatchObject({ outcome: { kind: 'page' } });
    expect(Date.now() - begun).toBeGreaterThan(500);
    expect(service.pages.hits()).toBe(2);
  });

  it('keeps its lease as long as the fetch takes', async () => {
    const observer = node();
    const held = heldAnswer('<title>A cup</title>');
    service.pages.answer(held.listener);
    const asking = observer.observe(PAGE, CACHED);
    await expect.poll(() => service.pages.hits()).toBe(1);
    const begun = await leaseExpiry();
    await expect.poll(leaseExpiry).toBeGreaterThan(begun);
    held.open();
    await asking;
    expect(await leases()).toBe(0);
  });
});

async function leaseExpiry(): Promise<number> {
  const rows = await service.database.query<{ at: number }>(
    'select extract(epoch from expires_at)::float8 as at from fetch_leases',
  );
  return rows[0]?.at ?? 0;
}

function keyOf(url: string): string {
  const page = pageAddress(url);
  return page.kind === 'address' ? storedKey(service.secrets, page) : '';
}

describe('a recent observation', () => {
  it('is reused for 15 minutes, on every node, and no longer', async () => {
    const first = await node().observe(PAGE, CACHED);
    await ageObservations(service.database, 890);
    const again = await node().observe(PAGE, CACHED);
    expect(again.outcome).toEqual(first.outcome);
    expect(service.pages.hits()).toBe(1);
    await ageObservations(service.database, 20);
    await node().observe(PAGE, CACHED);
    expect(service.pages.hits()).toBe(2);
  });

  it('does not date from before the clock was set back, and such a one hides no other', async () => {
    await node().observe(PAGE, CACHED);
    await ageObservations(service.database, -3_600);
    await node().observe(PAGE, CACHED);
    expect(service.pages.hits()).toBe(2);
    await node().observe(PAGE, CACHED);
    expect(service.pages.hits()).toBe(2);
  });

  it('of a failed fetch is reused for only a minute', async () => {
    service.pages.answer((_request, response) => html(response, 'gone', 500));
    const observer = node();
    expect(await observer.observe(PAGE, CACHED)).toMatchObject({ outcome: { code: 'http_status' } });
    await ageObservations(service.database, 55);
    await observer.observe(PAGE, CACHED);
    expect(service.pages.hits()).toBe(1);
    await ageObservations(service.database, 10);
    await observer.observe(PAGE, CACHED);
    expect(service.pages.hits()).toBe(2);
  });

  it('that failed is not ignored in favour of an older one that did not', async () => {
    const observer = node();
    await observer.observe(PAGE, CACHED);
    service.pages.answer((_request, response) => html(response, 'gone', 500));
    await observer.observe(PAGE, { ...CACHED, since: await databaseNow(service.database) });
    expect(await observer.observe(PAGE, CACHED)).toMatchObject({ outcome: { code: 'http_status' } });
    expect(service.pages.hits()).toBe(2);
  });

  it('contains the text of a hostile page exactly', async () => {
    const nasty = { '@type': 'Product', 'svc:issuedFor': { domain: 'a\u0000b\ud800c' }, name: '\u2028' };
    service.pages.answer((_request, response) =>
      html(response, `<script type="application/ld+json">${JSON.stringify(nasty)}</script>`),
    );
    const observer = node();
    const first = await observer.observe(PAGE, CACHED);
    expect(await observer.observe(PAGE, CACHED)).toEqual(first);
    expect(service.pages.hits()).toBe(1);
    expect(JSON.stringify(first)).toContain('a\\u0000b');
  });
});

/** Asks one node for a fresh observation. */
async function freshFrom(observer: Observer) {
  return observer.observe(PAGE, { caller: 'a', signal, since: await databaseNow(service.database) });
}

describe('a fresh observation', () => {
  it('never reuses what was fetched before the request', async () => {
    const observer = node();
    await observer.observe(PAGE, CACHED);
    await freshFrom(observer);
    expect(service.pages.hits()).toBe(2);
  });

  it.each(['this node', 'another node'])('does not share a fetch that %s began before', async (where) => {
    const one = node();
    const two = where === 'this node' ? one : node();
    const early = heldAnswer('<title>Early</title>');
    service.pages.answer(early.listener);
    const cached = one.observe(PAGE, CACHED);
    await expect.poll(() => service.pages.hits()).toBe(1);
    // when they asked is settled before the early fetch ends, however slow the machine
    const since = await databaseNow(service.database);
    const late = [two, two, one].map((asked) => asked.observe(PAGE, { caller: 'a', signal, since }));
    await new Promise((resolve) => setTimeout(resolve, 150));
    service.pages.answer((_request, response) => html(response, '<title>Late</title>'));
    early.open();
    const [before, ...after] = await Promise.all([cached, ...late]);
    // both late ones at one node, and the one at the other, share one fetch
    expect(service.pages.hits()).toBe(2);
    for (const later of after)
      expect(Date.parse(later.fetchedAt)).toBeGreaterThan(Date.parse(before.fetchedAt));
  });

  it('shares a fetch that began after the request', async () => {
    const since = await databaseNow(service.database);
    const observer = node();
    const held = heldAnswer('<title>A cup</title>');
    service.pages.answer(held.listener);
    const first = observer.observe(PAGE, CACHED);
    await expect.poll(() => service.pages.hits()).toBe(1);
    const fresh = observer.observe(PAGE, { caller: 'b', signal, since });
    held.open();
    expect(await fresh).toEqual(await first);
    expect(service.pages.hits()).toBe(1);
  });
});

describe('a caller who leaves', () => {
  it('affects nobody else, and the page is stored', async () => {
    const observer = node();
    const held = heldAnswer('<title>A cup</title>');
    service.pages.answer(held.listener);
    const leaver = new AbortController();
    const left = observer.observe(PAGE, { caller: 'a', signal: leaver.signal });
    const staying = observer.observe(PAGE, CACHED);
    await expect.poll(() => service.pages.hits()).toBe(1);
    leaver.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    held.open();
    expect(await staying).toMatchObject({ outcome: { kind: 'page' } });
    await observer.observe(PAGE, CACHED);
    expect(service.pages.hits()).toBe(1);
  });
});

it('shutting down ends fetches in progress with a fault that says so', async () => {
  const observer = node();
  service.pages.answer(() => {});
  const asking = observer.observe(PAGE, CACHED);
  asking.catch(() => {});
  await expect.poll(() => service.pages.hits()).toBe(1);
  await observer.close();
  await expect(asking).rejects.toMatchObject({ code: 'shutting_down' });
  await expect(observer.observe(PAGE, CACHED)).rejects.toMatchObject({ code: 'shutting_down' });
  expect(await leases()).toBe(0);
});
