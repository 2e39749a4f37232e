import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createBytesFetcher } from './bytes.ts';
import { httpServer, internetAt, PUBLIC_ADDRESS, resolverOf, type TestServer } from './testing.ts';

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
  it('whatever type the host names, with the validators it gave', async () => {
    const fetcher = await fetcherAt((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html', etag: '"v1"', 'last-modified': 'yesterday' })
        .end('bytes'),
    );
    const result = await fetcher.fetch(PICTURE);
    expect(result).toMatchObject({ kind: 'bytes', validators: { etag: '"v1"', lastModified: 'yesterday' } });
    expect(result.kind === 'bytes' && Buffer.from(result.body).toString()).toBe('bytes');
  });

  it('again only if they changed, asked by entity tag before date', async () => {
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

describe('no bytes are taken', () => {
  it('beyond the limit, decoded', async () => {
    const bomb = gzipSync(Buffer.alloc(100_000));
    const fetcher = await fetcherAt((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    expect(await fetcher.fetch(PICTURE)).toMatchObject({ kind: 'failed', code: 'too_large' });
  });

  it('of an answer that is no success, whatever its body', async () => {
    const fetcher = await fetcherAt((_request, response) => response.writeHead(503).end('x'.repeat(5_000)));
    expect(await fetcher.fetch(PICTURE)).toMatchObject({ kind: 'failed', code: 'http_status', status: 503 });
  });

  it('from a private address, by redirect neither', async () => {
    const fetcher = await fetcherAt((_request, response) =>
      response.writeHead(302, { location: 'http://inside.example/' }).end(),
    );
    expect(await fetcher.fetch('http://inside.example/')).toMatchObject({ code: 'address_blocked' });
    expect(await fetcher.fetch(PICTURE)).toMatchObject({ code: 'address_blocked' });
  });
});
