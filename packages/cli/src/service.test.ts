import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { type RunningService, readConfig, startService } from '@touchstone/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useFolder } from '../../../test/kit/folder.ts';
import { type LoopbackServer, loopbackServer, runCli } from './testing.ts';

/** The commands against a real service with its own database. */
const folder = useFolder('cli');
let shop: LoopbackServer;
let service: RunningService;
let env: Record<string, string>;
let page = '<p>not yet</p>';
let merchantId: string;

beforeAll(async () => {
  shop = await loopbackServer(({ path }) =>
    path.startsWith('/products/cup-1') ? { body: page } : { status: 404, body: 'gone' },
  );
  const config = readConfig({
    TOUCHSTONE_PORT: '0',
    TOUCHSTONE_DATA_DIR: join(folder, 'data'),
    TOUCHSTONE_PAGE_CACHE_SECONDS: '0',
    TOUCHSTONE_FETCH_CONNECT_TO: `shop.example=127.0.0.1:${shop.port}`,
  });
  const logDestination = new Writable({ write: (_chunk, _encoding, done) => done() });
  service = await startService(config, { logDestination, durable: false });
  env = { TOUCHSTONE_SERVICE: service.url, TOUCHSTONE_KEY: service.operatorKey ?? '' };
  const made = await call('POST', '/merchants', { name: 'The Shop', planCapacity: 10 });
  merchantId = String(made.id);
});

afterAll(async () => {
  await service?.close();
  await shop?.close();
});

async function call(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${service.url}/api/v1/registry${path}`, {
    method,
    headers: { authorization: `Bearer ${env.TOUCHSTONE_KEY}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await response.json()) as Record<string, unknown>;
}

const products = [
  {
    id: 1,
    title: 'Cup',
    handle: 'cup-1',
    vendor: 'Clay',
    images: [{ id: 5, src: 'https://cdn.test/cup.jpg' }],
  },
  { id: 2, title: 'x'.repeat(301), handle: 'cup-2' },
  { id: 3, title: 'Draft', handle: 'cup-3', status: 'draft' },
];

async function importProducts(list: readonly object[], more: readonly string[] = []) {
  const file = join(folder, 'products.json');
  await writeFile(file, JSON.stringify({ products: list }));
  return runCli(['import', file, '--store-url', 'http://shop.example', ...more], { env });
}

describe('the command line against the service', () => {
  it('imports a catalogue twice into the same store, and prints the row that the registry refuses', async () => {
    const first = await importProducts(products, ['--merchant-id', merchantId]);
    expect(first.code).toBe(1);
    expect(first.out).toMatch(/2 created, 0 updated, 0 unchanged/);
    expect(first.out).toMatch(/row 2 +2 +name: /);
    const again = (await importProducts(products, ['--json'])).json();
    expect(again).toMatchObject({ unchanged: 2, failed: 1, store: { created: false } });
    const { stores } = await call('GET', '/stores');
    expect(stores).toHaveLength(1);
    const [{ id } = { id: '' }] = stores as { id: string }[];
    const listed = (await call('GET', `/stores/${id}/products`)) as {
      products: { externalProductId: string; state: string }[];
    };
    expect(listed.products.map(({ externalProductId, state }) => [externalProductId, state])).toEqual([
      ['1', 'active'],
      ['3', 'hidden'],
    ]);
  });

  it('checks by the service and verifies locally, with the same verdict', async () => {
    const { stores } = (await call('GET', '/stores')) as { stores: { id: string }[] };
    const { products: listed } = (await call('GET', `/stores/${stores[0]?.id}/products`)) as {
      products: { id: string }[];
    };
    const certificate = await fetch(`${service.url}/api/v1/mc4p/products/${listed[0]?.id}/certificate`);
    page = `<script type="application/ld+json">${await certificate.text()}</script>`;
    const url = 'http://shop.example/products/cup-1';
    const own = ['--issuer', service.baseUrl, '--connect-to', `shop.example=127.0.0.1:${shop.port}`];
    expect((await runCli(['check', url, '--json'], { env })).json()).toMatchObject({ verdict: 'verified' });
    expect((await runCli(['verify', url, '--json', ...own], { env })).json()).toMatchObject({
      verdict: 'verified',
    });
    // nobody has proven the host
    expect((await runCli(['check', url], { env })).code).toBe(3);
    expect((await runCli(['check', url, '--accept-unproven'], { env })).code).toBe(0);

    page = page.replaceAll('/products/cup-1"', '/products/cup-9"');
    const checked = await runCli(['check', `${url}?fresh=1`, '--fresh', '--json'], { env });
    const verified = await runCli(['verify', `${url}?fresh=1`, '--json', ...own], { env });
    expect([checked.code, verified.code]).toEqual([1, 1]);
    expect(verified.json().verdict).toBe(checked.json().verdict);
  });

  it('prints only the new key on standard output', async () => {
    const { code, out, err } = await runCli(['keys', 'create', '--merchant-id', merchantId], { env });
    expect([code, out.trimEnd().split(/\s/).length]).toEqual([0, 1]);
    expect(err).toContain('It is shown only once');
    expect(err).not.toContain(out.trim());
  });

  it('creates a key that can import for its merchant, and revokes it', async () => {
    const made = (
      await runCli(['keys', 'create', '--merchant-id', merchantId, '--label', 'import', '--json'], { env })
    ).json();
    const mine = { ...env, TOUCHSTONE_KEY: String(made.key) };
    const listed = await runCli(['keys', 'list', '--merchant-id', merchantId], { env });
    expect(listed).toMatchObject({
      code: 0,
      out: expect.stringMatching(`${String(made.id)}  created .* never used .* import`),
    });
    expect(listed.out).not.toContain(String(made.key));
    const file = join(folder, 'one.json');
    await writeFile(file, JSON.stringify([products[0]]));
    const argv = ['import', file, '--store-url', 'http://shop.example'];
    expect((await runCli(argv, { env: mine })).code).toBe(0);
    await expect
      .poll(async () => (await runCli(['keys', 'list', '--merchant-id', merchantId], { env })).out)
      .toMatch(new RegExp(`${made.id}  created .* last used on \\d{4}-\\d\\d-\\d\\d +import`));
    // with a merchant's own key, the merchant need not be named
    expect(await runCli(['keys', 'list'], { env: mine })).toMatchObject({
      code: 0,
      out: expect.stringContaining(String(made.id)),
    });
    expect(
      (await runCli(['keys', 'revoke', String(made.id), '--merchant-id', merchantId], { env })).code,
    ).toBe(0);
    const refused = await runCli(argv, { env: mine });
    expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('TOUCHSTONE_KEY') });
    expect((await runCli(['keys', 'revoke', String(made.id), '--merchant-id', 'nope'], { env })).code).toBe(
      64,
    );
  });

  it('reports usage errors that only the service can detect', async () => {
    const unknown = await runCli(
      ['import', join(folder, 'one.json'), '--store-url', 'http://shop.example', '--store-id', merchantId],
      { env },
    );
    expect(unknown).toMatchObject({ code: 3, err: expect.stringContaining('store_unknown') });
  });
});
