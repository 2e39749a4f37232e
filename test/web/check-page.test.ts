import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openScene, type Scene, type SceneProduct } from '../support/service.ts';
import {
  axeFindings,
  NO_BROWSER,
  openBrowser,
  overflowsSideways,
  type TestBrowser,
  tabTo,
} from './support/browser.ts';
import { htmlWith } from './support/product-page.ts';

describe.skipIf(NO_BROWSER !== null)('the check page', () => {
  let scene: Scene;
  let browser: TestBrowser;
  let cup: SceneProduct;

  beforeAll(async () => {
    scene = await openScene();
    browser = await openBrowser(scene.service.url);
    const store = await scene.store('shop.example');
    cup = await store.product('cup');
    scene.shop.put(cup.url, (_, response) => {
      void scene.certificate(cup.id).then((document) => response.end(htmlWith(document)));
    });
  });
  afterAll(async () => {
    await browser?.close();
    await scene?.close();
  });

  it.each(['phone', 'desktop'] as const)(
    'says on a %s for whom a page was certified, before anything else',
    async (size) => {
      const { page, expectClean, close } = await browser.open('/', { size });
      await tabTo(page, '#url');
      await page.keyboard.type(cup.url);
      await page.keyboard.press('Enter');
      const verdict = page.locator('[data-verdict=verified] h1');
      await verdict.waitFor();
      expect(await verdict.textContent()).toBe('Issued for this shop and this page.');
      const box = await verdict.boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(page.viewportSize()?.height ?? 0);
      expect(page.url()).toContain(`/check?url=${encodeURIComponent(cup.url)}`);
      expect(await axeFindings(page)).toEqual([]);
      expect(await overflowsSideways(page)).toBe(false);
      expectClean();
      await close();
    },
  );
});
