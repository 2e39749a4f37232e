import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { httpServer, type TestServer } from '../../../test/kit/servers.ts';
import { createBytesFetcher } from './bytes.ts';
import { internetAt, PUBLIC_ADDRESS, resolverOf } from './testing.ts';

let server: TestServer | undefined;
afterEach(() => server?.close());

async function fetcherAt(listener: Parameters<typeof httpServer>[0], bodySize = 1_000) {
  server = await httpServer(listener);
  const { resolver } = resolverOf({ 'shop.example': [[PUBLIC_ADDRESS]], 'inside.example': [['10.0.0.7']] });
  return createBytesFetcher({
    userAgent: 'Touchstone-test',
    resolver,
    dialer: internetAt(server.port),
    limits: { bodySize },
  });
}

const PICTURE = 'http://shop.example/cup.jpg';

describe('bytes are fetched', () => {
  it('whatever content type the host sends, with its validators', async () => {
    const fetcher = await fetcherAt((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html', etag: '"v1"', 'last-modified': 'yesterday' })
        .end('bytes'),
    );
    const result = await fetcher.fetch(PICTURE);
    expect(result).toMatchObject({ kind: 'bytes', validators: { etag: '"v1"', lastModified: 'yesterday' } });
    expect(result.kind === 'bytes' && Buffer.from(result.body).toString()).toBe('bytes');
  });

  it('again only if they changed, revalidated by entity tag before date', async () => {
    let asked: unknown[] = [];
    const fetcher = await fetcherAt((request, response) => {
      asked = [request.headers['if-none-match'], request.headers['if-modified-since']];
      response.writeHead(304).end();
    });
    expect(await fetcher.fetch(PICTURE, { known: { etag: '"v1"', lastModified: 'x' } })).toMatchObject({
      kind: 'same',
    });
    expect(asked).toEqual(['"v1"', undefined]);
    await fetcher.fetch(PICTURE, { known: { lastModified: 'Mon, 01 Jan 2024 00:00:00 GMT' } });
    expect(asked).toEqual([undefined, 'Mon, 01 Jan 2024 00:00:00 GMT']);
  });
});

describe('the time after which a host allows another request is reported', () => {
  const DATE = 'Sun, 22 Nov 2026 12:00:00 GMT';
  it.each([
    ['120', DATE, 120],
    [' 0 ', DATE, 0],
    ['Sun, 22 Nov 2026 12:00:30 GMT', DATE, 30],
    // relative to the host's clock, not ours
    ['Sun, 22 Nov 2026 12:00:30 GMT', '', undefined],
    ['Sun, 22 Nov 2026 11:59:30 GMT', DATE, undefined],
    ['-5', DATE, undefined],
    ['1e3', DATE, undefined],
    ['9999999999', DATE, undefined],
    ['soon', DATE, undefined],
    [undefined, DATE, undefined],
  ])('Retry-After: %s', async (stated, date, seconds) => {
    const fetcher = await fetcherAt((_request, response) => {
      response.sendDate = false;
      const headers = { ...(stated === undefined ? {} : { 'retry-after': stated }), ...(date && { date }) };
      response.writeHead(429, headers).end();
    });
    const result = await fetcher.fetch(PICTURE);
    expect(result).toMatchObject({ kind: 'failed', code: 'http_status', status: 429 });
    expect(result.kind === 'failed' && result.retryAfter).toBe(seconds);
  });
});

describe('no bytes are read', () => {
  it('beyond the limit, decoded', async () => {
    const bomb = gzipSync(Buffer.alloc(100_000));
    const fetcher = await fetcherAt((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    expect(await fetcher.fetch(PICTURE)).toMatchObject({ kind: 'failed', code: 'too_large' });
  });

  it('beyond the allowance of several fetches together, even if they overlap', async () => {
    const fetcher = await fetcherAt(async (_request, response) => {
      response.writeHead(200);
      // without Content-Length, so that the size is not known in advance
      for (let i = 0; i < 9; i += 1) {
        response.write(Buffer.alloc(100));
        await delay(5);
      }
      response.end();
    });
    const allowance = { left: 2_000 };
    const all = await Promise.all(Array.from({ length: 4 }, () => fetcher.fetch(PICTURE, { allowance })));
    const taken = all.flatMap((result) => (result.kind === 'bytes' ? [result.body.length] : []));
    const refused = all.flatMap((result) => (result.kind === 'failed' ? [result.code] : []));
    expect(taken.length).toBeLessThanOrEqual(2);
    expect(new Set(refused)).toEqual(new Set(['too_large']));
  });

  it('of a response that announces more than the rest of the allowance', async () => {
    const fetcher = await fetcherAt((_request, response) => response.end('x'.repeat(900)));
    const allowance = { left: 899 };
    expect(await fetcher.fetch(PICTURE, { allowance })).toMatchObject({ code: 'too_large' });
    expect(allowance.left).toBe(899);
  });

  it('of an unsuccessful response, whatever its body', async () => {
    const fetcher = await fetcherAt((_request, response) => response.writeHead(503).end('x'.repeat(5_000)));
    expect(await fetcher.fetch(PICTURE)).toMatchObject({ kind: 'failed', code: 'http_status', status: 503 });
  });

  it('from a private address, not even by redirect', async () => {
    const fetcher = await fetcherAt((_request, response) =>
      response.writeHead(302, { location: 'http://inside.example/' }).end(),
    );
    expect(await fetcher.fetch('http://inside.example/')).toMatchObject({ code: 'address_blocked' });
    expect(await fetcher.fetch(PICTURE)).toMatchObject({ code: 'address_blocked' });
  });
});
