import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SceneStore } from '../kit/service.ts';
import { expectSound, NO_BROWSER, SIZES } from './support/browser.ts';
import { type ConsoleScene, openConsole, settled } from './support/console.ts';

const LOG = '/api/v1/mc4p/log/domains';
/** Of a product, as its merchant named it. */
const NAME = '<b>Cup</b><script>globalThis.ran = 1</script>';

describe.skipIf(NO_BROWSER !== null)('the page of what was issued for a domain', () => {
  let at: ConsoleScene;
  let shop: SceneStore;
  let key: string;
  const ids: string[] = [];
  beforeAll(async () => {
    at = await openConsole({ TOUCHSTONE_CERTIFICATES_AHEAD: 'false' });
    shop = await at.scene.store('shop.example');
    key = String((await at.scene.operate('POST', `/merchants/${shop.merchantId}/api-keys`)).key);
    for (const name of ['cup', 'mug', 'plate']) {
      const { id } = await shop.product(name, { name: name === 'cup' ? NAME : name });
      await at.scene.certificate(id);
      ids.push(id);
    }
  });
  afterAll(() => at?.close());

  it('tells anybody what was issued and when, newest first, page by page, that only the service vouches for it, and no names', async () => {
    const opened = await at.browser.open(`${LOG}/shop.example?limit=2&lang=es`, { size: 'phone' });
    const { page } = opened;
    const entries = page.locator('.log-entries li');
    await entries.first().waitFor();
    const proofs = () =>
      page.locator('.log-entries a').evaluateAll((all) => all.map((a) => a.getAttribute('href')));
    const newest = await proofs();
    expect(newest).toHaveLength(2);
    expect(await entries.locator('time').count()).toBe(4);
    expect(await page.locator('[data-statement="logged, not witnessed"]').count()).toBe(1);
    expect(await page.locator('[data-names=closed]').count()).toBe(1);
    const proof = await fetch(at.scene.service.url + newest[0]);
    expect(await proof.text()).toContain('c2sp.org/tlog-proof');
    await page.locator('[rel=next]').click();
    await page.waitForURL(/cursor=/);
    await entries.first().waitFor();
    const oldest = await proofs();
    expect(new Set([...newest, ...oldest]).size).toBe(3);
    expect(await page.evaluate('document.documentElement.lang')).toBe('es');
    expect(await page.locator('[rel=next]').count()).toBe(0);
    await page.locator('.actions a').click();
    await page.waitForURL((url) => !url.searchParams.has('cursor'));
    await entries.first().waitFor();
    expect(await proofs()).toEqual(newest);
    const feed = await page.locator('[type="application/atom+xml"]').getAttribute('href');
    const atom = await fetch(at.scene.service.url + feed);
    expect([atom.status, (await atom.text()).match(/<entry>/g)?.length]).toEqual([200, 3]);
    expect(await page.content()).not.toMatch(/plate|products\/mug/);
    await expectSound(opened);
    await page.setViewportSize(SIZES.desktop);
    await expectSound(opened);
    await opened.close();
  });

  it('leads to another domain, by any name of it, and says what an empty list and an invalid host mean', async () => {
    const opened = await at.browser.open(`${LOG}/shop.example`, { size: 'phone' });
    const { page } = opened;
    const enter = async (text: string) => {
      await page.locator('#host').fill(text);
      await page.keyboard.press('Enter');
    };
    await enter('not a host');
    await page.getByRole('alert').waitFor();
    await enter('https://www.Bücher.example./cup?a=b');
    await page.waitForURL((url) => url.pathname === `${LOG}/www.xn--bcher-kva.example`);
    await page.getByText('Nothing is listed for www.xn--bcher-kva.example').waitFor();
    expect(await page.locator('.command code').textContent()).toBe(
      'touchstone log monitor --domain www.xn--bcher-kva.example http://certificates.example',
    );
    await expectSound(opened);
    await page.goto(new URL(`${LOG}/Shop.example`, page.url()).href);
    await page.locator('[data-code=no_host]').waitFor();
    opened.forgive();
    await expectSound(opened);
    // the field has what the address said
    await page.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL((url) => url.pathname === `${LOG}/shop.example`);
    await page.locator('.log-entries li').first().waitFor();
    await opened.close();
  });

  it('names products and pages to the signed-in merchant who has proven the host, who gets there from the console, and then to nobody', async () => {
    const opened = await at.signIn(key, `/console/stores/${shop.id}/settings`);
    const { page } = opened;
    await settled(page);
    await page.getByRole('link', { name: 'What was issued for shop.example' }).click();
    const oldest = page.locator('.log-entries li').last();
    await oldest.waitFor();
    expect(await page.locator('[data-names=open]').count()).toBe(1);
    expect(await oldest.textContent()).toContain(NAME);
    expect(await oldest.locator('a[href="http://shop.example/products/cup"]').count()).toBe(1);
    expect(await oldest.locator(`a[href$="/products/${ids[0]}/certificate"]`).count()).toBe(1);
    expect(await page.evaluate('globalThis.ran')).toBeUndefined();
    await expectSound(opened);
    await oldest.locator(`a[href$="/products/${ids[0]}/certificate"]`).click();
    await page.getByRole('link', { name: 'When certificates for shop.example were issued' }).click();
    await oldest.waitFor();
    // a host that somebody else has proven: signed in, and nothing there is theirs
    const others = await at.scene.store('other.example');
    await at.scene.certificate((await others.product('jar')).id);
    await page.goto(new URL(`${LOG}/other.example`, page.url()).href);
    await oldest.waitFor();
    await page.locator('[data-names=notYours]', { hasText: 'You are signed in' }).waitFor();
    expect(await page.getByText('Sign in to the console').count()).toBe(0);
    expect(await oldest.textContent()).not.toContain('jar');
    await expectSound(opened);
    await page.goto(new URL(`${LOG}/shop.example`, page.url()).href);
    await oldest.waitFor();
    await page.context().clearCookies();
    await page.reload();
    await oldest.waitFor();
    expect(await oldest.textContent()).not.toContain('Cup');
    await opened.close();
  });
});
