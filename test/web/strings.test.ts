import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ImageProduct, type ImageScene, openImageScene } from '../support/image-scene.ts';
import { picture } from '../support/pictures.ts';
import { NO_BROWSER, type OpenPage, openBrowser, type TestBrowser } from './support/browser.ts';
import { hostileStrings, strangeStrings } from './support/hostile-strings.ts';

/** Of one page. */
const AT_ONCE = 40;
/** Whatever runs, loads or leads somewhere that no page of ours has. */
const ACTIVE = [
  'script',
  'iframe',
  'object',
  'embed',
  'base',
  'style',
  'link',
  'meta',
  '[onerror]',
  '[onload]',
  '[onclick]',
  '[style]',
  'a[href^="javascript:" i]',
  'a[href^="data:" i]',
].map((selector) => `main ${selector}`);

describe.skipIf(NO_BROWSER !== null)('strings of strangers stay text', () => {
  let images: ImageScene;
  let browser: TestBrowser;
  let cup: ImageProduct;

  beforeAll(async () => {
    images = await openImageScene();
    browser = await openBrowser(images.scene.service.url);
    await images.askForSignatures(true);
  });
  // once: images are waited for as only tests may
  beforeEach(async () => {
    cup ??= await images.productWith('cup', Buffer.from(await picture('cup')));
  });
  afterAll(async () => {
    await browser?.close();
    await images?.close();
  });

  const open = (path: string) =>
    browser.open(path, {
      prepare: (page) => page.addInitScript('alert = prompt = confirm = () => { globalThis.ran = true; };'),
    });
  async function expectInert({ page, foreign, faults }: OpenPage): Promise<void> {
    const found = await page.locator(ACTIVE.join()).evaluateAll((all) => all.map((one) => one.outerHTML));
    expect([found, await page.evaluate('globalThis.ran'), foreign]).toEqual([[], undefined, []]);
    // the answer itself may be a fault, which the browser tells of
    expect(faults.filter((fault) => !fault.startsWith('Failed to load resource'))).toEqual([]);
    // data and page
    expect(await page.evaluate('document.scripts.length')).toBe(2);
  }

  it('as name, facts, images and title of a page that is checked, of its earlier result, and on paper', async () => {
    const strings = strangeStrings();
    const opened = await open('/');
    const { page } = opened;
    const links: string[] = [];
    for (let at = 0; at < strings.length; at += AT_ONCE) {
      const some = strings.slice(at, at + AT_ONCE);
      const url = `http://shop.example/products/strange-${at}`;
      images.scene.shop.put(url, htmlOf(some));
      await page.fill('#url', url);
      await page.press('#url', 'Enter');
      await page.locator('[data-verdict=no_certificate] h1').waitFor();
      await page.locator('section.facts').waitFor();
      await expectInert(opened);
      links.push(await page.inputValue('#permalink'));
    }
    await opened.close();
    for (const link of links.slice(0, 4)) {
      const kept = await open(new URL(link).pathname);
      await kept.page.locator('section.facts').waitFor();
      await kept.page.emulateMedia({ media: 'print' });
      await expectInert(kept);
      await kept.close();
    }
  });

  it('as name of a product and of its image, in title, head and page', async () => {
    const pages = [
      `/api/v1/mc4p/products/${cup.id}/certificate`,
      `/api/v1/mc4p/assets/${cup.imageId}/certificate`,
      `/api/v1/mc4p/${cup.imageId}/certificate?full=true`,
    ];
    for (const [index, name] of hostileStrings().slice(0, 12).entries()) {
      await images.scene.operate('PATCH', `/products/${cup.id}`, { name });
      // the first ones are made for it: everywhere; the others on one page each
      for (const path of index < 5 ? pages : [pages[index % pages.length] ?? '']) {
        const opened = await open(path);
        await opened.page.locator('article.certificate h1').waitFor();
        await opened.page.emulateMedia({ media: 'print' });
        await expectInert(opened);
        await opened.close();
      }
    }
  });
});

/** A shop that takes care of its own text. */
function htmlOf(texts: readonly string[]): string {
  const [name = '', sku, brand, price, priceCurrency, availability] = texts;
  const product = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name,
    sku,
    brand: { '@type': 'Brand', name: brand },
    description: texts.join(' '),
    image: texts.map((text) => `http://shop.example/i?${encodeURIComponent(text.toWellFormed())}`),
    offers: { '@type': 'Offer', price, priceCurrency, availability },
  };
  const json = JSON.stringify(product).replaceAll('<', '\\u003c');
  const title = name.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<!doctype html><meta charset="utf-8"><title>${title}</title><script type="application/ld+json">${json}</script>`;
}
