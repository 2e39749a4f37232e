import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { throughProxy } from '../../packages/server/src/testing.ts';
import { es } from '../../packages/web/src/text/es.ts';
import { type ImageProduct, type ImageScene, openImageScene } from '../kit/image-scene.ts';
import { PATIENT } from '../kit/patience.ts';
import { picture } from '../kit/pictures.ts';
import {
  expectSound,
  NO_BROWSER,
  openBrowser,
  PATIENCE,
  shiftOf,
  type TestBrowser,
  tabTo,
  VIEWS,
} from './support/browser.ts';
import { htmlWith } from './support/product-page.ts';

const UNKNOWN = '3f0b54ec-6a0c-4d43-a2ee-ae49e0c8a0a6';

describe.skipIf(NO_BROWSER !== null)('the pages of certificates', () => {
  let images: ImageScene;
  let browser: TestBrowser;
  let cup: ImageProduct;
  let hidden: ImageProduct;

  beforeAll(async () => {
    images = await openImageScene();
    browser = await openBrowser(images.scene.service.url);
    await images.askForSignatures(true);
    cup = await images.productWith('cup', Buffer.from(await picture('cup')));
    hidden = await images.productWith('hidden', Buffer.from(await picture('hidden')));
    await images.scene.operate('PATCH', `/products/${hidden.id}`, { visible: false });
  });
  afterAll(async () => {
    await browser?.close();
    await images?.close();
  });

  const ofProduct = (id: string) => `/api/v1/mc4p/products/${id}/certificate`;
  const ofAsset = (id: string) => `/api/v1/mc4p/assets/${id}/certificate`;
  const ofImage = (id: string, query = '') => `/api/v1/mc4p/${id}/certificate${query}`;

  describe('in every view', () => {
    it.concurrent.for(VIEWS)(
      'on a $size, $scheme: a product, its shop, its expiry, its images, its key, verified by the SDK in the page with the keyboard only',
      { timeout: PATIENCE },
      async ({ size, scheme }) => {
        const open = await browser.open(ofProduct(cup.id), { size, scheme });
        const { page } = open;
        expect(await page.locator('h1').textContent()).toBe('The cup');
        expect(await page.locator('.certificate-head').textContent()).toContain('Issued for shop.example');
        expect(await page.locator('article').getAttribute('data-state')).toBe('current');
        expect(await page.locator('.lifetime').getAttribute('aria-label')).toMatch(/^Valid from .* until /);
        expect(await page.locator('.squares').getAttribute('aria-label')).toBe('0 of 1 images are certified');
        const { proof } = await images.scene.certificate(cup.id);
        const [header = ''] = (proof as { jwt: string }).jwt.split('.');
        const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString());
        expect(await page.locator('section:has(#key)').textContent()).toContain(kid);
        // the current proof, and why earlier ones are not shown
        expect(await page.locator('section:has(#history)').textContent()).toMatch(
          /This proof was signed on .*\d{4}.*Earlier ones are not published/,
        );
        // the certified file comes from this service, and nothing from the shop
        await page.locator('.picture img').scrollIntoViewIfNeeded();
        await isShown(page);
        await expectSound(open);

        await tabTo(page, '.verify-here button');
        await page.keyboard.press('Enter');
        await page.locator('.here-steps').waitFor();
        expect(await page.locator('.here-outcome').textContent()).toBe(
          'The certificate was signed by this service, and is unaltered.',
        );
        expect(await page.locator('.here-steps li[data-check]').evaluateAll(statesOf)).toEqual([
          'signatureValid passed',
          'certificateIntegrity passed',
          'timestampValid passed',
        ]);
        await expectSound(open);
        await tabTo(page, '[aria-expanded=false]', 60);
        await page.keyboard.press('Enter');
        await page.locator('svg.qr').waitFor();
        await expectSound(open);
        await open.close();
      },
    );

    it.concurrent.for(VIEWS)(
      'on a $size, $scheme: an image, with both of its ids',
      { timeout: PATIENCE },
      async ({ size, scheme }) => {
        for (const path of [ofAsset(cup.imageId), ofImage(cup.imageId, '?full=true')]) {
          const open = await browser.open(path, { size, scheme });
          expect(await open.page.locator('h1').textContent()).toBe('Image of The cup');
          expect(await open.page.locator('.credentials-state').getAttribute('data-state')).toBe('source');
          await isShown(open.page);
          await expectSound(open);
          await open.close();
        }
      },
    );

    it.concurrent.for(VIEWS)(
      'on a $size, $scheme: what is not published, and what does not exist, in plain words and without blame',
      { timeout: PATIENCE },
      async ({ size, scheme }) => {
        const open = await browser.open(ofProduct(hidden.id), { size, scheme });
        const { page } = open;
        expect(await page.locator('article').getAttribute('data-state')).toBe('identity');
        // nothing was signed, for no site
        expect(await page.locator('article').textContent()).not.toMatch(/Issued for|when it was signed/);
        expect(await page.locator('main').textContent()).toContain(
          'nothing signed to check until it is published again',
        );
        await expectSound(open);
        const cases = [
          [ofProduct(UNKNOWN), 'product_unknown'],
          [ofAsset(UNKNOWN), 'asset_unknown'],
          [ofImage(UNKNOWN), 'image_certificate_unknown'],
          [ofImage(hidden.imageId), 'image_certificate_unknown'],
          [ofProduct('3f0b'), 'malformed'],
        ];
        for (const [path = '', code] of cases) {
          await page.goto(images.scene.service.url + path);
          expect([path, await page.locator('.gone').getAttribute('data-code')]).toEqual([path, code]);
          open.forgive();
          await expectSound(open);
        }
        await open.close();
      },
    );

    it.concurrent.for(VIEWS)(
      'on a $size, $scheme: one address answers a person with a page and a program with the usual bytes',
      { timeout: PATIENCE },
      async ({ size, scheme }) => {
        for (const path of [ofProduct(cup.id), ofAsset(cup.imageId), ofImage(cup.imageId, '?full=true')]) {
          const before = await images.scene.call('GET', path);
          const open = await browser.open(path, { size, scheme });
          await open.page.locator('article.certificate h1').waitFor();
          // this same page, as browsers fetch data
          const asData = await open.page.evaluate(`fetch(location.href).then(async (one) => [
            one.headers.get('content-type'), one.headers.get('etag'), one.headers.get('vary'), await one.text()])`);
          expect([path, asData]).toEqual([
            path,
            ['content-type', 'etag', 'vary'].map((name) => before.headers.get(name)).concat(before.text),
          ]);
          expect(String(before.headers.get('vary'))).toContain('Accept');
          open.expectClean();
          await open.close();
        }
      },
    );
  });

  it('a paused image says that it is paused', async () => {
    const { merchantId } = images.store;
    await images.scene.operate('PATCH', `/merchants/${merchantId}`, { paused: true });
    try {
      const open = await browser.open(ofImage(cup.imageId));
      expect(await open.page.locator('.gone').getAttribute('data-code')).toBe('certificate_paused');
      await open.close();
    } finally {
      await images.scene.operate('PATCH', `/merchants/${merchantId}`, { paused: false });
    }
  });

  it('says which step fails if the document was altered in transit', async () => {
    const context = await browser.browser.newContext();
    const page = await context.newPage();
    await page.route(`**${ofProduct(cup.id)}`, async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replace(
        '"externalProductId","value":"cup"',
        '"externalProductId","value":"mug"',
      );
      await route.fulfill({ response: answer, body });
    });
    await page.goto(images.scene.service.url + ofProduct(cup.id));
    await page.locator('.verify-here button').click();
    await page.locator('.here-steps').waitFor();
    expect(await page.locator('.here-steps li[data-check]').evaluateAll(statesOf)).toEqual([
      'signatureValid passed',
      'certificateIntegrity failed',
      'timestampValid passed',
    ]);
    await context.close();
  });

  it('a check shows the signed pictures from this service’s own store beside the addresses on the page', async () => {
    const { scene } = images;
    const url = String((await scene.certificate(cup.id)).url);
    scene.shop.put(url, htmlWith(await scene.certificate(cup.id)));
    const { id } = await scene.checkPage(url);
    const open = await browser.open(`/api/v1/mc4p/page-checks/${String(id)}`, { size: 'phone' });
    const { page } = open;
    const line = page.locator('.lines [data-field=pictures]');
    const shown = line.locator('img').first();
    await shown.scrollIntoViewIfNeeded();
    await expect.poll(() => shown.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0);
    expect(await shown.getAttribute('src')).toMatch(/^\/api\/v1\/mc4p\/blobs\/[0-9a-f]{64}\.jpg$/);
    expect(await line.locator('dd').last().locator('a').first().textContent()).toContain('cup-front.jpg');
    expect(await shiftOf(page)).toBe(0);
    // no request went to the shop
    await expectSound(open);
    await open.close();
  });

  it('without keys there is no verdict, and no blame', async () => {
    const context = await browser.browser.newContext();
    const page = await context.newPage();
    await page.route('**/jwks.json', (route) => route.abort());
    await page.goto(images.scene.service.url + ofProduct(cup.id));
    await page.locator('.verify-here button').click();
    const notice = page.locator('.verify-here .notice');
    expect(await notice.textContent()).toContain('Could not be verified. The public keys cannot be read');
    await context.close();
  });

  it('can be saved with the bytes that a program gets, as a block for a page, and as a QR code', async () => {
    const open = await browser.open(ofProduct(cup.id), {
      context: { permissions: ['clipboard-read', 'clipboard-write'], acceptDownloads: true },
    });
    const { page } = open;
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as JSON' }).click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const { text } = await images.scene.call('GET', ofProduct(cup.id));
    expect(Buffer.concat(chunks).toString()).toBe(text);
    await page.getByRole('button', { name: 'Copy for a page' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(copied).toMatch(/^<script type="application\/ld\+json" data-touchstone>\{.*\}<\/script>$/);
    await page.getByRole('button', { name: 'QR code' }).click();
    await page.locator('svg.qr').waitFor();
    open.expectClean();
    await open.close();
  });

  it('is in Spanish on request', async () => {
    const open = await browser.open(ofProduct(cup.id), { locale: 'es-ES' });
    expect(await open.page.locator('.kind').textContent()).toBe('Certificado de producto');
    expect(await open.page.title()).toContain('The cup');
    await open.close();
  });

  it('without scripts explains what it is, and what does not exist, in the language of the reader', async () => {
    const context = { javaScriptEnabled: false };
    for (const [path, words] of [
      [ofProduct(cup.id), 'Certificado de The cup'],
      [ofProduct(UNKNOWN), es.faults.product_unknown],
      [ofProduct('3f0b'), es.head.malformed.description],
    ] as const) {
      const { page, close } = await browser.open(path, { locale: 'es-ES', context });
      expect(await page.locator('main').textContent()).toContain(words);
      // immediately, not below an empty window
      expect((await page.locator('h1').boundingBox())?.y).toBeLessThan(200);
      await close();
    }
  });

  // the last test, since it stops the service
  it('reports an unreachable database as a fault of ours', async () => {
    const proxy = await throughProxy(images.scene.service.database);
    const node = await images.scene.service.restart({ TOUCHSTONE_DATABASE_URL: proxy.url });
    proxy.cut();
    for (const path of [ofProduct(cup.id), ofAsset(cup.imageId), ofImage(cup.imageId)]) {
      const open = await browser.open(node.url + path);
      const notice = open.page.locator('.notice');
      await notice.waitFor();
      expect(await notice.textContent()).toContain('This is a fault of our service');
      expect(await notice.getByRole('link', { name: 'Try again' }).getAttribute('href')).toContain(path);
      expect(open.faults).toHaveLength(1);
      expect(open.faults[0]).toContain('503');
      await open.close();
    }
    await node.close();
    await proxy.close();
  });
});

/** Polled from outside, since the page's policy would block repeated evaluation in it. */
async function isShown(page: Page): Promise<void> {
  const width = () => page.evaluate("document.querySelector('.picture img').naturalWidth");
  await vi.waitFor(async () => expect(await width()).toBeGreaterThan(0), PATIENT);
}

function statesOf(items: (HTMLElement | SVGElement)[]): string[] {
  return items.map(({ dataset }) => `${dataset.check} ${dataset.state}`);
}
