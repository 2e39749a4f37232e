import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { httpServer, type TestServer } from '../../../test/kit/servers.ts';
import { createStreamFetcher } from './stream.ts';
import { internetAt, PUBLIC_ADDRESS, resolverOf } from './testing.ts';

let server: TestServer | undefined;
afterEach(() => server?.close());

async function fetcherAt(listener: Parameters<typeof httpServer>[0], bodySize = 1_000_000) {
  server = await httpServer(listener);
  const { resolver } = resolverOf({ 'shop.example': [[PUBLIC_ADDRESS]], 'inside.example': [['10.0.0.7']] });
  return createStreamFetcher({
    userAgent: 'Touchstone-test',
    resolver,
    dialer: internetAt(server.port),
    limits: { bodySize },
  });
}

const FILE = 'http://shop.example/export.jsonl';

const textOf = async (bytes: AsyncIterable<Uint8Array>) => {
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts).toString();
};

describe('a body is read as it arrives', () => {
  it('and the host sends no faster than its reader reads', async () => {
    let sent = 0;
    const fetcher = await fetcherAt(async (_request, response) => {
      const gone = once(response, 'close');
      response.writeHead(200);
      for (; sent < 500; sent += 1)
        if (!response.write('x'.repeat(100_000))) await Promise.race([once(response, 'drain'), gone]);
      response.end();
    }, 1_000_000_000);
    let first = 0;
    const result = await fetcher.fetch(FILE, async (bytes) => {
      for await (const _ of bytes) {
        // wait long enough for the host to send more if it were not held back
        for (let turns = 0; turns < 200; turns += 1) await new Promise(setImmediate);
        first = sent;
        break;
      }
      return 'enough';
    });
    expect(result).toMatchObject({ kind: 'read', value: 'enough', finalUrl: FILE });
    expect(first).toBeLessThan(400);
  });

  it('decoded, and after redirects', async () => {
    const fetcher = await fetcherAt((request, response) => {
      if (request.url === '/export.jsonl') response.writeHead(302, { location: '/there' }).end();
      else response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('lines'));
    });
    expect(await fetcher.fetch(FILE, textOf)).toMatchObject({ kind: 'read', value: 'lines' });
  });
});

describe('it fails', () => {
  it.each([
    ['if it breaks off', 'connection_failed', { 'content-length': '9' }, 'half'],
    ['if it is larger than the limit', 'too_large', {}, 'x'.repeat(1_001)],
    ['if it announces that', 'too_large', { 'content-length': '2000' }, 'x'],
    ['if it cannot be decoded', 'encoding_broken', { 'content-encoding': 'gzip' }, 'no gzip'],
  ])('%s', async (_, code, headers, body) => {
    const fetcher = await fetcherAt((_request, response) => {
      response.writeHead(200, headers);
      response.write(body);
      if (code === 'connection_failed') setImmediate(() => response.destroy());
      else response.end();
    }, 1_000);
    expect(await fetcher.fetch(FILE, textOf)).toMatchObject({ kind: 'failed', code });
  });

  it('with the status of an error response, which is not read', async () => {
    const fetcher = await fetcherAt((_request, response) => response.writeHead(403).end('expired'));
    const read = () => Promise.reject(new Error('read'));
    expect(await fetcher.fetch(FILE, read)).toMatchObject({ code: 'http_status', status: 403 });
  });

  it('at a private address', async () => {
    const fetcher = await fetcherAt((_request, response) => response.end());
    const result = await fetcher.fetch('http://inside.example/', textOf);
    expect(result).toMatchObject({ kind: 'failed', code: 'address_blocked' });
  });

  it('if its reader fails', async () => {
    const fetcher = await fetcherAt((_request, response) => response.end('lines'));
    await expect(fetcher.fetch(FILE, () => Promise.reject(new Error('no room')))).rejects.toThrow('no room');
  });

  it('if its caller aborts', async () => {
    const stop = new AbortController();
    const fetcher = await fetcherAt((_request, response) => {
      response.writeHead(200);
      response.write('x');
    });
    const reading = fetcher.fetch(
      FILE,
      async (bytes) => {
        for await (const _ of bytes) stop.abort(new Error('enough'));
      },
      { signal: stop.signal },
    );
    await expect(reading).rejects.toThrow('enough');
  });
});
