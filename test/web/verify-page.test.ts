import { createHash } from 'node:crypto';
import { createTestIssuer, createTestLog, TEST_ISSUER, TEST_PRODUCT } from '@touchstone/certificate/testing';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ImageProduct, type ImageScene, openImageScene } from '../kit/image-scene.ts';
import { picture } from '../kit/pictures.ts';
import { httpServer } from '../kit/servers.ts';
import type { Json } from '../kit/service.ts';
import {
  expectSound,
  NO_BROWSER,
  openBrowser,
  PATIENCE,
  type TestBrowser,
  tabTo,
  VIEWS,
} from './support/browser.ts';
import { hostileStrings } from './support/hostile-strings.ts';
import { htmlWith } from './support/product-page.ts';

/** A whole service, a product with an image that the service signed, and the bytes of that image. */
describe.skipIf(NO_BROWSER !== null)('the offline verifier', () => {
  let images: ImageScene;
  let browser: TestBrowser;
  let cup: ImageProduct;
  let certificate: Json;
  let asset: Json;
  let certified: Buffer;

  beforeAll(async () => {
    images = await openImageScene();
    browser = await openBrowser(images.scene.service.url);
    await images.askForSignatures(true);
    cup = await images.productWith('cup', Buffer.from(await picture('cup')));
    certificate = await images.scene.certificate(cup.id);
    asset = await images.asset(cup.imageId);
    const full = await images.scene.call('GET', `/api/v1/mc4p/${cup.imageId}/certificate?full=true`);
    const { url } = (full.json.contentCredentials as { asset: { url: string } }).asset;
    const file = await fetch(images.scene.service.url + new URL(url).pathname);
    certified = Buffer.from(await file.arrayBuffer());
  });
  afterAll(async () => {
    await browser?.close();
    await images?.close();
  });

  const pageUrl = () => String(certificate.url);
  const image = (bytes: Buffer, name = 'cup.jpg') => ({ name, mimeType: 'image/jpeg', buffer: bytes });
  const verdictOf = (page: Page, name: string) =>
    page.locator(`.outcome-place :is([data-verdict=${name}], [data-conclusion=${name}])`).first();

  describe('in every view', () => {
    it.concurrent.for(VIEWS)(
      'on a $size, $scheme: a certificate, valid by itself, for its page, and for no other; then its proof only, with the keyboard',
      { timeout: PATIENCE },
      async ({ size, scheme }) => {
        const open = await browser.open('/verify', { size, scheme, context: { serviceWorkers: 'block' } });
        const { page } = open;
        await page.locator('#paste').fill(JSON.stringify(certificate));
        await verdictOf(page, 'undetermined').waitFor();
        await expectInView(verdictOf(page, 'undetermined'));
        await page.locator('#page-url').fill(pageUrl());
        await verdictOf(page, 'verified').waitFor();
        // beside the completed field, and announced to users who cannot see it
        await expectInView(verdictOf(page, 'verified'));
        await expectInView(page.locator('#page-url'));
        expect(await page.locator('[aria-live] [data-verdict]').count()).toBe(1);
        expect(await page.locator('.check[data-state=failed]').count()).toBe(0);
        expect(await page.locator('[data-profile=standard]').getAttribute('data-status')).toBe('trusted');
        await expectSound(open);
        await page.locator('#page-url').fill('https://copy.example/products/cup');
        await verdictOf(page, 'another_host').waitFor();
        expect(await page.locator('[data-check=boundToDomain]').textContent()).toContain('copy.example');
        await page.getByText('Is it about a certain product?').click();
        await page.locator('#page-url').fill(pageUrl());
        await page.locator('#product-id').fill(cup.imageId);
        await verdictOf(page, 'another_product').waitFor();
        expect(await page.locator('[data-check=productIdMatches]').getAttribute('data-state')).toBe('failed');
        await expectSound(open);

        await page.goto(page.url());
        await tabTo(page, '#paste');
        await page.keyboard.insertText(String((certificate.proof as { jwt: string }).jwt));
        await verdictOf(page, 'undetermined').waitFor();
        await tabTo(page, '#page-url');
        await page.keyboard.insertText('https://copy.example/');
        await verdictOf(page, 'another_host').waitFor();
        await expectSound(open);
        await page.keyboard.press('Shift+Tab');
        await page.keyboard.press('Enter');
        await page.locator('[data-outcome=none]').waitFor();
        await open.close();
      },
    );

    it.concurrent.for(VIEWS)(
      'on a $size, $scheme: a saved page, once its URL is given, and pasted HTML',
      { timeout: PATIENCE },
      async ({ size, scheme }) => {
        const open = await browser.open('/verify', { size, scheme, context: { serviceWorkers: 'block' } });
        const { page } = open;
        const saved = `<!-- saved from url=(0033)${pageUrl()} -->\n${htmlWith(certificate)}`;
        await page.locator('input[type=file]').setInputFiles({
          name: 'cup.html',
          mimeType: 'text/html',
          buffer: Buffer.from(saved),
        });
        const asked = verdictOf(page, 'undetermined');
        await asked.waitFor();
        expect(await asked.textContent()).toContain(`Signed for ${pageUrl()}. Is that where you saw it?`);
        expect(await asked.getAttribute('data-tone')).toBe('neutral');
        expect(await page.locator('#page-url').inputValue()).toBe('');
        expect(await page.locator('[data-check=boundToUrl]').getAttribute('data-state')).toBe('not-run');
        expect(await page.locator('.facts').textContent()).toContain('CUP-30');
        await expectSound(open);
        await asked.getByRole('button').click();
        await verdictOf(page, 'verified').waitFor();
        expect(await page.locator('#page-url').inputValue()).toBe(pageUrl());
        expect(await page.locator('.comparison').textContent()).toContain('CUP-30');
        await expectSound(open);
        // confirmed for that page only
        await page.locator('#paste').fill(JSON.stringify(certificate));
        await verdictOf(page, 'undetermined').waitFor();
        await page.locator('#paste').fill(htmlWith(null));
        await verdictOf(page, 'no_certificate').waitFor();
        await page.locator('#page-url').fill(pageUrl());
        await verdictOf(page, 'no_certificate').waitFor();
        await expectSound(open);
        await open.close();
      },
    );

    it.concurrent.for(VIEWS)(
      'on a $size, $scheme: after one visit, offline: all three profiles, an image with its bytes, a status list of known age, with only this and the keys stored',
      { timeout: PATIENCE },
      async ({ size, scheme }) => {
        const open = await browser.open('/verify', { size, scheme });
        const { page } = open;
        const context = page.context();
        const asked: string[] = [];
        context.on('request', (request) => asked.push(new URL(request.url()).pathname));
        await page.locator('#paste').fill(JSON.stringify(asset));
        await page.locator('#page-url').fill(pageUrl());
        await verdictOf(page, 'verified').waitFor();
        await page.locator('.offline[data-page=ready][data-engine=kept]').waitFor();
        await context.setOffline(true);
        await page.reload();
        await page.locator('#paste').fill(JSON.stringify(asset));
        await page.locator('#page-url').fill(pageUrl());
        await verdictOf(page, 'verified').waitFor();
        // a cached engine is loaded so fast that the progress may be gone before it is checked
        await page.evaluate(`new MutationObserver(() => {
          globalThis.progressed ||= document.querySelector('.picture-result progress') !== null;
        }).observe(document.body, { childList: true, subtree: true })`);
        await page.locator('input[type=file]').setInputFiles(image(certified));
        await page.locator('[data-profile=full][data-status=trusted]').waitFor();
        expect(await page.evaluate('globalThis.progressed')).toBe(true);
        expect(asked.some((path) => path.endsWith('.wasm'))).toBe(true);
        const profiles = await page
          .locator('[data-profile]')
          .evaluateAll((all) => all.map(({ dataset }) => `${dataset.profile} ${dataset.status}`));
        expect(profiles.toSorted()).toEqual(['full trusted', 'minimal trusted', 'standard trusted']);
        expect(await page.locator('.picture-result [data-verdict]').getAttribute('data-verdict')).toBe(
          'valid',
        );
        await expectSound(open);
        const altered = Buffer.from(certified);
        altered[altered.length - 40] = (altered[altered.length - 40] ?? 0) ^ 1;
        await page.locator('input[type=file]').setInputFiles(image(altered));
        await page.locator('[data-check=imageBound][data-state=failed]').waitFor();
        expect(await page.locator('[data-profile=full]').getAttribute('data-status')).toBe('untrusted');
        await expectSound(open);
        await page.locator('#paste').fill(htmlWith(certificate));
        await verdictOf(page, 'verified').waitFor();
        expect(await page.locator('.trust').textContent()).toContain(
          'A key revoked since then is still trusted here, unless a status list names it.',
        );
        expect(await page.locator('[data-keys-of]').count()).toBe(1);
        const kept = (await page.evaluate(`(async () => {
          const paths = [];
          for (const name of await caches.keys())
            for (const { url } of await (await caches.open(name)).keys()) paths.push(new URL(url).pathname);
          return paths;
        })()`)) as string[];
        const others = kept.filter((path) => !/^\/assets\/[\w.-]+$/.test(path));
        expect(others.toSorted()).toEqual([
          '/api/v1/.well-known/jwks.json',
          '/api/v1/.well-known/status-list-jwks.json',
          '/api/v1/mc4p/log/policy',
          expect.stringMatching(/^\/api\/v1\/mc4p\/status\/\d+$/),
          '/verify',
        ]);
        await page
          .locator('[data-withdrawal=valid]', { hasText: 'No, it has not been withdrawn.' })
          .waitFor();
        await page.getByText(/^So says the status list of /).waitFor();
        await context.setOffline(false);
        await open.close();
      },
    );
  });

  it('takes no address that a saved page names: what it is signed for and what the file says are suggestions', async () => {
    const { page, close } = await browser.open('/verify', { context: { serviceWorkers: 'block' } });
    const mhtml = [
      'From: <Saved by Blink>',
      `Snapshot-Content-Location: ${pageUrl()}`,
      'MIME-Version: 1.0',
      'Content-Type: multipart/related; boundary="x"',
      '',
      '--x',
      'Content-Type: text/html',
      `Content-Location: ${pageUrl()}`,
      '',
      htmlWith(certificate),
      '--x--',
    ].join('\r\n');
    const head = `<base href="${pageUrl()}"><link rel="canonical" href="${pageUrl()}"><meta property="og:url" content="${pageUrl()}">`;
    for (const content of [mhtml, htmlWith(certificate, head), JSON.stringify([certificate])]) {
      await page.locator('#paste').fill(content);
      await verdictOf(page, 'undetermined').waitFor();
      expect(await page.locator('.outcome-place [data-tone=good]').count()).toBe(0);
      await page.locator('button', { hasText: 'Start over' }).click();
      await page.locator('[data-outcome=none]').waitFor();
    }
    const copy = 'https://copy.example/products/cup';
    await page.locator('#paste').fill(`<!-- saved from url=(0033)${copy} -->${htmlWith(certificate)}`);
    expect(await verdictOf(page, 'undetermined').textContent()).toContain(`saved from ${copy}`);
    await page.locator('button', { hasText: 'I saw it at the one in the file' }).click();
    await verdictOf(page, 'another_host').waitFor();
    await close();
  });

  it('loads the image decoder when there is an image, and not before', async () => {
    const open = await browser.open('/verify', { context: { serviceWorkers: 'block' } });
    const { page } = open;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.locator('#paste').fill(JSON.stringify(asset));
    await page.locator('#page-url').fill(pageUrl());
    await verdictOf(page, 'verified').waitFor();
    expect(asked.filter((path) => path.endsWith('.wasm'))).toEqual([]);
    await page.locator('input[type=file]').setInputFiles(image(certified));
    await page.locator('.picture-result [data-verdict]').waitFor();
    expect(asked.some((path) => path.endsWith('.wasm'))).toBe(true);
    open.expectClean();
    await open.close();
  });

  it.each([
    ['not a certificate', 'unknown'],
    ['{"@type":"Product"', 'json_broken'],
    ['data:image/png;base64,$', 'data_url_broken'],
    ['https://shop.example/cup', 'address'],
  ])('says why %s cannot be judged', async (text, why) => {
    const open = await browser.open('/verify');
    await open.page.locator('#paste').fill(text);
    await open.page.locator(`.fault[data-why=${why}]`).waitFor();
    open.expectClean();
    await open.close();
  });

  it.each([
    ['fetches newer keys once for a certificate that may need them', 1],
    ['gives no verdict while it has only keys older than the certificate', Number.POSITIVE_INFINITY],
  ])('%s', async (_, olderAnswers) => {
    const { jwks: json } = await createTestIssuer('another');
    const headers = { date: new Date(Date.now() - 3_600_000).toUTCString() };
    let asked = 0;
    const open = await browser.open('/verify', {
      context: { serviceWorkers: 'block' },
      prepare: (page) =>
        page.route('**/jwks.json', (route) => {
          asked += 1;
          if (asked > olderAnswers) return route.continue();
          return route.fulfill({ json, headers });
        }),
    });
    const { page } = open;
    await page.locator('#paste').fill(JSON.stringify(certificate));
    if (olderAnswers === 1) {
      await page.locator('#page-url').fill(pageUrl());
      await verdictOf(page, 'verified').waitFor();
    } else await page.locator('.outcome-place [data-code=keys_unavailable]').waitFor();
    expect(asked).toBe(2);
    open.expectClean();
    await open.close();
  });

  it('sends nothing of what is judged to anybody, but the number of the status list that a million certificates share, and that one is logged', async () => {
    const open = await browser.open('/verify');
    const { page } = open;
    await page.locator('.offline[data-page=ready]').waitFor();
    const sent: string[] = [];
    // requests of the page, its workers and the service worker
    page.context().on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      sent.push(`${request.method()} ${pathname}${search} ${request.postData() ?? ''}`.trim());
    });
    await page.locator('#paste').fill(htmlWith(certificate));
    await page.locator('#page-url').fill(pageUrl());
    await verdictOf(page, 'verified').waitFor();
    await page.locator('#paste').fill(JSON.stringify(asset));
    await page.locator('input[type=file]').setInputFiles(image(certified, 'secret-name.jpg'));
    await page.locator('.picture-result [data-verdict]').waitFor();
    await page.locator('#paste').fill(JSON.stringify(certificate));
    await verdictOf(page, 'verified').waitFor();
    const files = /^GET (?:blob:|\/assets\/[\w.-]+$)/;
    const lists =
      /^GET \/api\/v1\/(?:mc4p\/status\/\d+|mc4p\/log\/policy|\.well-known\/status-list-jwks\.json)$/;
    expect(sent.some((request) => lists.test(request))).toBe(true);
    expect(sent.filter((request) => !files.test(request) && !lists.test(request))).toEqual([]);
    open.expectClean();
    await open.close();
  });

  it('with reduced data usage the large part waits until it is requested', async () => {
    const open = await browser.open('/verify', {
      prepare: (page) =>
        page.addInitScript("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })"),
    });
    const { page } = open;
    await page.locator('.offline[data-page=ready][data-engine=absent]').waitFor();
    await page.getByRole('button', { name: 'Keep the reader of images' }).click();
    await page.locator('.offline[data-engine=kept]').waitFor();
    open.expectClean();
    await open.close();
  });

  it('is installable: a manifest with existing icons', async () => {
    const open = await browser.open('/verify');
    const href = await open.page.locator('link[rel=manifest]').getAttribute('href');
    const manifest = await (await fetch(new URL(href ?? '', images.scene.service.url))).json();
    expect(manifest).toMatchObject({
      lang: 'en',
      start_url: '/verify',
      scope: '/verify',
      display: 'standalone',
    });
    for (const { src, type } of manifest.icons as { src: string; type: string }[]) {
      const icon = await fetch(new URL(src, images.scene.service.url));
      expect([src, icon.status, icon.headers.get('content-type')]).toEqual([src, 200, type]);
    }
    const session = await open.page.context().newCDPSession(open.page);
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    expect(installabilityErrors.map(({ errorId }) => errorId)).not.toContain(
      'manifest-missing-suitable-icon',
    );
    await open.close();
  });

  it('trusts another issuer only with keys that the reader pasted, and for that session only', async () => {
    const issuer = await createTestIssuer();
    const other = await issuer.certificate({
      issuedAt: new Date(),
      claims: { iss: 'https://other.example' },
    });
    const open = await browser.open('/verify');
    const { page } = open;
    await page.locator('#paste').fill(JSON.stringify(other));
    await page.locator('#page-url').fill(TEST_PRODUCT.url);
    await page.locator('[data-check=signatureValid][data-state=failed]').waitFor();
    await page.locator('#paste').fill(JSON.stringify(issuer.jwks));
    await page.getByText('These are public keys.').waitFor();
    await page.locator('#issuer').fill('nowhere');
    await page.getByRole('button', { name: 'Trust this issuer here' }).click();
    await page.getByText('Enter the base address as a web address').waitFor();
    await page.locator('#issuer').fill('https://other.example/');
    await page.getByRole('button', { name: 'Trust this issuer here' }).click();
    await page.locator('[data-check=signatureValid][data-state=passed]').waitFor();
    await page.reload();
    await page.locator('#paste').fill(JSON.stringify(other));
    await page.locator('#page-url').fill(TEST_PRODUCT.url);
    await page.locator('[data-check=signatureValid][data-state=passed]').waitFor();
    // its keys are valid neither for this service nor for a third one
    // of an hour ago: keys that were read before a proof was issued might lack its key
    const before = new Date(Date.now() - 3_600_000);
    const forged = await issuer.certificate({ issuedAt: before, claims: { iss: TEST_ISSUER } });
    await page.locator('#paste').fill(JSON.stringify(forged));
    await page.locator('[data-check=signatureValid][data-state=failed]').waitFor();
    await page.getByRole('button', { name: 'Stop trusting https://other.example' }).click();
    await page.locator('#paste').fill(JSON.stringify(other));
    await page.locator('[data-check=signatureValid][data-state=failed]').waitFor();
    open.expectClean();
    await open.close();
  });

  it('shows each step of finding out whether a certificate is logged, by the policy of the service', async () => {
    const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest());
    const log = await createTestLog(sha256, 'certificates.example/log');
    const { jwt } = certificate.proof as { jwt: string };
    const text = await log.proofOf(log.add(jwt), await log.checkpoint([1]));
    const open = await browser.open('/verify', { context: { serviceWorkers: 'block' } });
    const { page } = open;
    let answers = 0;
    await page.route('**/api/v1/mc4p/log/policy', (route) =>
      route.fulfill(
        answers++ === 0 ? { status: 503 } : { contentType: 'text/plain', body: log.policy('w1') },
      ),
    );
    const verify = async (logProof: string | undefined) => {
      const { 'svc:logProof': _, ...bare } = certificate;
      await page
        .locator('#paste')
        .fill(JSON.stringify({ ...bare, ...(logProof && { 'svc:logProof': logProof }) }));
      await page.locator('#page-url').fill(pageUrl());
    };
    const steps = () =>
      page.locator('[data-step]').evaluateAll((all) => all.map((one) => one.getAttribute('data-state')));
    await verify(undefined);
    await verdictOf(page, 'verified').waitFor();
    expect([await page.locator('[data-log]').count(), answers]).toEqual([0, 0]);
    await verify(text);
    await page.locator('[data-reason=log_unreachable]').waitFor();
    // the refused request for the policy
    open.forgive();
    await verify(text.replace('index 0', 'index 1'));
    await verdictOf(page, 'log_proof_invalid').waitFor();
    expect(await steps()).toEqual(['passed', 'failed', 'not-run', 'not-run']);
    await verify(text);
    await page.locator('[data-log=witnessed]').waitFor();
    expect(await steps()).toEqual(['passed', 'passed', 'passed', 'passed']);
    await expectSound(open);
    await open.close();
  });

  it('untrusted texts stay text, on a page and in a certificate', async () => {
    const open = await browser.open('/verify');
    const { page } = open;
    for (const text of hostileStrings(4_000)) {
      const product = {
        '@type': 'Product',
        name: text.slice(0, 400),
        description: text,
        sku: text.slice(0, 150),
        brand: text,
      };
      const node = JSON.stringify(product).replaceAll('<', '\\u003c');
      await page.locator('#paste').fill(`<script type="application/ld+json">${node}</script>`);
      await page.locator('#page-url').fill('https://shop.example/');
      await page.locator('.facts').waitFor();
      await page.locator('#paste').fill(JSON.stringify({ ...certificate, url: text }));
      await page.locator('[data-check=certificateIntegrity][data-state=failed]').waitFor();
      expect(await page.locator('main :is(script, iframe, object, embed, base, style)').count()).toBe(0);
    }
    open.expectClean();
    await open.close();
  });

  it('a newer version waits, is announced, and is used on request', async () => {
    const proxy = await openProxy(images.scene.service.url);
    const open = await browser.open(`${proxy.url}/verify`);
    const { page } = open;
    await page.locator('.offline[data-page=ready]').waitFor();
    await page.reload();
    proxy.release('next');
    await page.evaluate('navigator.serviceWorker.getRegistration().then((one) => one.update())');
    await page.getByRole('button', { name: 'Use it now' }).click();
    // polled from outside, since the page's policy would block repeated evaluation in it
    const kept = () =>
      page.evaluate(
        'caches.keys().then((names) => names.filter((name) => !/-(keys|engine|lists)$/.test(name)).join())',
      );
    await expect.poll(kept).toBe('touchstone-verify-next');
    await open.close();
    await proxy.close();
  });
});

/** Its heading is within the visible part of the page. */
async function expectInView(place: Locator): Promise<void> {
  const isSeen = (element: HTMLElement | SVGElement) => {
    const { top, bottom } = (element.querySelector('h2') ?? element).getBoundingClientRect();
    return top >= 0 && bottom <= element.ownerDocument.documentElement.clientHeight;
  };
  await expect.poll(() => place.evaluate(isSeen)).toBe(true);
}

/** A proxy to the service, whose service worker becomes another version on request. */
async function openProxy(origin: string) {
  let version: string | undefined;
  const server = await httpServer((request, response) => {
    fetch(origin + request.url, { headers: { accept: request.headers.accept ?? '*/*' } })
      .then(async (answer) => {
        const bytes = Buffer.from(await answer.arrayBuffer());
        const isNext = version !== undefined && request.url === '/verify-worker.js';
        const body = isNext ? bytes.toString().replace(/"version":"\w+"/, `"version":"${version}"`) : bytes;
        response.writeHead(answer.status, {
          'content-type': answer.headers.get('content-type') ?? '',
          'cache-control': 'no-cache',
        });
        response.end(body);
      })
      .catch(() => response.destroy());
  });
  return {
    ...server,
    release(next: string) {
      version = next;
    },
  };
}
