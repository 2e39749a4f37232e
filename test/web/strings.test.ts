import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../support/imports.ts';
import { openScene, type Scene } from '../support/service.ts';
import { NO_BROWSER, openBrowser, type TestBrowser } from './support/browser.ts';

const FILE = join(process.env.TOUCHSTONE_CORPORA ?? join(ROOT, '../shared/corpora'), 'strings/blns.json');
const isThere = existsSync(FILE);
const STRINGS = isThere
  ? (JSON.parse(readFileSync(FILE, 'utf8')) as string[]).filter((text) => text.trim() !== '')
  : [];
/** Of one page. */
const AT_ONCE = 40;

describe.skipIf(!isThere || NO_BROWSER !== null)('the big list of naughty strings', () => {
  let scene: Scene;
  let browser: TestBrowser;

  beforeAll(async () => {
    scene = await openScene();
    browser = await openBrowser(scene.service.url);
  });
  afterAll(async () => {
    await browser?.close();
    await scene?.close();
  });

  it('as name, facts and title of a page it stays text', async () => {
    const opened = await browser.open('/');
    const { page } = opened;
    await page.evaluate(
      `globalThis.alert = globalThis.prompt = globalThis.confirm = () => { globalThis.wasRun = true; }`,
    );
    for (let at = 0; at < STRINGS.length; at += AT_ONCE) {
      const some = STRINGS.slice(at, at + AT_ONCE);
      const url = `http://shop.example/products/naughty-${at}`;
      const product = {
        '@context': 'https://schema.org',
        '@type': 'Product',
        name: some[0],
        sku: some[1],
        brand: { '@type': 'Brand', name: some[2] },
        description: some.join(' '),
        image: some.map((text) => `http://shop.example/i?${encodeURIComponent(text.toWellFormed())}`),
        offers: { '@type': 'Offer', price: some[3], priceCurrency: some[4], availability: some[5] },
      };
      scene.shop.put(url, htmlOf(product, some[0] ?? ''));
      await page.fill('#url', url);
      await page.press('#url', 'Enter');
      await page.locator('[data-verdict=no_certificate] h1').waitFor();
      await page.locator('section.facts').waitFor();
    }
    expect(await page.evaluate('globalThis.wasRun')).toBeUndefined();
    expect(
      await page.evaluate(
        '[...document.querySelectorAll("main script, main img, main iframe, main style, main [onerror]")].length',
      ),
    ).toBe(0);
    opened.expectClean();
    await opened.close();
  });

  it('as name of a certified product it stays text in the document and its title', async () => {
    const store = await scene.store('shop.example');
    const hostile = STRINGS.filter(
      (text) => /[<>"'&\u202a-\u202e\u2066-\u2069]/.test(text) && text.length < 200,
    ).slice(0, 12);
    for (const [index, name] of hostile.entries()) {
      const { id } = await store.product(`naughty-${index}`, { name });
      const opened = await browser.open(`/api/v1/mc4p/products/${id}/certificate`);
      await opened.page.locator('h1').first().waitFor();
      expect(await opened.page.evaluate('document.scripts.length')).toBe(2);
      opened.expectClean();
      await opened.close();
    }
    expect(hostile.length).toBe(12);
  });
});

/** A shop that takes care of its own text. */
function htmlOf(product: object, title: string): string {
  const json = JSON.stringify(product).replaceAll('<', '\\u003c');
  const escaped = title.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<!doctype html><meta charset="utf-8"><title>${escaped}</title><script type="application/ld+json">${json}</script>`;
}
