import { FetchFault } from '@touchstone/fetch';
import { describe, expect, it } from 'vitest';
import { html, useObservers } from './testing.ts';

const PAGE = 'http://shop.example/products/cup';
const { signal } = new AbortController();
const CACHED = { caller: 'a', signal };

const service = useObservers();
const { node, leases } = service;

describe('the cause of a failure', () => {
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
    expect(service.pages.hits()).toBe(0);
  });

  it('a password page is recognised even with an error status', async () => {
    const gate = '<title>Shop</title><form action="/password"><input type="password" name="password"></form>';
    service.pages.answer((_request, response) => html(response, gate, 401));
    expect(await node().observe('http://shop.example/password', CACHED)).toMatchObject({
      outcome: { kind: 'failed', code: 'http_status', gate: { kind: 'password' } },
    });
  });

  it('a network that we cannot reach is a fault for every waiting caller, and is not cached', async () => {
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
    const begun = performance.now();
    const asking = [observer.observe(PAGE, CACHED), observer.observe(PAGE, CACHED)];
    await expect.poll(() => asked).toBe(1);
    // the other has as much to do as the one that is at it, and will have joined by then
    setTimeout(bothWait.resolve, Math.max(500, 10 * (performance.now() - begun)));
    for (const result of await Promise.allSettled(asking)) {
      expect(result).toMatchObject({
        status: 'rejected',
        reason: { code: 'network_unavailable', retryAfter: 5 },
      });
    }
    expect(asked).toBe(1);
    expect(await leases()).toBe(0);
    expect(await service.database.query('select 1 from observations')).toEqual([]);
  });

  it('a page on which the reader fails is reported as unreadable, and logged', async () => {
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
});
