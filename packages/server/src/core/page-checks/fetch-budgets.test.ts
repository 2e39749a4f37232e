import { describe, expect, it } from 'vitest';
import { internetAt } from '../../../../fetch/src/testing.ts';
import { html, useObservers } from './testing.ts';

const PAGE = 'http://shop.example/products/cup';
const { signal } = new AbortController();
const CACHED = { caller: 'a', signal };

const service = useObservers();
const { node, leases } = service;

describe('budgets', () => {
  it('of a caller limit its fetches, without counting callers who share a fetch or get a cached result', async () => {
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

  it('that one caller has spent affect nobody else who asks for the same page', async () => {
    const observer = node({ settings: { fetchesPerCaller: 1 } });
    await observer.observe(PAGE, CACHED);
    const [poor, rich] = await Promise.allSettled([
      observer.observe(`${PAGE}/2`, CACHED),
      observer.observe(`${PAGE}/2`, { ...CACHED, caller: 'b' }),
    ]);
    const page = { status: 'fulfilled', value: { outcome: { kind: 'page' } } };
    expect(rich).toMatchObject(page);
    // whichever of the two begins, the other joins: the first is refused, or shares the fetch of the second
    const refused = { status: 'rejected', reason: { code: 'fetch_budget_spent' } };
    expect(poor).toMatchObject(poor.status === 'rejected' ? refused : page);
  });

  it('are common to all keys of a merchant, who makes as many as it likes', async () => {
    const observer = node({ settings: { fetchesPerCaller: 1 } });
    const as = (caller: string) => ({ signal, caller });
    await observer.observe(PAGE, as('merchant:a/key:1'));
    await expect(observer.observe(`${PAGE}/2`, as('merchant:a/key:2'))).rejects.toMatchObject({
      code: 'fetch_budget_spent',
    });
    await observer.observe(`${PAGE}/2`, as('merchant:b/key:3'));
  });

  it('of a host apply to all callers, and not to other hosts', async () => {
    const observer = node({ settings: { fetchesPerHost: 1 } });
    await observer.observe(PAGE, CACHED);
    await expect(observer.observe(`${PAGE}/2`, { ...CACHED, caller: 'b' })).rejects.toMatchObject({
      code: 'fetch_budget_spent',
    });
    await observer.observe('http://other.example/', CACHED);
  });

  it('in total apply over all nodes', async () => {
    const settings = { fetchesInAll: 3 };
    const nodes = [node({ settings }), node({ settings })];
    const asking = Array.from({ length: 10 }, (_, i) =>
      nodes[i % 2]?.observe(`${PAGE}/${i}`, { signal, caller: `${i}` }),
    );
    const settled = await Promise.allSettled(asking);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(service.pages.hits()).toBe(3);
  });
});

describe('one network that serves its pages slowly', () => {
  it('under many names, for many callers, leaves the permits to others', async () => {
    const drips = new Set<NodeJS.Timeout>();
    service.pages.answer((request, response) => {
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
        dialer: internetAt(service.pages.port),
      },
    });
    const slow = Promise.allSettled(
      Array.from({ length: 16 }, (_, i) =>
        one.observe(`http://n${i}.dripping.example/`, { caller: `ip:192.0.${i}.1`, signal }),
      ),
    );
    await expect.poll(() => drips.size).toBeGreaterThan(0);
    expect(await one.observe(PAGE, { caller: 'ip:198.51.100.1', signal })).toMatchObject({
      outcome: { kind: 'page' },
    });
    expect(drips.size).toBe(2);
    for (const drip of drips) clearInterval(drip);
    await one.close();
    await slow;
  });
});
