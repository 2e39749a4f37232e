import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { httpServer, listen, type TestServer } from '../../../test/kit/servers.ts';
import { createApiClient } from './api-client.ts';
import { Credential, CredentialRefused, isConfidential } from './credential.ts';
import type { FetcherOptions } from './fetcher.ts';
import { createPageFetcher } from './page.ts';
import { createStreamFetcher } from './stream.ts';
import { internetAt, PUBLIC_ADDRESS, resolverOf } from './testing.ts';
import { createTestAuthority } from './testing-certificates.ts';

const servers: { close: () => unknown }[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** A server that records every request with the headers that may carry a secret; it redirects to `location` if there is one. */
async function recorder(location?: string): Promise<TestServer & { readonly seen: unknown[] }> {
  const seen: unknown[] = [];
  const server = await httpServer(({ url, headers }, response) => {
    seen.push({ url, authorization: headers.authorization, signature: headers.signature });
    if (location !== undefined) response.writeHead(307, { location }).end();
    else response.setHeader('content-type', 'text/html').end('<html>');
  });
  servers.push(server);
  return { ...server, seen };
}

const SECRET = { authorization: 'Bearer secret' };
const given = (address: string) => new Credential(address, SECRET);

describe('a credential', () => {
  it.each([
    ['https://shop.example', 'http://shop.example/', 'other_origin'],
    ['https://shop.example', 'https://shop.example:8443/', 'other_origin'],
    ['https://shop.example', 'https://www.shop.example/', 'other_origin'],
    ['https://shop.example', 'https://shop.example.evil.example/', 'other_origin'],
    ['https://shop.example', 'https://shop.example@evil.example/', 'other_origin'],
    ['http://shop.example', 'http://shop.example/', 'no_tls'],
    ['http://192.168.1.2', 'http://192.168.1.2/', 'no_tls'],
    ['http://a.localhost', 'http://a.localhost/', 'no_tls'],
    ['http://127.0.0.1.nip.example', 'http://127.0.0.1.nip.example/', 'no_tls'],
  ])('given for %s does not go to %s', (address, url, code) => {
    expect(() => given(address).headersFor(new URL(url))).toThrow(
      expect.objectContaining({ name: 'CredentialRefused', code }),
    );
  });

  it.each([
    ['https://shop.example/base', 'https://shop.example:443/a?b#c'],
    ['http://127.0.0.1:8787', 'http://127.0.0.1:8787/a'],
    ['http://localhost:8787', 'http://localhost:8787/a'],
    ['http://[::1]:8787', 'http://[::1]:8787/a'],
    ['http://2130706433', 'http://127.0.0.1/'],
  ])('given for %s goes to %s', (address, url) => {
    expect(given(address).headersFor(new URL(url))).toEqual(SECRET);
  });

  it('is judged by the addresses to which a name leads, where they are known', () => {
    const url = new URL('http://shop.example/');
    expect(isConfidential(url, ['127.0.0.1', '::1'])).toBe(true);
    expect(isConfidential(url, ['127.0.0.1', '10.0.0.1'])).toBe(false);
    expect(isConfidential(new URL('http://localhost/'), [PUBLIC_ADDRESS])).toBe(false);
    expect(isConfidential(url, [])).toBe(false);
    expect(isConfidential(new URL('ftp://127.0.0.1/'))).toBe(false);
  });

  it('does not show in logs, JSON or errors', () => {
    const credential = given('https://shop.example');
    expect(`${JSON.stringify(credential)}${String(Object.values(credential))}`).not.toContain('secret');
  });
});

const toward = (host: string, { port }: { port: number }) => ({ host, address: '127.0.0.1', toPort: port });
const base = { userAgent: 'test/1' };

describe('a request with a credential', () => {
  it('sends it over https, and over http to a name that leads to this machine', async () => {
    const authority = createTestAuthority();
    const seen: unknown[] = [];
    const tls = createTlsServer(
      authority.issue('api.example', new Date(Date.now() + 86_400_000)),
      (request, response) => {
        seen.push(request.headers.authorization);
        response.end();
      },
    );
    await listen(tls);
    servers.push(tls);
    const plain = await recorder();
    const { port } = tls.address() as AddressInfo;
    const connectTo = [toward('api.example', { port }), toward('local.example', plain)];
    const client = createApiClient({ ...base, ca: authority.certificate, connectTo });
    for (const url of ['https://api.example/', 'http://local.example/'])
      expect(await client.request(url, { credential: given(url) })).toMatchObject({ status: 200 });
    expect(seen).toEqual([SECRET.authorization]);
    expect(plain.seen).toEqual([{ url: '/', ...SECRET }]);
  });

  it('does not even connect over http to any other host, nor to another origin', async () => {
    const hostile = await recorder();
    const dialled: string[] = [];
    const options: FetcherOptions = {
      ...base,
      resolver: resolverOf({ 'api.example': [[PUBLIC_ADDRESS]] }).resolver,
      dialer: internetAt(hostile.port),
      onDial: (address) => dialled.push(address),
    };
    const request = { method: 'POST', body: new TextEncoder().encode('secret') } as const;
    const client = createApiClient(options);
    const http = 'http://api.example/';
    expect(await client.request(http, { ...request, credential: given(http) })).toMatchObject({
      kind: 'failed',
      code: 'scheme_blocked',
      detail: expect.stringContaining('over https only'),
    });
    const elsewhere = client.request(http, { ...request, credential: given('https://api.example') });
    await expect(elsewhere).rejects.toBeInstanceOf(CredentialRefused);
    const read = async () => 'read';
    expect(await createStreamFetcher(options).fetch(http, read, { credential: given(http) })).toMatchObject({
      code: 'scheme_blocked',
    });
    expect([dialled, hostile.hits()]).toEqual([[], 0]);
  });

  it.each(['http://evil.example/', 'https://api.example/', 'http://api.example:8080/', '/inside'])(
    'follows no redirect, here to %s, and says where it leads',
    async (location) => {
      const hostile = await recorder();
      const api = await recorder(location);
      const connectTo = [
        toward('evil.example', hostile),
        { ...toward('api.example', hostile), port: 443 },
        { ...toward('api.example', hostile), port: 8080 },
        { ...toward('api.example', api), port: 80 },
      ];
      const url = 'http://api.example/';
      const sent = { credential: given(url) };
      const answer = await createApiClient({ ...base, connectTo }).request(url, sent);
      expect(answer).toMatchObject({ kind: 'answer', status: 307, finalUrl: url });
      const refused = { kind: 'failed', code: 'redirect_invalid', finalUrl: url };
      const detail = expect.stringContaining(new URL(location, url).origin);
      const page = await createPageFetcher({ ...base, connectTo }).fetch(url, sent);
      expect(page).toMatchObject({ ...refused, detail });
      const stream = await createStreamFetcher({ ...base, connectTo }).fetch(url, async () => '', sent);
      expect(stream).toMatchObject({ ...refused, detail });
      expect([api.seen.length, hostile.hits()]).toEqual([3, 0]);
    },
  );
});

describe('the signature of a request', () => {
  const sign = async (url: URL) => ({ Signature: `for ${url.host}` });

  it('is made for each hop, and not sent where others could read it', async () => {
    const open = await recorder();
    const shop = await recorder('http://open.example/');
    const fetcher = createPageFetcher({
      ...base,
      sign,
      connectTo: [toward('shop.example', shop)],
      resolver: resolverOf({ 'open.example': [[PUBLIC_ADDRESS]] }).resolver,
      dialer: (address, port) => internetAt(address === PUBLIC_ADDRESS ? open.port : port)(address, port),
    });
    expect(await fetcher.fetch('http://shop.example/')).toMatchObject({ kind: 'page' });
    expect(shop.seen).toEqual([{ url: '/', signature: 'for shop.example' }]);
    expect(open.seen).toEqual([{ url: '/' }]);
  });
});
