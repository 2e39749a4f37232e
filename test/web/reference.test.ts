import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openScene, type Scene } from '../kit/service.ts';
import { NO_BROWSER, openBrowser, overflowsSideways, type TestBrowser } from './support/browser.ts';

describe.skipIf(NO_BROWSER !== null)('the API reference', () => {
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

  it.each(['phone', 'desktop'] as const)(
    'on a %s: shows the operations, sends no other request, and logs no error',
    async (size) => {
      const opened = await browser.open('/docs', { size });
      const { page } = opened;
      await page.getByRole('heading', { level: 1, name: 'Touchstone' }).waitFor();
      await page.getByText('Get a product certificate').first().waitFor({ state: 'attached' });
      expect(await overflowsSideways(page)).toBe(false);
      opened.expectClean();
      await opened.close();
    },
  );

  it('without JavaScript: links to the same as a file', async () => {
    const opened = await browser.open('/docs', { context: { javaScriptEnabled: false } });
    expect(await opened.page.getByRole('link', { name: 'openapi.json' }).getAttribute('href')).toBe(
      '/api/v1/openapi.json',
    );
    await opened.close();
  });
});
