import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shopPolicy } from '../../packages/cli/src/demo/shop-pages.ts';
import { es } from '../../packages/web/src/text/es.ts';
import { type Json, openScene, type Scene } from '../kit/service.ts';
import {
  axeFindings,
  NO_BROWSER,
  type OpenPage,
  openBrowser,
  overflowsSideways,
  PATIENCE,
  shiftOf,
  type TestBrowser,
  tabTo,
  VIEWS,
  type View,
} from './support/browser.ts';
import { hostileStrings } from './support/hostile-strings.ts';
import { htmlWith } from './support/product-page.ts';
import { putVerdictPages, type VerdictPages } from './support/verdict-pages.ts';

const SERVICE = 'http://certificates.localhost';
const HOSTS = ['shop.example', 'copy.example', 'unproven.example'];
/** As signed, and as the pages call it. */
const NAME = 'Stoneware cup, 30 cl';
/** Not treated as secure. */
const PLAIN = 'plain.example';
const SCRIPT = `<script type="module" src="${SERVICE}/badge.js"></script>`;
const BADGE = `<product-certificate><a href="${SERVICE}/check"><img src="${SERVICE}/badge.svg" width="208" height="44" alt="Check this page"></a></product-certificate>`;

/** A page of the shop with the badge, instead of the page of this certificate. */
function worn(
  certificate: Json | null,
  { script = SCRIPT, body = BADGE, lang = 'en', dir = 'ltr' } = {},
): string {
  return htmlWith(certificate, script)
    .replaceAll('The cup', NAME)
    .replace('<html lang="en">', `<html lang="${lang}" dir="${dir}">`)
    .replace('<head>', '<head><link rel="icon" href="/icon.svg">')
    .replace('<body>', '<body><main>')
    .replace('</h1>', `</h1>${body}`)
    .replace('</body>', '</main></body>');
}

describe.skipIf(NO_BROWSER !== null)('the badge', () => {
  let scene: Scene;
  let browser: TestBrowser;
  let pages: VerdictPages;
  let expired: Json;
  const put = (url: string, html: string, headers: Readonly<Record<string, string>> = {}) =>
    scene.shop.put(url, (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(html);
    });
  const open = (url: string, view?: View) => browser.open(url, view);

  beforeAll(async () => {
    scene = await openScene({ TOUCHSTONE_BASE_URL: SERVICE });
    const at = (port: string | number) => `127.0.0.1:${port}`;
    const rules = [
      `MAP certificates.localhost:80 ${at(new URL(scene.service.url).port)}`,
      ...[...HOSTS, PLAIN].map((host) => `MAP ${host}:80 ${at(scene.shop.port)}`),
    ];
    // a shop has https; without it, browsers provide no cryptography
    const secure = HOSTS.map((host) => `http://${host}`).join(',');
    browser = await openBrowser(SERVICE, [
      `--host-resolver-rules=${rules.join(',')}`,
      `--unsafely-treat-insecure-origin-as-secure=${secure}`,
    ]);
    pages = await putVerdictPages(scene);
    const signedAt = Math.floor(Date.now() / 1000) - 9 * 86_400;
    expired = await scene.signedAnew(pages.certificate, { iat: signedAt, exp: signedAt + 7 * 86_400 });
    for (const host of [...HOSTS, PLAIN])
      scene.shop.put(`http://${host}/icon.svg`, '<svg xmlns="http://www.w3.org/2000/svg"/>');
    scene.shop.put(
      'http://shop.example/empty',
      '<!doctype html><title>Empty</title><link rel="icon" href="/icon.svg">',
    );
  });
  afterAll(async () => {
    await browser?.close();
    await scene?.close();
  });

  /** The announced text, after the badge has reached this state. */
  async function shows(
    page: Page,
    state: string,
    badge: Locator = page.locator('product-certificate'),
  ): Promise<string> {
    const link = badge.first().locator(`a.${state}`);
    await link.waitFor({ timeout: 10_000 });
    return ((await link.textContent()) ?? '').trim();
  }
  /** In both languages the text fits, and axe finds nothing. */
  async function expectSpanishToo(page: Page, state: keyof typeof es.badge.states): Promise<void> {
    const words = page.locator('product-certificate b').first();
    const isCut = () => words.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
    expect([await axeFindings(page), await isCut()]).toEqual([[], false]);
    await page
      .locator('product-certificate')
      .first()
      .evaluate((badge) => badge.setAttribute('lang', 'es'));
    expect([await words.textContent(), await isCut()]).toEqual([es.badge.states[state], false]);
  }
  /** No requests to hosts other than the service, and no errors. */
  function expectClean({ foreign, faults }: OpenPage): void {
    expect(foreign.filter((address) => !address.startsWith(`${SERVICE}/`))).toEqual([]);
    expect(faults).toEqual([]);
  }

  it('names on the page of the product the shop that it was issued for', async () => {
    const url = pages.urls.verified ?? '';
    put(url, worn(pages.certificate));
    const opened = await open(url, { size: 'phone' });
    expect(await shows(opened.page, 'verified')).toMatch(
      /^Product certificate: Verified\s*For shop\.example \(opens in a new tab\)$/,
    );
    const link = opened.page.locator('product-certificate a[part]');
    expect(await link.getAttribute('href')).toBe(`${SERVICE}/check?url=${encodeURIComponent(url)}`);
    expectClean(opened);
    await opened.close();
  });

  it.each([
    ['another_host', 'site', 'Not for this site', 'For shop.example'],
    ['another_page', 'page', 'Of another page', 'For Stoneware cup, 30 cl'],
    // neither is a sign of fraud: a product that its merchant hides has such a certificate
    ['unverified', 'unsigned', 'Not signed', 'Proves nothing'],
    ['invalid_certificate', 'invalid', 'Not valid', 'Not a certificate'],
    ['no_certificate', 'none', 'No certificate', 'This page carries none'],
    ['canonical_mismatch', 'unknown', 'Could not check', 'From another service'],
  ])('on a page with the verdict %s it shows "%s"', async (name, state, words, detail) => {
    const url = pages.urls[name] ?? '';
    const { proof: _proof, ...unsigned } = pages.certificate;
    const elsewhere = `https://other.example/api/v1/mc4p/products/${pages.productId}/certificate`;
    const pointingTo = (address: string) => ({
      ...pages.certificate,
      'svc:status': { canonicalSource: { url: address } },
    });
    const carried: Readonly<Record<string, Json | null>> = {
      unverified: unsigned,
      no_certificate: null,
      canonical_mismatch: pointingTo(elsewhere),
      invalid_certificate: pointingTo(`${SERVICE}/nowhere`),
    };
    put(url, worn(Object.hasOwn(carried, name) ? (carried[name] as Json | null) : pages.certificate));
    const opened = await open(url);
    const said = await shows(opened.page, state);
    expect(said).toContain(words);
    expect(said).toContain(detail);
    await expectSpanishToo(opened.page, state as keyof typeof es.badge.states);
    expectClean(opened);
    await opened.close();
  });

  /** A page of the shop with another name in one place. */
  const named: Readonly<Record<string, (html: string, name: string) => string>> = {
    heading: (html, name) => html.replace(/<h1>[^<]*/, `<h1>${name}`),
    title: (html, name) => html.replace(/<title>[^<]*/, `<title>${name}`),
    preview: (html, name) => html.replace('</title>', `</title><meta property="og:title" content="${name}">`),
    'structured data': (html, name) => html.replace(`"name":"${NAME}"`, `"name":"${name}"`),
  };

  it.each(Object.keys(named))('has no tick on a page that names another product in its %s', async (place) => {
    const url = pages.urls.verified ?? '';
    put(url, named[place]?.(worn(pages.certificate), 'Rolex Submariner, 18k gold') ?? '');
    const opened = await open(url);
    // titles and previews of honest shops are written for search engines: they raise a doubt, where a heading contradicts
    const isDoubt = place === 'title' || place === 'preview';
    const told = await shows(opened.page, isDoubt ? 'signed' : 'differs');
    if (!isDoubt) expect(told).toContain(`Another productFor ${NAME}`);
    await expectSpanishToo(opened.page, isDoubt ? 'signed' : 'differs');
    expectClean(opened);
    await opened.close();
  });

  it('loses its tick when a script gives the page another heading; a hidden heading does not count', async () => {
    const url = pages.urls.verified ?? '';
    put(url, worn(pages.certificate).replace('</main>', '<h1 hidden>Rolex Submariner</h1></main>'));
    const opened = await open(url);
    await shows(opened.page, 'verified');
    await opened.page.evaluate(`document.querySelector('h1').textContent = 'Rolex Submariner'`);
    await shows(opened.page, 'differs');
    await opened.close();
  });

  it('has no tick on a site that nobody has proven to run, whatever the shop is called', async () => {
    const store = await scene.store('unproven.example', { proven: false });
    const { id, url } = await store.product('cup', { name: NAME });
    put(url, worn(await scene.certificate(id)));
    const opened = await open(url);
    expect(await shows(opened.page, 'unproven')).toMatch(/Site not proven\s*For unproven\.example/);
    await expectSpanishToo(opened.page, 'unproven');
    expectClean(opened);
    await opened.close();
  });

  it('is neutral with an older proof that does not say who runs the site', async () => {
    const url = pages.urls.verified ?? '';
    put(url, worn(await scene.signedAnew(pages.certificate, { control: undefined })));
    const opened = await open(url);
    expect(await shows(opened.page, 'signed')).toContain('Who runs the site is not known here.');
    await expectSpanishToo(opened.page, 'signed');
    await opened.close();
  });

  describe('with a certificate that the service has taken back since', () => {
    const published = () =>
      expect
        .poll(async () => (await scene.operate('GET', '/status-lists')).waiting, { interval: 50 })
        .toBe(0);

    it.each([
      ['withdrawn', 'This certificate was withdrawn.', 'DELETE', '', undefined],
      ['withdrawn', 'This certificate was withdrawn.', 'POST', '/withdraw', { reissue: true }],
      [
        'suspended',
        'The shop does not publish this certificate at present.',
        'PATCH',
        '',
        { visible: false },
      ],
    ] as const)(
      'says %s: %s (%s%s), and names nothing but a status list to the service',
      async (...given) => {
        const [state, words, method, path, body] = given;
        const { id, url } = await pages.store.product(`later-${method}`, { name: NAME });
        put(url, worn(await scene.certificate(id), { body: BADGE + BADGE }));
        const opened = await open('http://shop.example/empty');
        const { page } = opened;
        await page.context().addCookies([{ name: 'visitor', value: '1', url: SERVICE }]);
        await scene.operate(method, `/products/${id}${path}`, body);
        await published();
        const asked: [string, Readonly<Record<string, string>>][] = [];
        page.on('request', async (request) => {
          const { pathname, origin } = new URL(request.url());
          if (/\/status/.test(pathname) && origin === SERVICE)
            asked.push([pathname, await request.allHeaders()]);
        });
        await page.goto(url);
        expect(await shows(page, state)).toContain(words);
        await expectSpanishToo(page, state);
        expect(asked.map(([pathname]) => pathname)).toEqual([
          expect.stringMatching(/^\/api\/v1\/mc4p\/status\/\d+$/),
          '/api/v1/.well-known/status-list-jwks.json',
        ]);
        for (const [, headers] of asked) {
          expect([headers.referer, headers.cookie]).toEqual([undefined, undefined]);
          expect(JSON.stringify(headers)).not.toContain(new URL(url).pathname);
        }
        await opened.close();
      },
    );

    it('stays as it was verified offline if the service does not answer, or something else answers', async () => {
      const url = pages.urls.verified ?? '';
      put(url, worn(pages.certificate));
      const opened = await open('http://shop.example/empty');
      const { page } = opened;
      for (const answer of ['abort', 'other'] as const) {
        const asked = Promise.withResolvers<void>();
        await page.route('**/status/*', async (route) => {
          if (answer === 'abort') await route.abort();
          else
            await route.fulfill({ status: 404, body: '{}', headers: { 'access-control-allow-origin': '*' } });
          asked.resolve();
        });
        await page.goto(url);
        await shows(page, 'verified');
        await asked.promise;
        await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
        await shows(page, 'verified');
        await page.unroute('**/status/*');
      }
      await opened.close();
    });
  });

  it('untrusted names stay text in it', async () => {
    const { id, url } = await pages.store.product('strange');
    for (const name of hostileStrings(120).slice(0, 10)) {
      await scene.operate('PATCH', `/products/${id}`, { name });
      put(`${url}-2`, worn(await scene.certificate(id)));
      const opened = await open(`${url}-2`);
      const said = await shows(opened.page, 'page');
      expect(said.length).toBeGreaterThan('Product certificate: Of another page'.length);
      const inside = 'document.querySelector("product-certificate").shadowRoot.querySelector("a")';
      // the badge's elements, and nothing else
      expect(
        await opened.page.evaluate(`[...${inside}.querySelectorAll('*')].map((one) => one.localName).join()`),
      ).toBe('svg,path,path,span,span,b,small,bdi,span');
      expectClean(opened);
      await opened.close();
    }
  });

  it('on another page of the shop it is never verified, whatever address it is given: it links to the signed page', async () => {
    const real = pages.urls.verified ?? '';
    for (const [body, state, href] of [
      [BADGE, 'page', real],
      [
        BADGE.replace('>', ` for="${new URL(real).pathname}">`),
        'listed',
        `${SERVICE}/api/v1/mc4p/products/${pages.productId}/certificate`,
      ],
    ] as const) {
      put('http://shop.example/user/other', worn(pages.certificate, { body }));
      const opened = await open('http://shop.example/user/other');
      await shows(opened.page, state);
      expect(await opened.page.locator('product-certificate a[part]').getAttribute('href')).toBe(href);
      await expectSpanishToo(opened.page, state);
      expectClean(opened);
      await opened.close();
    }
    // the page's own address is no other page
    put(real, worn(pages.certificate, { body: BADGE.replace('>', ` for="${new URL(real).pathname}/">`) }));
    const opened = await open(real);
    await shows(opened.page, 'verified');
    await opened.close();
  });

  it.each([
    ['another site', 'http://copy.example/frames', 'Inside another site'],
    ['another page of the site', 'http://shop.example/frames', 'Inside another page'],
    ['a page of the site inside another site', 'http://copy.example/nested', 'Inside another site'],
  ])('framed by %s it says so, and is not verified', async (_, place, detail) => {
    const real = pages.urls.verified ?? '';
    const framing = (url: string) =>
      `<!doctype html><html lang="en"><title>Frames</title><link rel="icon" href="/icon.svg"><iframe title="The cup" src="${url}" width="400" height="300"></iframe>`;
    put(real, worn(pages.certificate));
    for (const host of HOSTS) put(`http://${host}/frames`, framing(real));
    put('http://copy.example/nested', framing('http://shop.example/frames'));
    const opened = await open(place);
    const frame = opened.page.frames().find((one) => one.url() === real) ?? opened.page.mainFrame();
    const badge = frame.locator('product-certificate');
    expect(await shows(opened.page, 'framed', badge)).toMatch(new RegExp(`Embedded page\\s*${detail}`));
    expect(await badge.locator('a[part]').getAttribute('href')).toBe(real);
    await badge.evaluate((one) => one.setAttribute('lang', 'es'));
    const texts = badge.locator('b, small');
    expect(await texts.allTextContents()).toContain(es.badge.states.framed);
    expect(await texts.evaluateAll((all) => all.some((one) => one.scrollWidth > one.clientWidth))).toBe(
      false,
    );
    expect(opened.faults).toEqual([]);
    await opened.close();
  });

  it('on plain http it says why browsers cannot verify there', async () => {
    const url = `http://${PLAIN}/products/cup`;
    put(url, worn(pages.certificate));
    const opened = await open(url);
    expect(await shows(opened.page, 'unknown')).toMatch(/Could not check\s*Browsers need https/);
    const title = await opened.page.locator('product-certificate a[part]').getAttribute('title');
    expect(title).toBe('Browsers verify signatures only on pages that are served over https.');
    await expectSpanishToo(opened.page, 'unknown');
    await opened.close();
  });

  it('after it has expired it says so, with the date', async () => {
    put('http://shop.example/products/cup', worn(expired));
    const opened = await open('http://shop.example/products/cup');
    expect(await shows(opened.page, 'expired')).toMatch(/Expired\s*Since .*\d{4}/);
    expectClean(opened);
    await opened.close();
  });

  it('links, base and canonical URL of a copied page have no effect on it', async () => {
    const real = pages.urls.verified ?? '';
    const page = worn(pages.certificate, {
      body: BADGE.replace('<product-certificate>', `<product-certificate for="${real}">`),
    });
    put(
      'http://copy.example/sale',
      page.replace('<head>', `<head><base href="${real}"><link rel="canonical" href="${real}">`),
    );
    const opened = await open('http://copy.example/sale');
    expect(await shows(opened.page, 'site')).toContain('Not for this site');
    expect(await opened.page.locator('product-certificate a[part]').getAttribute('href')).toContain(
      'copy.example',
    );
    await opened.close();
  });

  it('works with a strict policy, plus what docs/guides/embedding.md adds to it', async () => {
    const url = pages.urls.verified ?? '';
    put(url, worn(pages.certificate), { 'content-security-policy': shopPolicy(SERVICE) });
    const opened = await open(url);
    await shows(opened.page, 'verified');
    expectClean(opened);
    await opened.close();
  });

  it('if the service is unreachable it shows "could not check"; the page and its layout are unchanged', async () => {
    const url = pages.urls.verified ?? '';
    put(url, worn(pages.certificate));
    const opened = await open('http://shop.example/empty');
    const { page } = opened;
    await page.route('**/jwks.json', (route) => route.abort());
    await page.goto(url);
    expect(await shows(page, 'unknown')).toMatch(/Could not check\s*Service not reached/);
    await page.route('**/badge.js', (route) => route.abort());
    await page.goto(url);
    await page.locator('product-certificate img').waitFor();
    const box = await page.locator('product-certificate img').boundingBox();
    expect([box?.width, box?.height]).toEqual([208, 44]);
    await opened.close();
  });

  it('without scripts it is an image that claims nothing, and links to the check', async () => {
    const url = pages.urls.verified ?? '';
    put(url, worn(pages.certificate));
    const { page, close } = await open(url, { context: { javaScriptEnabled: false } });
    const picture = page.locator('product-certificate img');
    expect(await picture.getAttribute('alt')).toBe('Check this page');
    expect(await picture.evaluate('1').catch(() => 1)).toBe(1);
    await close();
  });

  it.each([
    ['en', 'Check this page'],
    ['es', 'Comprobar página'],
  ])('which says so in %s, and its words fit', async (lang, words) => {
    const opened = await browser.open(`${SERVICE}/badge.svg?lang=${lang}`);
    const text = await opened.page.locator('svg').textContent();
    expect(text).toContain(words);
    expect(text).not.toMatch(/verified|genuine|certified|verificad|auténtic/i);
    const ends = await opened.page.evaluate(
      '[...document.querySelectorAll("text")].map((one) => one.getBBox().x + one.getBBox().width)',
    );
    expect(Math.max(...(ends as number[]))).toBeLessThan(204);
    await opened.close();
  });

  it('twice on a page, loaded twice, it is defined once and both show the same', async () => {
    const url = pages.urls.verified ?? '';
    put(
      url,
      worn(pages.certificate, {
        script: SCRIPT + SCRIPT.replace('badge.js', 'badge.js?v=2'),
        body: BADGE + BADGE,
      }),
    );
    const opened = await open(url);
    const badges = opened.page.locator('product-certificate');
    for (const badge of await badges.all())
      expect(await shows(opened.page, 'verified', badge)).toContain('Verified');
    expectClean(opened);
    await opened.close();
  });

  it('20 on a list link to the certificates of their products and claim nothing, with one verifier and one request for keys', async () => {
    const products = await Promise.all(
      Array.from({ length: 20 }, (_, i) => pages.store.product(`shelf-${i}`)),
    );
    const certificates = await Promise.all(products.map(({ id }) => scene.certificate(id)));
    const blocks = certificates.map(
      (one) => `<script type="application/ld+json">${JSON.stringify(one)}</script>`,
    );
    const items = products.map(
      ({ url }) => `<li>${BADGE.replace('>', ` size="small" for="${new URL(url).pathname}">`)}</li>`,
    );
    const list = (origin: string) => {
      put(
        `${origin}/shelf`,
        worn(null, { script: SCRIPT + blocks.join(''), body: `<ul>${items.join('')}</ul>` }),
      );
      return open(`${origin}/shelf`);
    };
    const opened = await list('http://shop.example');
    await opened.page.waitForFunction(
      `[...document.querySelectorAll('product-certificate')].every((one) => one.shadowRoot?.querySelector('.listed'))`,
    );
    const links = opened.page.locator('product-certificate a[part]');
    expect(await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')))).toEqual(
      products.map(({ id }) => `${SERVICE}/api/v1/mc4p/products/${id}/certificate`),
    );
    expect(await links.first().textContent()).toContain('See its certificate');
    const names = await opened.page.locator('product-certificate small').allTextContents();
    expect(new Set(names).size).toBe(20);
    const asked = opened.foreign.map((address) => new URL(address).pathname);
    expect(asked.filter((path) => path.endsWith('jwks.json'))).toHaveLength(1);
    expect(asked.filter((path) => path.includes('verifier'))).toHaveLength(1);
    expectClean(opened);
    await opened.close();
    const copied = await list('http://copy.example');
    await copied.page.waitForFunction(
      `[...document.querySelectorAll('product-certificate')].every((one) => one.shadowRoot?.querySelector('.site'))`,
    );
    await copied.close();
  });

  it('follows a page that changes its URL and content without a reload', async () => {
    const url = pages.urls.verified ?? '';
    put(url, worn(pages.certificate));
    const opened = await open(url);
    await shows(opened.page, 'verified');
    const link = opened.page.locator('product-certificate a[part]');
    await opened.page.evaluate(`history.pushState({}, '', '/products/saucer')`);
    expect(await shows(opened.page, 'page')).toContain('Of another page');
    expect(await link.getAttribute('href')).toBe(url);
    await opened.page.evaluate(
      `document.querySelectorAll('script[type="application/ld+json"]').forEach((one) => one.remove())`,
    );
    expect(await shows(opened.page, 'none')).toContain('No certificate');
    expectClean(opened);
    await opened.close();
  });

  const LANGUAGES = [
    ['en', 'ltr', 'For shop.example'],
    ['es', 'ltr', 'Para shop.example'],
    ['ar', 'rtl', 'For shop.example'],
  ] as const;
  it.concurrent.for(VIEWS)(
    'on a $size, $scheme, in each language: on its page, on a copied and on an expired one axe finds nothing, the keyboard reaches it, nothing moves',
    { timeout: PATIENCE },
    async ({ size, scheme }) => {
      const opened = await open('http://shop.example/empty', { size, scheme });
      const { page } = opened;
      for (const [lang, dir, words] of LANGUAGES)
        for (const state of ['verified', 'site', 'expired'] as const) {
          // campaign parameters do not make it another page
          const place = state === 'site' ? pages.urls.another_host : pages.urls.verified;
          const url = `${place}?utm_source=${state}&utm_campaign=${lang}`;
          const document = state === 'expired' ? expired : pages.certificate;
          put(
            url,
            worn(document, { lang, dir }).replace('<body>', '<body style="color-scheme: light dark">'),
          );
          await page.goto(url);
          const said = await shows(page, state);
          if (state !== 'expired')
            expect([state, lang, said]).toEqual([state, lang, expect.stringContaining(words)]);
          await tabTo(page, 'product-certificate');
          expect([state, lang, await axeFindings(page), await shiftOf(page)]).toEqual([state, lang, [], 0]);
          expect(await overflowsSideways(page)).toBe(false);
        }
      // the copied page itself is on another host
      const others = opened.foreign.filter(
        (address) => !/^http:\/\/(?:certificates\.localhost|copy\.example)\//.test(address),
      );
      expect([others, opened.faults]).toEqual([[], []]);
      await opened.close();
    },
  );

  it('untrusted addresses stay addresses in it', async () => {
    const hostile = [
      'javascript:globalThis.ran = true',
      '//evil.example/"><script>globalThis.ran = true</script>',
      'data:text/html,<script>globalThis.ran = true</script>',
      '/<svg onload="globalThis.ran = true">?a="><img src=x onerror="globalThis.ran = true">',
    ];
    const badges = hostile.map((url) => BADGE.replace('>', ` for="${url.replaceAll('"', '&quot;')}">`));
    const place = 'http://shop.example/%22%3E%3Csvg%20onload=alert(1)%3E?q=%27%22%3E%3Cscript%3E';
    put(place, worn(pages.certificate, { body: badges.join('') }));
    const opened = await open(place);
    const { page } = opened;
    await page.waitForFunction(
      `[...document.querySelectorAll('product-certificate')].every((one) => one.shadowRoot?.querySelector('a:not(.checking)'))`,
    );
    const links = (await page.evaluate(
      `[...document.querySelectorAll('product-certificate')].flatMap((one) => [...one.shadowRoot.querySelectorAll('a')].map((a) => a.href))`,
    )) as string[];
    expect(links.length).toBeGreaterThanOrEqual(hostile.length);
    // a check of this shop's page, whatever was requested, or the signed page
    for (const link of links.filter((one) => one !== pages.urls.verified)) {
      expect(link).toMatch(/^http:\/\/certificates\.localhost\/check\?url=[\w.%~!*'()-]+$/);
      expect(new URL(link).searchParams.get('url')).toMatch(/^http:\/\/shop\.example\//);
    }
    expect(await page.evaluate('globalThis.ran')).toBe(undefined);
    expectClean(opened);
    await opened.close();
  });

  it('is less than 6 KB before the verifier is loaded, compressed', () => {
    const dist = join(import.meta.dirname, '../../packages/web/dist');
    expect(readFileSync(join(dist, 'badge.js.gz')).length).toBeLessThan(6 * 1024);
    // one file that contains everything needed at first
    expect(readFileSync(join(dist, 'badge.js'), 'utf8')).not.toMatch(/^import|from\s*["']/m);
  });
});
