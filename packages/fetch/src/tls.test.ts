import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import { afterEach, describe, expect, it } from 'vitest';
import { listen, rawServer } from '../../../test/kit/servers.ts';
import { fetcherAt } from './testing.ts';
import { createTestAuthority } from './testing-certificates.ts';

const DAY = 86_400_000;
const authority = createTestAuthority();
const caPem = authority.certificate;

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function httpsServer(
  dnsName: string,
  notAfter = new Date(Date.now() + DAY),
  listener: RequestListener = (_request, response) =>
    response.setHeader('content-type', 'text/html').end('<html>'),
): Promise<number> {
  server = createServer(authority.issue(dnsName, notAfter), listener);
  return listen(server);
}

const PAGE = 'https://shop.example/';

describe('over https', () => {
  it('a page is fetched if the certificate is valid for the name', async () => {
    const port = await httpsServer('shop.example');
    expect(await fetcherAt(port, { ca: caPem }).fetch(PAGE)).toMatchObject({ kind: 'page', finalUrl: PAGE });
  });

  it('also when the name is written with a trailing dot', async () => {
    const port = await httpsServer('shop.example');
    expect(await fetcherAt(port, { ca: caPem }).fetch('https://shop.example./')).toMatchObject({
      kind: 'page',
    });
  });

  it('a page that arrives slowly is aborted early: the bytes of the handshake do not count', async () => {
    const drips = new Set<NodeJS.Timeout>();
    const port = await httpsServer('shop.example', undefined, (_request, response) => {
      response.setHeader('content-type', 'text/html').write('<html>');
      drips.add(setInterval(() => response.write('a'), 20));
    });
    const limits = { graceTime: 250, minimumRate: 4_000 };
    const result = await fetcherAt(port, { ca: caPem, limits }).fetch(PAGE);
    for (const drip of drips) clearInterval(drip);
    expect(result).toMatchObject({ code: 'timed_out', detail: expect.stringMatching(/bytes in/) });
  });

  it('an untrusted authority is refused', async () => {
    const port = await httpsServer('shop.example');
    expect(await fetcherAt(port).fetch(PAGE)).toMatchObject({ kind: 'failed', code: 'tls_failed' });
  });

  it('a certificate for another name is refused', async () => {
    const port = await httpsServer('other.example');
    expect(await fetcherAt(port, { ca: caPem }).fetch(PAGE)).toMatchObject({
      code: 'tls_failed',
      detail: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID'),
    });
  });

  it('an expired certificate is refused', async () => {
    const port = await httpsServer('shop.example', new Date(Date.now() - DAY));
    expect(await fetcherAt(port, { ca: caPem }).fetch(PAGE)).toMatchObject({
      code: 'tls_failed',
      detail: expect.stringContaining('CERT_HAS_EXPIRED'),
    });
  });

  it.each([
    ['plain HTTP', 'HTTP/1.1 200 OK\r\n\r\n<html>'],
    ['nothing', ''],
  ])('a host that speaks %s is reported as a TLS fault', async (_what, bytes) => {
    const plain = await rawServer((socket) => socket.end(bytes));
    const result = await fetcherAt(plain.port, { ca: caPem }).fetch(PAGE);
    expect(result).toMatchObject({ code: 'tls_failed' });
    expect(JSON.stringify(result)).not.toMatch(/\.c:\d+|deps/);
    await plain.close();
  });

  it('a handshake that never ends is aborted', async () => {
    const silent = await rawServer(() => {});
    const fetcher = fetcherAt(silent.port, { ca: caPem, limits: { totalTime: 200 } });
    expect(await fetcher.fetch(PAGE)).toMatchObject({ code: 'timed_out' });
    await silent.close();
  });
});
