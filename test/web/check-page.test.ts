import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { es } from '../../packages/web/src/text/es.ts';
import { openScene, type Scene } from '../kit/service.ts';
import {
  expectSound,
  NO_BROWSER,
  openBrowser,
  PATIENCE,
  SIZES,
  shiftOf,
  type TestBrowser,
  tabTo,
  VIEWS,
} from './support/browser.ts';
import { htmlWith } from './support/product-page.ts';
import { putVerdictPages, type VerdictPages } from './support/verdict-pages.ts';

/** The first line for each verdict and the conclusions that say more; that of a verified page depends on what the page states. */
const SENTENCES = {
  verified: /^Issued to shop\.example\b/,
  redirected: 'The address leads to another page: http://shop.example/products/cup',
  unverified: 'A product is named, but nothing about it is signed.',
  certificate_expired: /^Signed for shop\.example and this page, but expired on \d+ \w+ \d{4}\.$/,
  altered: 'Signed for shop.example, but changed after it was signed.',
  another_host: 'Signed for shop.example, not for the site that shows it.',
  another_page: 'Signed for another page of shop.example.',
  no_certificate: 'This page carries no certificate.',
  invalid_certificate: 'What this page presents as a certificate cannot be one of this service.',
  canonical_mismatch: 'The certificate on this page names a service that is not trusted here.',
  product_deleted: 'The service has no certificate for the product that this page names.',
  password_protected: 'The shop asks for a password.',
  page_fetch_failed: 'The page could not be read.',
} as const;

describe.skipIf(NO_BROWSER !== null)('the check page', () => {
  let scene: Scene;
  let browser: TestBrowser;
  let pages: VerdictPages;
  const checkOf = (name: string) => `/check?url=${encodeURIComponent(pages.urls[name] ?? '')}`;
  const shown = (page: Page, name: string) =>
    page.locator(`:is([data-verdict=${name}], [data-conclusion=${name}]) h1`);

  beforeAll(async () => {
    scene = await openScene();
    browser = await openBrowser(scene.service.url);
    pages = await putVerdictPages(scene);
  });
  afterAll(async () => {
    await browser?.close();
    await scene?.close();
  });

  it.concurrent.each(Object.entries(SENTENCES))(
    '%s: "%s", above the fold of a phone',
    async (name, sentence) => {
      const opened = await browser.open(checkOf(name), { size: 'phone' });
      const verdict = shown(opened.page, name);
      await verdict.waitFor();
      expect(await verdict.textContent()).toMatch(sentence);
      const box = await verdict.boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(SIZES.phone.height);
      opened.expectClean();
      await opened.close();
    },
  );

  it.concurrent.each([
    ['page_fetch_failed', 'Why: The host did not answer with a page. status 404'],
    ['password_protected', 'Why: The storefront asks for a password.'],
    [
      'canonical_mismatch',
      'Why: The certificate on the page names a canonical source that is not this service. other.example',
    ],
    ['invalid_certificate', 'Why: The canonical source of the certificate is not'],
  ])('%s: gives the reason in the verdict, and only there', async (name, why) => {
    const opened = await browser.open(checkOf(name), { size: 'phone' });
    const { page } = opened;
    await shown(page, name).waitFor();
    expect((await page.locator('.verdict').textContent()) ?? '').toContain(why);
    expect(await page.locator('.notes', { hasText: why.replace('Why: ', '') }).count()).toBe(0);
    opened.expectClean();
    await opened.close();
  });

  it.each(['en', 'es'])(
    'an address that leads to another page is not verified, and that page can be checked (%s)',
    async (lang) => {
      const opened = await browser.open(checkOf('redirected'), { size: 'phone', locale: lang });
      const { page } = opened;
      await shown(page, 'redirected').waitFor();
      expect(await page.locator('.verdict').getAttribute('data-tone')).toBe('caution');
      expect(await shown(page, 'redirected').textContent()).toContain(pages.urls.verified);
      await expectSound(opened);
      await page.locator('.verdict .button.primary').click();
      await shown(page, 'verified').waitFor();
      await opened.close();
      // any other verdict names the page to which it led, too
      const gate = await browser.open(checkOf('password_protected'), { size: 'phone', locale: lang });
      await shown(gate.page, 'password_protected').waitFor();
      expect(await gate.page.locator('.verdict .why').first().textContent()).toContain(
        'http://shop.example/password',
      );
      await gate.close();
    },
  );

  it('the empty page and each kind of invalid input are accessible', async () => {
    const opened = await browser.open('/', { size: 'phone' });
    opened.expectClean();
    for (const [entered, words] of [
      ['', 'Enter the address'],
      ['mailto:owner@shop.example', 'Only addresses of web pages'],
      ['a blue cup', 'This is not a web address'],
    ]) {
      await opened.page.fill('#url', entered ?? '');
      await opened.page.press('#url', 'Enter');
      expect(await opened.page.locator('[role=alert]').textContent()).toContain(words);
      expect(await opened.page.evaluate('document.activeElement.id')).toBe('url');
    }
    opened.expectClean();
    await opened.close();
  });

  it.concurrent.for(VIEWS)(
    'on a $size, $scheme: the keyboard suffices: enter, verdict, compare, QR code, link, and what failed elsewhere',
    { timeout: PATIENCE },
    async ({ size, scheme }) => {
      const opened = await browser.open('/', { size, scheme });
      const { page } = opened;
      await expectSound(opened);
      await tabTo(page, '#url');
      await page.keyboard.type(` ${pages.urls.verified ?? ''} `);
      await page.keyboard.press('Enter');
      await shown(page, 'verified').waitFor();
      expect(await page.evaluate('document.activeElement.id')).toBe('verdict');
      await expectSound(opened);
      await tabTo(page, '.images ~ .button');
      await page.keyboard.press('Enter');
      await page.locator('section:has(> #images)', { hasText: 'The images were not compared' }).waitFor();
      await tabTo(page, '[aria-expanded=false]', 60);
      await page.keyboard.press('Enter');
      await page.locator('.qr').waitFor();
      await expectSound(opened);
      // the result, as shown to a recipient of its link
      await page.goto(new URL(new URL(await page.inputValue('#permalink')).pathname, page.url()).href);
      await shown(page, 'verified').waitFor();
      await expectSound(opened);
      await page.goto(new URL('/', page.url()).href);
      await tabTo(page, '#url');
      await page.keyboard.type(pages.urls.another_host ?? '');
      await page.keyboard.press('Enter');
      await shown(page, 'another_host').waitFor();
      expect(await page.locator('.check[data-state=failed] .next-step').first().isVisible()).toBe(true);
      await expectSound(opened);
      await opened.close();
    },
  );

  it('separates what was signed from what the page states, each fact with its source', async () => {
    const { page, close } = await browser.open(checkOf('another_host'));
    await shown(page, 'another_host').waitFor();
    const signed = await page.locator('section:has(> #signed)').textContent();
    expect(signed).toContain('shop.example');
    expect(signed).toContain('https://certificates.example');
    // one line per field: what was signed, then what the page states
    const line = (field: string) => page.locator(`.lines [data-field=${field}] dd`).allTextContents();
    expect(await line('name')).toEqual(['SignedStoneware cup, 30 cl', 'On the pageThe cup']);
    expect(await line('price')).toEqual(['Signednot signed', 'On the page€19.90']);
    await close();
    // without anything signed: what the page states, each with its source
    const unsigned = await browser.open(checkOf('unverified'));
    await shown(unsigned.page, 'unverified').waitFor();
    const facts = await unsigned.page.locator('section.facts').textContent();
    expect(facts).toContain('€19.90');
    expect(facts).toContain('structured data offers.price');
    await unsigned.close();
  });

  it('tells what others are said to certify as not proven, after all that was verified, and without a mark', async () => {
    const url = 'http://shop.example/products/claiming';
    const hasCertification = {
      '@type': 'Certification',
      name: '<b>Organic</b>\u202e',
      url: 'javascript:alert(1)',
    };
    const claim = JSON.stringify({ '@type': 'Product', name: 'The cup', hasCertification });
    scene.shop.put(
      url,
      htmlWith(
        pages.certificate,
        `<script type="application/ld+json">${claim.replaceAll('<', '\\u003c')}</script>`,
      ),
    );
    const { page, close } = await browser.open(`/check?url=${encodeURIComponent(url)}`);
    const section = page.locator('section.claims');
    await section.waitFor();
    expect(await section.locator('h2').textContent()).toBe('Claimed by the page, not proven here');
    expect(await section.locator('li').allTextContents()).toEqual([
      'A certification: <b>Organic</b>The page does not say who certifies it.',
    ]);
    expect(await section.locator('a, svg, [data-state], [data-tone]').count()).toBe(0);
    const after = await page.evaluate(
      `document.querySelector('#checks').compareDocumentPosition(document.querySelector('.claims'))`,
    );
    expect(Number(after) & 4).toBe(4);
    // told there, and nowhere else
    expect(await page.locator('.notes').filter({ hasText: 'claims of the page' }).count()).toBe(0);
    await close();
  });

  it('shows the outcome of each check in words, with expected and found values side by side', async () => {
    const { page, close } = await browser.open(checkOf('another_host'));
    await shown(page, 'another_host').waitFor();
    expect(await page.locator('.check').count()).toBe(9);
    const domain = page.locator('[data-check=boundToDomain]');
    expect(await domain.locator('.outcome').textContent()).toBe('Failed');
    expect(await domain.locator('dd').allTextContents()).toEqual(['shop.example', 'copy.example']);
    expect(await domain.locator('.next-step').textContent()).toContain('Next step');
    expect(await page.locator('[data-check=signatureValid] .outcome').textContent()).toBe('Passed');
    await close();
    const unsigned = await browser.open(checkOf('unverified'));
    await shown(unsigned.page, 'unverified').waitFor();
    expect(await unsigned.page.locator('[data-check=signatureValid] .outcome').textContent()).toBe('Not run');
    expect(await unsigned.page.locator('#signed').count()).toBe(1);
    await unsigned.close();
    // no check ran: what another service signed is not called invalid
    const foreign = await browser.open(checkOf('canonical_mismatch'));
    await shown(foreign.page, 'canonical_mismatch').waitFor();
    expect(await foreign.page.locator('#signed').count()).toBe(0);
    await foreign.close();
  });

  it('names the failed check next to the verdict; a link within the page starts no other check', async () => {
    const { page, close } = await browser.open(checkOf('altered'));
    await shown(page, 'altered').waitFor();
    const failed = page.locator('.verdict .failed-ones');
    expect(await failed.textContent()).toBe('Failed: Unaltered content');
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(request.url()));
    await failed.locator('a').click();
    expect(
      await page.locator('#checks').evaluate((heading) => heading.getBoundingClientRect().top),
    ).toBeLessThan(SIZES.desktop.height);
    await page.evaluate('document.querySelector(".skip").click()');
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 100))');
    expect([asked, await page.locator('.running').count()]).toEqual([[], 0]);
    expect(await shown(page, 'altered').count()).toBe(1);
    await close();
  });

  it('a long description is shortened, and shown in full on request', async () => {
    const url = 'http://shop.example/products/described';
    const description = `A cup. ${'It holds water. '.repeat(200)}The end.`;
    const product = { '@context': 'https://schema.org', '@type': 'Product', name: 'The cup', description };
    scene.shop.put(url, `<script type="application/ld+json">${JSON.stringify(product)}</script>`);
    const { page, close } = await browser.open(`/check?url=${encodeURIComponent(url)}`);
    const whole = page.locator('.facts details.whole');
    await whole.waitFor();
    expect(await page.getByText('The end.').isVisible()).toBe(false);
    await whole.locator('summary').click();
    expect(await page.getByText('The end.').isVisible()).toBe(true);
    await close();
  });

  it('back and forward navigate through the checks of a visit', async () => {
    const { page, close, expectClean } = await browser.open('/');
    for (const name of ['verified', 'no_certificate']) {
      await page.fill('#url', pages.urls[name] ?? '');
      await page.press('#url', 'Enter');
      await shown(page, name).waitFor();
    }
    await page.goBack();
    await shown(page, 'verified').waitFor();
    expect(await page.inputValue('#url')).toBe(pages.urls.verified);
    await page.goBack();
    await page.locator('.intro').waitFor();
    await page.goForward();
    await shown(page, 'verified').waitFor();
    expectClean();
    await close();
  });

  it('a check in progress can be stopped, which returns to the previous result of the page', async () => {
    const slow = 'http://shop.example/products/slow';
    const held = Promise.withResolvers<() => void>();
    scene.shop.put(slow, (_, response) => held.resolve(() => response.destroy()));
    const opened = await browser.open('/');
    const { page } = opened;
    const stateIs = (state: string) => page.locator(`.check-page[data-state=${state}]`).waitFor();
    await page.fill('#url', slow);
    // the second click hits the stop button
    await page.getByRole('button', { name: 'Check', exact: true }).dblclick();
    await stateIs('running');
    const release = await held.promise;
    await page.getByRole('button', { name: 'Stop' }).press('Enter');
    await stateIs('none');
    expect(await page.inputValue('#url')).toBe(slow);
    expect(await page.getByRole('button', { name: 'Check', exact: true }).evaluate(isFocused)).toBe(true);
    release();
    // the page and the service are ready for the next check at once
    await page.fill('#url', pages.urls.verified ?? '');
    await page.press('#url', 'Enter');
    await shown(page, 'verified').waitFor();
    // a repeated check that is stopped leaves the earlier result
    await page.route('**/page-checks', () => {});
    await page.getByRole('button', { name: 'Check again now' }).click();
    await stateIs('running');
    await page.getByRole('button', { name: 'Stop' }).click();
    await shown(page, 'verified').waitFor();
    opened.expectClean();
    await opened.close();
  });

  it('a result has a link, which shows it unchanged, to programs too', async () => {
    const opened = await browser.open(checkOf('another_host'));
    await shown(opened.page, 'another_host').waitFor();
    const link = new URL(await opened.page.inputValue('#permalink'));
    await opened.close();
    const asJson = await scene.call('GET', link.pathname);
    expect(asJson.json).toMatchObject({ verdict: 'checks_failed' });
    const kept = await browser.open(link.pathname);
    await shown(kept.page, 'another_host').waitFor();
    expect(await kept.page.title()).toBe(
      'Signed for shop.example, not for the site that shows it. · Touchstone',
    );
    kept.expectClean();
    await kept.close();
  });

  it('an earlier result that has expired is reported as that, with the input field', async () => {
    const opened = await browser.open('/api/v1/mc4p/page-checks/01234567-89ab-4def-8123-456789abcdef');
    await opened.page.locator('.notice h1').waitFor();
    expect(await opened.page.locator('.notice').textContent()).toContain('older than 30 days');
    opened.forgive();
    opened.expectClean();
    await opened.close();
  });

  it('in Spanish everything is Spanish, by the browser’s preference or by the URL', async () => {
    const byReader = await browser.open(checkOf('another_host'), { locale: 'es-MX' });
    await shown(byReader.page, 'another_host').waitFor();
    expect(await byReader.page.evaluate('document.documentElement.lang')).toBe('es');
    const text = await byReader.page.locator('body').innerText();
    expect(text).toContain('Firmado para shop.example, no para el sitio que lo muestra.');
    expect(text).toContain(es.reasons.domain_differs);
    expect(text).not.toMatch(/\b(?:Passed|Failed|Expected|Found|Signed|structured|Checked)\b/);
    byReader.expectClean();
    await byReader.page.click('.languages a[lang=en]');
    await byReader.page.locator('h1', { hasText: 'Signed for shop.example' }).waitFor();
    await byReader.close();
  });

  it('nothing moves while it loads and shows the result', async () => {
    const { page, close } = await browser.open('/', { size: 'phone' });
    await page.fill('#url', pages.urls.verified ?? '');
    await page.press('#url', 'Enter');
    await shown(page, 'verified').waitFor();
    expect(await shiftOf(page)).toBe(0);
    await close();
  });

  it('without scripts it explains what it is, and a result still states its verdict', async () => {
    const opened = await browser.open('/', { context: { javaScriptEnabled: false } });
    expect(await opened.page.locator('h1').textContent()).toContain('Check a product page');
    await opened.close();
  });

  describe('an error names its cause', () => {
    it('too many checks: with the time to wait', async () => {
      const url = pages.urls.verified ?? '';
      for (let spent = 0; spent < 10; spent += 1) await scene.checkPage(url, 'fresh');
      const opened = await browser.open(checkOf('verified'));
      await shown(opened.page, 'verified').waitFor();
      await opened.page.getByRole('button', { name: 'Check again now' }).click();
      const notice = opened.page.locator('.notice');
      await notice.waitFor();
      expect(await notice.textContent()).toMatch(/Too many checks.*You can check again in \d+ seconds?\./);
      expect(await notice.locator('button').isDisabled()).toBe(true);
      opened.forgive();
      opened.expectClean();
      await opened.close();
    });

    it('no connection, then no service: ours, without any statement about the page', async () => {
      const opened = await browser.open('/');
      const { page } = opened;
      await page.context().setOffline(true);
      await page.fill('#url', pages.urls.verified ?? '');
      await page.press('#url', 'Enter');
      await page.locator('.notice h1', { hasText: 'You seem to be offline' }).waitFor();
      opened.forgive();
      opened.expectClean();
      await page.context().setOffline(false);
      await scene.service.close();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.locator('.notice h1', { hasText: 'Our service cannot answer' }).waitFor();
      expect(await page.locator('.notice').textContent()).toContain('says nothing about the page');
      await opened.close();
    });
  });
});

function isFocused(element: Element): boolean {
  return element === document.activeElement;
}
