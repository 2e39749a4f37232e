import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { productCertificate } from '@touchstone/certificate/issue';
import { createTestIssuer, TEST_ISSUER, TEST_NOW, TEST_PRODUCT } from '@touchstone/certificate/testing';
import { verifyFromHtml } from '@touchstone/page';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { idOf, loopbackServer, runCli } from '../testing.ts';

const addresses = { baseUrl: TEST_ISSUER, namespaceUrl: `${TEST_ISSUER}/ns#` };
const urlOf = (n: number) => `https://shop.example/products/cup-${n}`;
const certificateOf = (n: number, changes: { jwt?: string; issuedAt?: string } = {}) =>
  productCertificate(
    { ...TEST_PRODUCT, productId: idOf(n), url: urlOf(n) },
    { jwt: changes.jwt ?? 'a.b.c', issuedAt: changes.issuedAt ?? TEST_NOW.toISOString() },
    addresses,
  );
const BLOCK = /<script type="application\/ld\+json" data-touchstone>(.*?)<\/script>/g;
const pageOf = (n: number, more = '') =>
  `<!doctype html><html><head><link rel="canonical" href="${urlOf(n)}"></head><body>${more} Größe ${n}</body></html>\r\n`;

let folder: string;
let site: string;
let certificates: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-embed-'));
  site = join(folder, 'site');
  certificates = join(folder, 'certificates');
  await put(join(certificates, 'pulled.json'), '{"service":"x","storeId":"y","cursor":"z"}');
  await put(join(site, 'index.html'), '<!doctype html><p>Home</p>');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function put(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}
const pull = (n: number, changes = {}) =>
  put(join(certificates, `${idOf(n)}.json`), JSON.stringify(certificateOf(n, changes)));
const read = (path: string) => readFile(join(site, path), 'utf8');
const embed = (...more: string[]) =>
  runCli(['embed', site, '--certificates', certificates, '--json', ...more], { now: TEST_NOW });
const blocksIn = (html: string) => [...html.matchAll(BLOCK)].map(([, json = '']) => JSON.parse(json));

describe('embed', () => {
  it('puts each certificate into the page that declares its URL, and changes no other byte', async () => {
    await Promise.all([pull(1), pull(2)]);
    await put(join(site, 'a/one.html'), pageOf(1));
    await put(join(site, 'b.htm'), `\ufeff${pageOf(2)}`);
    const ran = await embed();
    expect(ran.json()).toMatchObject({ files: 3, written: ['b.htm', 'a/one.html'], others: 1, unused: 0 });
    expect(ran.code).toBe(0);
    expect(blocksIn(await read('a/one.html'))).toEqual([certificateOf(1)]);
    expect((await read('a/one.html')).replace(BLOCK, '')).toBe(pageOf(1));
    expect((await read('b.htm')).replace(BLOCK, '')).toBe(`\ufeff${pageOf(2)}`);
    expect(await read('index.html')).toBe('<!doctype html><p>Home</p>');
  });

  it('does nothing the second time, and replaces a certificate that has changed since', async () => {
    await pull(1);
    await put(join(site, 'one.html'), pageOf(1));
    await embed();
    const { mtimeNs } = await stat(join(site, 'one.html'), { bigint: true });
    expect((await embed()).json()).toMatchObject({ written: [], current: 1 });
    expect((await stat(join(site, 'one.html'), { bigint: true })).mtimeNs).toBe(mtimeNs);
    await pull(1, { jwt: 'd.e.f' });
    expect((await embed()).json()).toMatchObject({ written: ['one.html'] });
    expect(blocksIn(await read('one.html'))).toMatchObject([{ proof: { jwt: 'd.e.f' } }]);
  });

  it('names the pages of certificates that it did not find', async () => {
    await Promise.all([pull(1), pull(2), put(join(site, 'one.html'), pageOf(1))]);
    const argv = ['embed', site, '--certificates', certificates];
    const { out } = await runCli(argv, { now: TEST_NOW });
    const { url } = certificateOf(2);
    expect(out).toMatch(
      /^1 page got a certificate, 0 have theirs, 0 lost one, 1 is without a product \(2 files\)\n/,
    );
    expect(out).toContain(`1 certificate is for no page of this site: ${url}\n`);
  });

  it('removes a withdrawn one, which restores the page', async () => {
    await Promise.all([pull(1), put(join(site, 'one.html'), pageOf(1))]);
    await embed();
    await rm(join(certificates, `${idOf(1)}.json`));
    expect((await embed()).json()).toMatchObject({ removed: ['one.html'] });
    expect(await read('one.html')).toBe(pageOf(1));
  });

  it('finds pages by their paths with --base-url, as servers serve them', async () => {
    await Promise.all([pull(1), pull(2), pull(3)]);
    const bare = '<!doctype html><html><head></head></html>';
    await put(join(site, 'products/cup-1/index.html'), bare);
    await put(join(site, 'products/cup-2.html'), bare);
    // the page states this address but is not served there; its certificate would be reported as a copy
    await put(join(site, 'cup-3-in-red.html'), pageOf(3));
    const ran = await embed('--base-url', 'https://shop.example');
    expect(ran.json()).toMatchObject({
      written: ['products/cup-2.html', 'products/cup-1/index.html'],
      others: 2,
      unused: 1,
    });
  });

  it('with --check writes nothing, and exits with 1 if a page is out of date', async () => {
    await Promise.all([pull(1), put(join(site, 'one.html'), pageOf(1))]);
    const ran = await embed('--check');
    expect([ran.code, ran.json().written]).toEqual([1, ['one.html']]);
    expect(await read('one.html')).toBe(pageOf(1));
    await embed();
    expect((await embed('--check')).code).toBe(0);
  });

  it('uses the @id of the site’s own node', async () => {
    await Promise.all([pull(1), put(join(site, 'one.html'), pageOf(1))]);
    await embed('--node-id', '{url}#product');
    expect(blocksIn(await read('one.html'))).toMatchObject([{ '@id': `${urlOf(1)}#product` }]);
  });

  it('adds the badge to pages with a certificate with --badge, and removes it without', async () => {
    const script = `<script type="module" data-touchstone src="${TEST_ISSUER}/badge.js"></script>`;
    await Promise.all([
      pull(1),
      put(join(site, 'one.html'), pageOf(1, '<product-certificate></product-certificate>')),
    ]);
    await embed('--badge');
    expect(await read('one.html')).toContain(`</script>${script}</head>`);
    expect(await read('index.html')).not.toContain('badge');
    expect((await embed('--badge')).json()).toMatchObject({ written: [], current: 1 });
    expect((await embed()).json()).toMatchObject({ written: ['one.html'] });
    expect(await read('one.html')).not.toContain('badge.js');
    expect(blocksIn(await read('one.html'))).toEqual([certificateOf(1)]);
  });

  it('keeps permissions, and leaves no other file behind', async () => {
    await Promise.all([pull(1), put(join(site, 'one.html'), pageOf(1))]);
    await chmod(join(site, 'one.html'), 0o640);
    await embed();
    expect((await stat(join(site, 'one.html'))).mode & 0o777).toBe(0o640);
    expect((await embed()).json()).toMatchObject({ files: 2 });
  });

  it('reports what it leaves unchanged, and exits with 1', async () => {
    await Promise.all([pull(1), pull(2), pull(3, { issuedAt: '2026-02-01T00:00:00Z' }), pull(4)]);
    const latin = Buffer.from(pageOf(1), 'latin1');
    await put(join(site, 'latin.html'), latin);
    await put(join(site, 'open.html'), pageOf(2, '<script data-touchstone>{}'));
    await put(join(site, 'old.html'), pageOf(3));
    const part = `<link rel="canonical" href="${urlOf(4)}"><p>part`;
    await put(join(site, 'part.html'), part);
    const ran = await embed();
    expect(ran.code).toBe(1);
    expect(ran.json().problems).toEqual([
      { file: 'latin.html', problem: 'not_utf8' },
      { file: 'old.html', problem: 'certificate_ended' },
      { file: 'open.html', problem: 'block_not_closed' },
      { file: 'part.html', problem: 'no_place' },
    ]);
    expect(await readFile(join(site, 'latin.html'))).toEqual(latin);
    expect(await read('part.html')).toBe(part);
    const words = await runCli(['embed', site, '--certificates', certificates], { now: TEST_NOW });
    expect(words.out).toContain('latin.html is not in UTF-8 and was left unchanged');
  });

  it('follows no symbolic link', async () => {
    await Promise.all([pull(1), put(join(folder, 'elsewhere/one.html'), pageOf(1))]);
    await symlink(join(folder, 'elsewhere'), join(site, 'linked'));
    await symlink(join(folder, 'elsewhere/one.html'), join(site, 'one.html'));
    expect((await embed()).json()).toMatchObject({ files: 1, written: [] });
    expect(await readFile(join(folder, 'elsewhere/one.html'), 'utf8')).toBe(pageOf(1));
  });

  it('reports compressed copies that are now outdated, and when the first certificate ends', async () => {
    await Promise.all([pull(1), put(join(site, 'one.html'), pageOf(1)), put(join(site, 'one.html.gz'), 'x')]);
    expect((await embed()).json()).toMatchObject({
      oldCopies: ['one.html.gz'],
      holdsUntil: '2026-03-08T12:00:00.000Z',
    });
    expect((await embed()).json()).toMatchObject({ oldCopies: [] });
  });

  it('refuses a folder without pulled certificates, a missing site, and one without pages', async () => {
    for (const [args, message] of [
      [[site, '--certificates', site], 'contains no certificates'],
      [[join(folder, 'none'), '--certificates', certificates], 'There is no folder'],
      [[certificates, '--certificates', certificates], 'There are no HTML files'],
    ] as const) {
      const ran = await runCli(['embed', ...args], { now: TEST_NOW });
      expect([ran.code, ran.err]).toEqual([64, expect.stringContaining(message)]);
    }
  });

  it('stops between two files on request', async () => {
    await Promise.all([pull(1), put(join(site, 'one.html'), pageOf(1))]);
    const ran = await runCli(['embed', site, '--certificates', certificates], { stop: AbortSignal.abort() });
    expect([ran.code, await read('one.html')]).toEqual([3, pageOf(1)]);
  });

  it('with --store pulls the certificates first', async () => {
    const store = '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01';
    await put(join(certificates, 'pulled.json'), JSON.stringify({ storeId: store, cursor: 'c0' }));
    const about = { productId: idOf(1), externalProductId: 'cup', url: urlOf(1), cursor: 'c1' };
    const times = { issuedAt: TEST_NOW.toISOString(), replaceBy: '2026-03-08T12:00:00.000Z' };
    const lines = [
      { status: 'current', ...about, ...times, certificate: certificateOf(1) },
      { status: 'end', cursor: 'c1', certificates: 1, withdrawn: 0, failed: 0 },
    ];
    const server = await loopbackServer(() => ({
      headers: { 'content-type': 'application/x-ndjson' },
      body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    }));
    await put(join(site, 'one.html'), pageOf(1));
    const ran = await embed('--store', store, '--key', 'k', '--service', server.url);
    await server.close();
    expect(ran.json()).toMatchObject({ written: ['one.html'] });
  });

  it('writes certificates that verify', async () => {
    const issuer = await createTestIssuer();
    const certificate = await issuer.certificate();
    await put(join(certificates, `${TEST_PRODUCT.productId}.json`), JSON.stringify(certificate));
    await put(join(site, 'cup.html'), pageOf(1).replace(urlOf(1), TEST_PRODUCT.url));
    await embed('--node-id', '{url}#product');
    const { verdict } = await verifyFromHtml(await read('cup.html'), {
      pageUrl: TEST_PRODUCT.url,
      trustedIssuers: [TEST_ISSUER],
      jwks: issuer.jwks,
      now: TEST_NOW,
    });
    expect(verdict).toBe('verified');
  });
});
