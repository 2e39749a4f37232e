import { request } from 'node:http';
import { certificateScript } from '@touchstone/certificate/embed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ImageProduct, type ImageScene, openImageScene } from '../kit/image-scene.ts';
import { picture, servePicture } from '../kit/pictures.ts';
import {
  NO_BROWSER,
  type OpenPage,
  openBrowser,
  overflowsSideways,
  type TestBrowser,
} from './support/browser.ts';
import {
  HOSTILE_ADDRESSES,
  HOSTILE_PARTS,
  hostileStrings,
  strangeStrings,
} from './support/hostile-strings.ts';

/** Texts per page. */
const AT_ONCE = 40;
const CHECKED = '.check-page:not([data-state=running])';
/** Elements that run, load or link to anything that our pages do not contain. */
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

describe.skipIf(NO_BROWSER !== null)('untrusted strings stay text', () => {
  let images: ImageScene;
  let browser: TestBrowser;
  let cup: ImageProduct;

  beforeAll(async () => {
    images = await openImageScene();
    browser = await openBrowser(images.scene.service.url);
    await images.askForSignatures(true);
    cup = await images.productWith('cup', Buffer.from(await picture('cup')));
  });
  afterAll(async () => {
    await browser?.close();
    await images?.close();
  });

  const open = (path: string) =>
    browser.open(path, {
      size: 'phone',
      prepare: (page) => page.addInitScript('alert = prompt = confirm = () => { globalThis.ran = true; };'),
    });
  async function expectInert({ page, foreign, faults }: OpenPage): Promise<void> {
    const found = await page.locator(ACTIVE.join()).evaluateAll((all) => all.map((one) => one.outerHTML));
    expect([found, await page.evaluate('globalThis.ran'), foreign]).toEqual([[], undefined, []]);
    // the response itself may be an error, which the browser logs
    expect(faults.filter((fault) => !fault.startsWith('Failed to load resource'))).toEqual([]);
    // the data and the page's script
    expect(await page.evaluate('document.scripts.length')).toBe(2);
    expect([page.url(), await overflowsSideways(page)]).toEqual([page.url(), false]);
  }

  it('as name, facts, images and title of a checked page, of its earlier result, and in print', async () => {
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
      // the earlier result stays until then
      await page.waitForURL(({ searchParams }) => searchParams.get('url') === url);
      await page.locator(`${CHECKED} [data-verdict=no_certificate] h1`).waitFor();
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
      // the first five were made for this and are tested on all pages; the others on one page each
      for (const path of index < 5 ? pages : [pages[index % pages.length] ?? '']) {
        const opened = await open(path);
        await opened.page.locator('article.certificate h1').waitFor();
        await opened.page.emulateMedia({ media: 'print' });
        await expectInert(opened);
        await opened.close();
      }
    }
  });

  it('as a checked URL, and on the page that stores the result', async () => {
    const opened = await open('/');
    const { page } = opened;
    for (const address of HOSTILE_ADDRESSES) {
      await page.goto(new URL(`/check?url=${encodeURIComponent(address)}`, page.url()).href);
      await page.locator(`${CHECKED} :is([data-verdict], .notice, [role=alert])`).first().waitFor();
      await expectInert(opened);
      const permalink = page.locator('#permalink');
      if ((await permalink.count()) === 0) continue;
      await page.goto(new URL(new URL(await permalink.inputValue()).pathname, page.url()).href);
      await page.locator('[data-verdict]').first().waitFor();
      await expectInert(opened);
    }
    await opened.close();
  });

  it('as the URL of a page, of images and of a shop, in reports and certificates', async () => {
    const { scene, store } = images;
    const [url = '', image = ''] = ['/products/', '/images/'].map(
      (path) =>
        `http://shop.example${path}"><svg onload=alert(1)>/%22%3E%3Cscript%3Ealert(1)?a='"><img src=x onerror=alert(1)>`,
    );
    servePicture(scene.shop, image, Buffer.from(await picture('address')));
    const { id } = await store.product('address', { url, images: [{ url: image }] });
    await images.settled();
    const certificate = await scene.certificate(id);
    scene.shop.put(url, htmlOf([image, url, `javascript:alert(1)`], certificate));
    const opened = await open('/');
    const { page } = opened;
    const [imageId] = await scene.imagesOf(id);
    for (const path of [
      `/api/v1/mc4p/products/${id}/certificate`,
      `/api/v1/mc4p/assets/${imageId}/certificate`,
      `/check?url=${encodeURIComponent(url)}`,
    ]) {
      await page.goto(new URL(path, page.url()).href);
      await page.locator('article h1, [data-verdict] h1').first().waitFor();
      await expectInert(opened);
    }
    expect(await page.locator('[data-verdict]').first().getAttribute('data-verdict')).toBe('verified');
    await opened.close();
  });

  it('as a part of an unknown path, and in the query of every page', async () => {
    const opened = await open('/');
    const { page } = opened;
    const paths = HOSTILE_PARTS.flatMap((part) => {
      const encoded = encodeURIComponent(part);
      return [
        ...[
          '/',
          '/check/',
          '/verify/',
          '/console/',
          '/console/stores/',
          '/docs/codes/',
          '/assets/',
          '/badge.svg/',
        ].map((path) => path + encoded),
        ...['products/', 'assets/', ''].map((path) => `/api/v1/mc4p/${path}${encoded}/certificate`),
        `/api/v1/mc4p/page-checks/${encoded}`,
        `/api/v1/mc4p/log/domains/${encoded}`,
        // as typed by a user
        `/api/v1/mc4p/products/${part.replaceAll('/', '')}/certificate`,
        ...[
          '/',
          '/verify',
          '/console',
          '/badge.svg',
          '/docs',
          `/api/v1/mc4p/products/${cup.id}/certificate`,
        ].map((path) => `${path}?lang=${encoded}&${encoded}=${encoded}#${encoded}`),
      ];
    });
    for (const path of paths) {
      await page.goto(images.scene.service.url + path);
      const type = String(await page.evaluate('document.contentType'));
      const pagesOfOurs = type === 'text/html' && (await page.locator('#page').count()) > 0;
      if (pagesOfOurs) {
        await page.locator('h1').first().waitFor();
        await expectInert(opened);
      } else {
        // a JSON response, which a browser shows as text, or the API reference
        expect([path, await page.evaluate('globalThis.ran'), opened.foreign]).toEqual([path, undefined, []]);
        const active = await page.locator('[onload], [onerror], iframe, object, embed, base').count();
        expect([path, type, active]).toEqual([path, expect.stringMatching(/json|svg|html|plain/), 0]);
        // the API reference, which is a third-party program, logs messages when it redraws
        opened.forgive();
      }
    }
    await opened.close();
  });

  it('as the requested host name: no page, redirect or image repeats it', async () => {
    const { hostname, port } = new URL(images.scene.service.url);
    const ask = (path: string, headers: Record<string, string>) =>
      new Promise<string>((resolve, reject) => {
        const sent = request({ hostname, port, path, headers, setHost: false }, (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('end', () => resolve(JSON.stringify(answer.headers) + Buffer.concat(chunks).toString()));
        });
        sent.on('error', reject).end();
      });
    for (const host of [
      'evil.example',
      'evil.example"><script>alert(1)</script>',
      'evil.example:99999',
      '@evil.example',
    ])
      for (const path of [
        '/',
        '/check',
        '/verify',
        '/console',
        '/nothing',
        '/badge.svg',
        `/api/v1/mc4p/products/${cup.id}/certificate`,
      ])
        for (const accept of ['text/html', 'application/json']) {
          const forwarded = {
            'x-forwarded-host': host,
            'x-forwarded-proto': 'javascript',
            forwarded: `host="${host}"`,
          };
          const answer = await ask(path, { host, accept, ...forwarded });
          expect([host, path, answer.includes('evil.example')]).toEqual([host, path, false]);
        }
  });
});

/** A shop that escapes its own texts. */
function htmlOf(texts: readonly string[], certificate?: object): string {
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
  const signed = certificate === undefined ? '' : certificateScript(certificate);
  return `<!doctype html><meta charset="utf-8"><title>${title}</title><script type="application/ld+json">${json}</script>${signed}`;
}
