import { afterEach, describe, expect, it } from 'vitest';
import { httpServer, type TestServer } from '../../../test/kit/servers.ts';
import { createPageFetcher, type PageFetcherOptions } from './page.ts';
import { internetAt, PUBLIC_ADDRESS, resolverOf } from './testing.ts';

/** A local server that counts requests: blocked fetches must not reach it. */
let canary: TestServer | undefined;
afterEach(() => canary?.close());

/** A fetcher that connects to the canary for every public address, and logs the dialled addresses. */
async function guarded(
  names: Parameters<typeof resolverOf>[0],
  options: Partial<PageFetcherOptions> = {},
  listener: Parameters<typeof httpServer>[0] = (_request, response) => {
    response.setHeader('content-type', 'text/html').end('<html>page</html>');
  },
) {
  canary = await httpServer(listener);
  const { resolver, asked } = resolverOf(names);
  const dialled: string[] = [];
  const fetcher = createPageFetcher({
    userAgent: 'Touchstone-test',
    resolver,
    dialer: internetAt(canary.port),
    onDial: (address, port) => dialled.push(`${address}:${port}`),
    ...options,
  });
  return { fetcher, asked, dialled };
}

const SHOP = { 'shop.example': [[PUBLIC_ADDRESS]] };

describe('a public page is fetched', () => {
  it('from the address that was checked, resolved once', async () => {
    const { fetcher, asked, dialled } = await guarded(SHOP);
    const result = await fetcher.fetch('http://user:secret@shop.example./a?b=1#c');
    expect(result).toMatchObject({ kind: 'page', status: 200, finalUrl: 'http://shop.example/a?b=1' });
    expect(asked).toEqual(['shop.example']);
    expect(dialled).toEqual([`${PUBLIC_ADDRESS}:80`]);
  });

  it('without credentials, with a truthful User-Agent', async () => {
    let seen: Record<string, unknown> = {};
    const { fetcher } = await guarded(SHOP, {}, (request, response) => {
      seen = request.headers;
      response.setHeader('content-type', 'text/html').end();
    });
    await fetcher.fetch('http://user:secret@shop.example/');
    expect(seen).toMatchObject({ host: 'shop.example', 'user-agent': 'Touchstone-test' });
    expect(seen).not.toHaveProperty('authorization');
    expect(seen).not.toHaveProperty('cookie');
  });

  it('over the next address if one does not answer, IPv4 first', async () => {
    canary = await httpServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end('<html>'),
    );
    const { port } = canary;
    const [closed, open] = [PUBLIC_ADDRESS, '93.184.215.15'];
    const dialled: string[] = [];
    const fetcher = createPageFetcher({
      userAgent: 'Touchstone-test',
      resolver: resolverOf({ 'shop.example': [['2606:4700::1', closed, open]] }).resolver,
      dialer: (address, to) => internetAt(address === open ? port : 1)(address, to),
      onDial: (address) => dialled.push(address),
    });
    expect(await fetcher.fetch('http://shop.example/')).toMatchObject({ kind: 'page' });
    expect(dialled).toEqual([closed, open]);
  });
});

describe('no packet is sent to', () => {
  it.each([
    ['http://127.0.0.1/', 'address_blocked'],
    ['http://0177.0.0.1/', 'address_blocked'],
    ['http://0x7f000001/', 'address_blocked'],
    ['http://2130706433/', 'address_blocked'],
    ['http://127.1/', 'address_blocked'],
    ['http://0/', 'address_blocked'],
    ['http://169.254.169.254/latest/meta-data/', 'address_blocked'],
    ['http://[::1]/', 'address_blocked'],
    ['http://[::ffff:169.254.169.254]/', 'address_blocked'],
    ['http://[64:ff9b::a9fe:a9fe]/', 'address_blocked'],
    ['http://[2002:7f00:1::]/', 'address_blocked'],
    ['http://localhost/', 'address_blocked'],
    ['http://metadata.google.internal/', 'address_blocked'],
    ['http://printer/', 'address_blocked'],
    ['http://nothing.invalid/', 'host_unknown'],
    ['http://unheard.example/', 'host_unknown'],
    ['http://shop.example:22/', 'port_blocked'],
    ['http://shop.example:8080/', 'port_blocked'],
    ['file:///etc/passwd', 'scheme_blocked'],
    ['gopher://shop.example:80/_x', 'scheme_blocked'],
    ['ftp://shop.example/', 'scheme_blocked'],
    ['data:text/html,<p>', 'scheme_blocked'],
    ['javascript:alert(1)', 'scheme_blocked'],
    ['http://', 'url_invalid'],
    ['http://[host/', 'url_invalid'],
    ['/products/1', 'url_invalid'],
    ['http://256.256.256.256/', 'url_invalid'],
    ['http://./', 'url_invalid'],
    ['http://foo.09../', 'url_invalid'],
    ['http://127.0.0.1../', 'url_invalid'],
    ['http://shop..example/', 'url_invalid'],
    ['http://shop.example:99999/', 'url_invalid'],
  ])('%s', async (url, code) => {
    const { fetcher, dialled } = await guarded(SHOP);
    expect(await fetcher.fetch(url)).toMatchObject({ kind: 'failed', code });
    expect(dialled).toEqual([]);
    expect(canary?.hits()).toBe(0);
  });

  it.each([
    [['10.0.0.1']],
    [['::1']],
    [['::ffff:10.0.0.1']],
    [[PUBLIC_ADDRESS, '192.168.1.1']],
    [['2606:4700::1', 'fd00::1']],
    [['0.0.0.0', PUBLIC_ADDRESS]],
    [[PUBLIC_ADDRESS, 'not an address']],
  ])('a name that resolves to %j, which is not disclosed', async (addresses) => {
    const { fetcher, dialled } = await guarded({ 'shop.example': [addresses] });
    const result = await fetcher.fetch('http://shop.example/');
    expect(result).toMatchObject({ kind: 'failed', code: 'address_blocked', detail: '' });
    expect(dialled).toEqual([]);
  });
});

describe('a name whose addresses change', () => {
  it('is not resolved again: the checked address is dialled', async () => {
    const { fetcher, asked, dialled } = await guarded({ 'shop.example': [[PUBLIC_ADDRESS], ['127.0.0.1']] });
    expect(await fetcher.fetch('http://shop.example/')).toMatchObject({ kind: 'page' });
    expect(asked).toEqual(['shop.example']);
    expect(dialled).toEqual([`${PUBLIC_ADDRESS}:80`]);
  });

  it('is checked again for the next hop to the same name', async () => {
    const { fetcher, dialled } = await guarded(
      { 'shop.example': [[PUBLIC_ADDRESS], ['127.0.0.1']] },
      {},
      (_request, response) => response.writeHead(302, { location: '/elsewhere' }).end(),
    );
    expect(await fetcher.fetch('http://shop.example/')).toMatchObject({
      code: 'address_blocked',
      finalUrl: 'http://shop.example/elsewhere',
    });
    expect(dialled).toEqual([`${PUBLIC_ADDRESS}:80`]);
  });

  it('a socket that is connected to another address than dialled is closed before a byte is sent', async () => {
    canary = await httpServer((_request, response) => response.end());
    const { port } = canary;
    const fetcher = createPageFetcher({
      userAgent: 'Touchstone-test',
      resolver: resolverOf(SHOP).resolver,
      dialer: () => internetAt(port)('127.0.0.1', 80),
    });
    expect(await fetcher.fetch('http://shop.example/')).toMatchObject({ code: 'address_blocked' });
    expect(canary.hits()).toBe(0);
  });
});

describe('a redirect cannot reach', () => {
  it.each([
    ['http://127.0.0.1/', 'address_blocked'],
    ['http://127.0.0.1:22/', 'port_blocked'],
    ['http://[::1]/', 'address_blocked'],
    ['http://[::ffff:7f00:1]/', 'address_blocked'],
    ['http://0x7f.1/', 'address_blocked'],
    ['//169.254.169.254/latest/', 'address_blocked'],
    ['\\\\169.254.169.254\\latest', 'address_blocked'],
    ['https://10.0.0.1/', 'address_blocked'],
    ['http://inside.example/', 'address_blocked'],
    ['http://mixed.example/', 'address_blocked'],
    ['http://localhost/', 'address_blocked'],
    ['http://shop.example:8080/', 'port_blocked'],
    ['file:///etc/passwd', 'scheme_blocked'],
    ['gopher://shop.example/', 'scheme_blocked'],
    ['data:text/html,<p>', 'scheme_blocked'],
    ['http://[broken', 'redirect_invalid'],
    ['http://', 'redirect_invalid'],
  ])('to %s', async (location, code) => {
    const names = { ...SHOP, 'inside.example': [['10.1.1.1']], 'mixed.example': [[PUBLIC_ADDRESS, '::1']] };
    for (const status of [301, 302, 303, 307, 308]) {
      const { fetcher, dialled } = await guarded(names, {}, (_request, response) =>
        response.writeHead(status, { location }).end('<html>'),
      );
      expect(await fetcher.fetch('http://shop.example/')).toMatchObject({ kind: 'failed', code });
      expect(dialled).toEqual([`${PUBLIC_ADDRESS}:80`]);
      await canary?.close();
    }
  });
});

const hopping = (to: (path: number) => string) =>
  guarded(SHOP, {}, (request, response) => {
    const at = Number(request.url?.slice(1));
    const location = to(at);
    if (location === '') response.setHeader('content-type', 'text/html').end('<html>');
    else response.writeHead(302, { location }).end();
  });

describe('redirects', () => {
  it('are followed five times', async () => {
    const { fetcher } = await hopping((at) => (at < 5 ? `/${at + 1}` : ''));
    expect(await fetcher.fetch('http://shop.example/0')).toMatchObject({
      kind: 'page',
      finalUrl: 'http://shop.example/5',
    });
  });

  it('are not followed a sixth time', async () => {
    const { fetcher } = await hopping((at) => (at < 6 ? `/${at + 1}` : ''));
    expect(await fetcher.fetch('http://shop.example/0')).toMatchObject({ code: 'too_many_redirects' });
    expect(canary?.hits()).toBe(6);
  });

  it('in a loop are reported as such', async () => {
    const { fetcher } = await hopping((at) => `/${(at + 1) % 3}#part`);
    expect(await fetcher.fetch('http://shop.example/0')).toMatchObject({
      code: 'redirect_loop',
      detail: 'http://shop.example/0',
    });
    expect(canary?.hits()).toBe(3);
  });

  it('with raw UTF-8 in their address are followed to that address', async () => {
    const { fetcher } = await guarded(SHOP, {}, (request, response) => {
      if (request.url === '/') {
        response.writeHead(301, { location: Buffer.from('/é', 'utf8').toString('latin1') }).end();
      } else {
        response.setHeader('content-type', 'text/html').end();
      }
    });
    expect(await fetcher.fetch('http://shop.example/')).toMatchObject({
      kind: 'page',
      finalUrl: 'http://shop.example/%C3%A9',
    });
  });

  it.each([
    ['/to', '#!/cup', '#!/cup'],
    ['/to#!/mug', '#!/cup', '#!/mug'],
    ['/to#/mug', '', '#/mug'],
    ['/to#top', '#!/cup', ''],
    ['/to', '#top', ''],
  ])('to %s, from a page at %j, lead to its route %j', async (location, asked, route) => {
    const { fetcher } = await guarded(SHOP, {}, (request, response) => {
      if (request.url === '/') response.writeHead(302, { location }).end();
      else response.setHeader('content-type', 'text/html').end();
    });
    const { finalUrl } = await fetcher.fetch(`http://shop.example/${asked}`);
    expect(finalUrl).toBe(`http://shop.example/to${route}`);
  });

  it('without an address are a response that is not a page', async () => {
    const { fetcher } = await guarded(SHOP, {}, (_request, response) => response.writeHead(302).end());
    expect(await fetcher.fetch('http://shop.example/')).toMatchObject({ code: 'http_status', status: 302 });
  });
});

describe('a host of FETCH_CONNECT_TO', () => {
  it('is dialled at the configured address, on any port, without resolving its name', async () => {
    canary = await httpServer((request, response) =>
      response.setHeader('content-type', 'text/html').end(`<html>${request.headers.host}`),
    );
    const dialled: string[] = [];
    const { resolver, asked } = resolverOf({});
    const fetcher = createPageFetcher({
      userAgent: 'Touchstone-test',
      resolver,
      connectTo: [{ host: 'shop.example', address: '127.0.0.1', toPort: canary.port }],
      onDial: (address, port, host) => dialled.push(`${host} ${address}:${port}`),
    });
    const result = await fetcher.fetch('http://shop.example:8081/');
    expect(result).toMatchObject({ kind: 'page', finalUrl: 'http://shop.example:8081/' });
    expect(dialled).toEqual([`shop.example 127.0.0.1:${canary.port}`]);
    expect(asked).toEqual([]);
  });

  it('grants no access to its address, neighbouring addresses or its redirects', async () => {
    canary = await httpServer((_request, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${canary?.port}/` }).end(),
    );
    const fetcher = createPageFetcher({
      userAgent: 'Touchstone-test',
      ports: [80, 443, canary.port],
      connectTo: [{ host: 'shop.example', address: '127.0.0.1', toPort: canary.port }],
    });
    expect(await fetcher.fetch('http://shop.example/')).toMatchObject({ code: 'address_blocked' });
    expect(await fetcher.fetch(`http://127.0.0.1:${canary.port}/`)).toMatchObject({
      code: 'address_blocked',
    });
    expect(canary.hits()).toBe(1);
  });
});
