import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { answering, httpServer, rawServer, type TestServer } from '../../../test/kit/servers.ts';
import { FetchFault } from './failure.ts';
import { createPageFetcher, type PageFetcherOptions } from './page.ts';
import { fetcherAt, internetAt, resolverOf } from './testing.ts';

let server: TestServer | undefined;
afterEach(() => server?.close());

const URL_OF_PAGE = 'http://shop.example/';
const OK = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n';

async function fetchFrom(running: TestServer, options: Partial<PageFetcherOptions> = {}) {
  server = running;
  return await fetcherAt(running.port, options).fetch(URL_OF_PAGE);
}

describe('a response that is not a page', () => {
  it.each([400, 401, 403, 404, 410, 429, 500, 503])(
    'status %i is reported, and its HTML kept',
    async (status) => {
      const result = await fetchFrom(
        await httpServer((_request, response) =>
          response.writeHead(status, { 'content-type': 'text/html' }).end('<html>enter password'),
        ),
      );
      expect(result).toMatchObject({ kind: 'failed', code: 'http_status', status });
      expect(Buffer.from(result.body ?? []).toString()).toBe('<html>enter password');
    },
  );

  it('a status with anything but HTML, or with a decompression bomb, keeps nothing', async () => {
    const json = await fetchFrom(
      await answering('HTTP/1.1 403 No\r\nContent-Type: application/json\r\n\r\n{}'),
    );
    expect(json).toMatchObject({ code: 'http_status', status: 403 });
    expect(json).not.toHaveProperty('body');
    await server?.close();
    const bomb = gzipSync(Buffer.alloc(9_000_000));
    const bombed = await fetchFrom(
      await answering('HTTP/1.1 403 No\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n', bomb),
    );
    expect(bombed).toMatchObject({ code: 'http_status', status: 403 });
    expect(bombed).not.toHaveProperty('body');
  });

  it.each(['application/json', 'image/png', 'application/pdf', 'text/plain', 'application/octet-stream'])(
    'the type %s',
    async (type) => {
      const result = await fetchFrom(
        await httpServer((_request, response) => response.setHeader('content-type', type).end('<html>')),
      );
      expect(result).toMatchObject({ kind: 'failed', code: 'not_html' });
    },
  );

  it('has no type, and bytes that are not HTML', async () => {
    const result = await fetchFrom(await answering('HTTP/1.1 200 OK\r\n\r\n\u0000\u0001binary'));
    expect(result).toMatchObject({ code: 'not_html' });
  });

  it('but with no type, and bytes that are HTML, it is a page', async () => {
    const result = await fetchFrom(await answering('HTTP/1.1 200 OK\r\n\r\n<!doctype html><p>'));
    expect(result).toMatchObject({ kind: 'page' });
    expect(result).not.toHaveProperty('contentType');
  });

  it('with an unknown charset it is still a page, reported with its charset unchanged', async () => {
    const result = await fetchFrom(
      await httpServer((_request, response) =>
        response.setHeader('content-type', 'text/html; charset=no-such').end('<html>'),
      ),
    );
    expect(result).toMatchObject({ kind: 'page', contentType: 'text/html; charset=no-such' });
  });
});

describe('a response that is endless or too large', () => {
  it('an endless body is cut off at the limit', async () => {
    let written = 0;
    const running = await rawServer((socket) => {
      socket.write(`${OK}\r\n`);
      const block = Buffer.alloc(65_536, 'a');
      const fill = () => {
        while (!socket.destroyed && socket.write(block)) written += block.length;
      };
      socket.on('drain', fill);
      fill();
    });
    expect(await fetchFrom(running)).toMatchObject({ code: 'too_large' });
    expect(written).toBeLessThan(40_000_000);
  });

  it('an announced length over the limit is refused without reading', async () => {
    const result = await fetchFrom(await answering(`${OK}Content-Length: 6000000\r\n\r\n`));
    expect(result).toMatchObject({ code: 'too_large' });
  });

  it('a page of exactly the limit is read', async () => {
    const running = await answering(`${OK}\r\n`, Buffer.alloc(5_000_000, 'a'));
    expect(await fetchFrom(running)).toMatchObject({ kind: 'page' });
  });

  it('a decompression bomb ends the fetch, not the process', async () => {
    const bomb = gzipSync(gzipSync(Buffer.alloc(200_000_000)));
    const running = await answering(`${OK}Content-Encoding: gzip, gzip\r\n\r\n`, bomb);
    expect(await fetchFrom(running)).toMatchObject({ code: 'too_large' });
  });

  it('endless headers', async () => {
    const running = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const line = `X-Pad: ${'a'.repeat(8_000)}\r\n`;
      for (let i = 0; i < 20; i++) socket.write(line);
    });
    expect(await fetchFrom(running)).toMatchObject({ code: 'headers_too_large' });
  });

  it.each(['100 Continue', '102 Processing', '103 Early Hints'])('very many %s', async (interim) => {
    const flood = `HTTP/1.1 ${interim}\r\n\r\n`.repeat(5_000);
    expect(await fetchFrom(await answering(flood, `${OK}\r\n<html>`))).toMatchObject({
      code: 'too_many_interim_responses',
    });
  });

  it.each(['100 Continue', '103 Early Hints'])('but a few of %s are accepted', async (interim) => {
    const few = `HTTP/1.1 ${interim}\r\nLink: </a.css>\r\n\r\n`.repeat(3);
    expect(await fetchFrom(await answering(few, `${OK}\r\n<html>`))).toMatchObject({ kind: 'page' });
  });
});

describe('a slow host has ten seconds in total (here: half a second)', () => {
  const limits = { totalTime: 500 };

  it('silent after the request', async () => {
    const result = await fetchFrom(await rawServer(() => {}), { limits });
    expect(result).toMatchObject({ code: 'timed_out', detail: 'while waiting for the answer' });
  });

  it('sending its headers slowly', async () => {
    const running = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('X-A: b\r\n'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await fetchFrom(running, { limits })).toMatchObject({ code: 'timed_out' });
  });

  it('sending its page slowly', async () => {
    const running = await rawServer((socket) => {
      socket.write(`${OK}\r\n<html>`);
      const drip = setInterval(() => socket.write('a'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await fetchFrom(running, { limits })).toMatchObject({
      code: 'timed_out',
      detail: 'while reading the page',
    });
  });

  it('sending a compressed page slowly', async () => {
    const running = await rawServer((socket) => {
      socket.write(`${OK}Content-Encoding: gzip\r\n\r\n`);
      const page = gzipSync(Buffer.alloc(100_000, 'abcdefg'), { level: 0 });
      let at = 0;
      const drip = setInterval(() => socket.write(page.subarray(at, ++at)), 20);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await fetchFrom(running, { limits })).toMatchObject({ code: 'timed_out' });
  });

  it('redirecting slowly: the time limit covers all hops', async () => {
    const running = await httpServer((request, response) => {
      setTimeout(() => response.writeHead(302, { location: `${request.url}x` }).end(), 200);
    });
    expect(await fetchFrom(running, { limits })).toMatchObject({ code: 'timed_out' });
  });

  it('a name that does not resolve', async () => {
    const fetcher = createPageFetcher({
      userAgent: 'Touchstone-test',
      limits,
      resolver: {
        resolve: (_host, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason));
          }),
      },
    });
    expect(await fetcher.fetch(URL_OF_PAGE)).toMatchObject({
      code: 'timed_out',
      detail: 'while resolving the host',
    });
  });
});

describe('a host that has begun to answer must keep a minimum rate after a grace period (here: half a second)', () => {
  const limits = { graceTime: 500, minimumRate: 1_000 };

  it.each([
    ['headers', 'HTTP/1.1 200 OK\r\n', 'X-A: b\r\n'],
    ['a page', `${OK}\r\n<html>`, 'a'],
  ])('sending %s slowly ends the fetch long before its time limit', async (_what, start, drop) => {
    const running = await rawServer((socket) => {
      socket.write(start);
      const drip = setInterval(() => socket.write(drop), 20);
      socket.on('close', () => clearInterval(drip));
    });
    const result = await fetchFrom(running, { limits });
    expect(result).toMatchObject({ code: 'timed_out' });
    expect(result).toHaveProperty('detail', expect.stringMatching(/^\d+ bytes in 0\.5 s$/));
  });

  it('a page that takes longer than that, at a sufficient rate, is read', async () => {
    const running = await rawServer((socket) => {
      socket.write(`${OK}\r\n<html>`);
      const block = 'a'.repeat(500);
      const flow = setInterval(() => socket.write(block), 20);
      setTimeout(() => socket.end(), 1_100);
      socket.on('close', () => clearInterval(flow));
    });
    expect(await fetchFrom(running, { limits })).toMatchObject({ kind: 'page' });
  });

  it('a host that takes longer than that until its first byte is waited for', async () => {
    const running = await httpServer((_request, response) => {
      setTimeout(() => response.setHeader('content-type', 'text/html').end('<html>'), 1_100);
    });
    expect(await fetchFrom(running, { limits })).toMatchObject({ kind: 'page' });
  });
});

const page = () =>
  httpServer((_request, response) => response.setHeader('content-type', 'text/html').end('<html>'));

describe('a fetch that waits for a permit', () => {
  it('loses none of its own time', async () => {
    server = await page();
    const fetcher = fetcherAt(server.port, { limits: { totalTime: 1_000 } });
    const result = await fetcher.fetch(URL_OF_PAGE, { takePermit: () => delay(1_100) });
    expect(result).toMatchObject({ kind: 'page' });
  });

  it('needs one before every connection, for the network that it connects to', async () => {
    server = await httpServer((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: 'http://other.example/moved' }).end();
      else response.setHeader('content-type', 'text/html').end('<html>');
    });
    const { resolver } = resolverOf({
      'first.example': [['93.184.215.14']],
      'other.example': [['2600:1f18:1:2::3']],
    });
    const networks: string[] = [];
    const fetcher = fetcherAt(server.port, { connectTo: [], resolver, dialer: internetAt(server.port) });
    const takePermit = async (network: string) => void networks.push(network);
    expect(await fetcher.fetch('http://first.example/', { takePermit })).toMatchObject({ kind: 'page' });
    expect(networks).toEqual(['93.184.215.0/24', '2600:1f18:1::/48']);
  });

  it('fails with the reason why it gets none, which is not a fault of the host', async () => {
    server = await page();
    const fetching = fetcherAt(server.port).fetch(URL_OF_PAGE, {
      takePermit: () => Promise.reject(new Error('too many wait')),
    });
    await expect(fetching).rejects.toThrow('too many wait');
    expect(server.hits()).toBe(0);
  });
});

describe('a malformed response', () => {
  it.each([
    ['not HTTP at all', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['two differing lengths', `${OK}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!`],
    ['both a length and chunks', `${OK}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a length that is not a number', `${OK}Content-Length: abc\r\n\r\n`],
    ['a chunk size that is not a number', `${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
    [
      'an upgrade that was not requested',
      'HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
    ],
  ])('%s', async (_what, bytes) => {
    expect(await fetchFrom(await answering(bytes))).toMatchObject({ code: 'response_malformed' });
  });

  it.each([
    ['a body shorter than announced', `${OK}Content-Length: 500\r\n\r\n<html>`],
    ['chunks that break off', `${OK}Transfer-Encoding: chunked\r\n\r\n6\r\n<html>\r\n`],
    ['a head that breaks off', 'HTTP/1.1 200 OK\r\nContent-'],
    ['nothing', ''],
  ])('%s is a broken connection, never a partial page', async (_what, bytes) => {
    expect(await fetchFrom(await answering(bytes))).toMatchObject({ code: 'connection_failed' });
  });

  it.each(['', 'Content-Length: 500\r\n'])(
    'a reset in the middle of a page (%j) gives no page',
    async (length) => {
      const running = await rawServer((socket) => {
        socket.once('data', () => {
          socket.write(`${OK}${length}\r\n<html>`);
          setTimeout(() => socket.resetAndDestroy(), 50);
        });
      });
      expect(await fetchFrom(running)).toMatchObject({ code: 'connection_failed' });
    },
  );

  it('a body longer than announced ends at the announced length', async () => {
    const result = await fetchFrom(await answering(`${OK}Content-Length: 6\r\n\r\n<html>and more`));
    expect(result).toMatchObject({ kind: 'page' });
    expect(Buffer.from(result.body ?? []).toString()).toBe('<html>');
  });

  it('an offered protocol upgrade is ignored', async () => {
    const running = await answering(`${OK}Connection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n<html>`);
    expect(await fetchFrom(running)).toMatchObject({ kind: 'page' });
  });

  it('an unknown content coding, and damaged content', async () => {
    expect(await fetchFrom(await answering(`${OK}Content-Encoding: rot13\r\n\r\n<html>`))).toMatchObject({
      code: 'encoding_unsupported',
    });
    await server?.close();
    expect(await fetchFrom(await answering(`${OK}Content-Encoding: gzip\r\n\r\n<html>`))).toMatchObject({
      code: 'encoding_broken',
    });
  });

  it('control characters sent by the host never reach the detail', async () => {
    const result = await fetchFrom(await answering('HTTP/1.1 200 OK\r\nContent-Type: a/\tb\r\n\r\n'));
    expect(result).toMatchObject({ code: 'not_html' });
    expect(JSON.stringify(result)).not.toMatch(/\\[tu]/);
  });
});

describe('the cause of a failure', () => {
  it('is the host for a closed port', async () => {
    const gone = await rawServer(() => {});
    await gone.close();
    expect(await fetchFrom(gone)).toMatchObject({ code: 'connection_refused' });
  });

  it('is ours if this machine has no route, and is thrown', async () => {
    const fetcher = fetcherAt(1, {
      connectTo: [],
      resolver: { resolve: async () => ({ kind: 'addresses', addresses: ['93.184.215.14'] }) },
      dialer: () => {
        throw Object.assign(new Error('connect ENETUNREACH'), { code: 'ENETUNREACH' });
      },
    });
    await expect(fetcher.fetch(URL_OF_PAGE)).rejects.toBeInstanceOf(FetchFault);
  });

  it('is ours if no resolver answers, and is thrown', async () => {
    const fetcher = fetcherAt(1, {
      connectTo: [],
      resolver: { resolve: () => Promise.reject(new FetchFault('no resolver')) },
    });
    await expect(fetcher.fetch(URL_OF_PAGE)).rejects.toBeInstanceOf(FetchFault);
  });

  it('is the reason of a caller who aborts, and the connection is closed', async () => {
    const closed = Promise.withResolvers<void>();
    server = await rawServer((socket) => socket.resume().on('close', () => closed.resolve()));
    const leaving = new AbortController();
    const fetching = fetcherAt(server.port).fetch(URL_OF_PAGE, { signal: leaving.signal });
    setTimeout(() => leaving.abort(new Error('gone home')), 50);
    await expect(fetching).rejects.toThrow('gone home');
    await closed.promise;
  });
});
