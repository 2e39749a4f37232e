import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../testing.ts';

const URL = 'https://shop.example/cup';
const PAGE = `<title>Cup</title><script type="application/ld+json">
  {"@type":"Product","name":"Cup \\u001b[31m","sku":"C-1","offers":{"price":"9.50","priceCurrency":"EUR"}}</script>`;

describe('touchstone read', () => {
  it('prints facts, findings, platform and certificate of saved HTML, and nothing else', async () => {
    const ran = await runCli(['read', '-', '--url', URL, '--json'], { stdin: PAGE });
    expect(ran.code).toBe(0);
    const told = ran.json();
    expect(Object.keys(told).toSorted()).toEqual(['certificate', 'facts', 'findings', 'platform_detected']);
    expect(told).toMatchObject({
      facts: { sku: { value: 'C-1', source: 'jsonld' }, price: { value: '9.50' }, brand: null, images: [] },
      platform_detected: 'custom',
      certificate: null,
    });
  });

  it('shows with --explain what each fact was chosen from, with all text escaped', async () => {
    const html = PAGE.replace('</title>', '</title><meta property="product:price:amount" content="8.00">');
    const argv = ['read', '-', '--url', URL, '--explain'];
    const { out } = await runCli(argv, { stdin: html });
    expect(out).toContain('price: the value with the highest weight was chosen');
    expect(out).toMatch(/\* {2}9\.50 +weight 1\.00 +score 1\.00 +jsonld offers\.price/);
    expect(out).toMatch(/8\.00 +weight 0\.75 +score 0\.75 +meta product:price:amount/);
    expect(out).not.toContain('\u001b[31m');
    const told = (await runCli([...argv, '--json'], { stdin: html })).json();
    expect(told.explanation).toContainEqual(expect.objectContaining({ fact: 'price', because: 'heaviest' }));
  });

  it('writes with --html a document without scripts, in which text of the page stays text', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'read-')), 'why.html');
    const stdin = PAGE.replace('"C-1"', '"<img src=x onerror=alert(1)> 7"');
    expect((await runCli(['read', '-', '--url', URL, '--html', file], { stdin })).code).toBe(0);
    const html = await readFile(file, 'utf8');
    expect(html).toContain("default-src 'none'");
    expect(html).toMatch(/<tr class="taken">.*9\.50.*jsonld offers\.price.*1\.00/);
    expect(html).not.toMatch(/<(?:img|script)/);
  });

  it('prints the certificate node as it is on the page', async () => {
    const node = {
      '@type': 'Product',
      productID: 'x',
      'svc:issuedFor': { domain: 'shop.example', productID: 'x' },
    };
    const stdin = `<script type="application/ld+json">${JSON.stringify(node)}</script>`;
    expect((await runCli(['read', '-', '--url', URL, '--json'], { stdin })).json().certificate).toMatchObject(
      node,
    );
    expect((await runCli(['read', '-', '--url', URL], { stdin })).out).toContain('touchstone verify');
  });

  it('works without the URL of the page, and says that a verdict requires it', async () => {
    const node = { '@type': 'Product', productID: 'x', 'svc:issuedFor': { domain: 'shop.example' } };
    const images =
      '<script type="application/ld+json">{"@type":"Product","name":"Cup","image":["/a.jpg"]}</script>';
    const stdin = `${images}<script type="application/ld+json">${JSON.stringify(node)}</script>`;
    const told = await runCli(['read', '-', '--json'], { stdin });
    expect([told.code, told.json().certificate, told.json().facts]).toEqual([
      0,
      expect.objectContaining(node),
      expect.objectContaining({ name: expect.objectContaining({ value: 'Cup' }), images: [] }),
    ]);
    const { out } = await runCli(['read', '-'], { stdin });
    expect(out).toContain('without its address (--url)');
    expect(out).toContain('--page-url');
    expect((await runCli(['read', '-', '--url', 'junk'], { stdin })).code).toBe(64);
  });

  it('uses the charset of --content-type', async () => {
    const stdin = new Uint8Array(
      [...'<script type="application/ld+json">{"@type":"Product","name":"Tass\xe9"}</script>'].map((c) =>
        c.charCodeAt(0),
      ),
    );
    const argv = ['read', '-', '--url', URL, '--json', '--content-type', 'text/html; charset=iso-8859-1'];
    expect((await runCli(argv, { stdin })).json()).toMatchObject({ facts: { name: { value: 'Tassé' } } });
  });

  it('escapes text of the page before printing it', async () => {
    const { out } = await runCli(['read', '-', '--url', URL], { stdin: PAGE, terminal: true });
    expect(out).toContain('Cup');
    expect(out).not.toContain('\u001b[31m');
  });
});
