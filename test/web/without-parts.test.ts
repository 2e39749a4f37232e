import { describe, expect, it } from 'vitest';
import { openScene } from '../kit/service.ts';
import { expectSound, NO_BROWSER, openBrowser, PATIENCE } from './support/browser.ts';
import { openConsole, settled } from './support/console.ts';

const PARTS = ['copies', 'sources', 'shopify', 'nft', 'sweeps', 'transparency-log', 'webhooks'];

describe.skipIf(NO_BROWSER !== null)('what a service shows that runs without parts', () => {
  it('in the console: every page works, asks for nothing that is absent, and does not link to it', {
    timeout: PATIENCE,
  }, async () => {
    const console = await openConsole({ TOUCHSTONE_WITHOUT: PARTS.join(',') });
    try {
      const { id, key } = await console.merchant('Plain');
      const store = await console.store(id, 'https://shop.example');
      const opened = await console.signIn(key, `/console/stores/${store}`);
      const { page } = opened;
      const refused: string[] = [];
      page.on('response', (response) => {
        if (response.status() === 404) refused.push(response.url());
      });
      const steps = ['products', 'publish', 'pages'].map((step) => `/guide?step=${step}`);
      for (const place of ['', '/products', '/images', '/settings', ...steps]) {
        await page.goto(new URL(`/console/stores/${store}${place}`, page.url()).href);
        await settled(page);
        await expectSound(opened);
        expect([place, await page.locator('.notice.bad, [data-tone=bad]').count()]).toEqual([place, 0]);
        const links = await page
          .locator('a')
          .evaluateAll((all) => all.map((a) => a.getAttribute('href') ?? ''));
        expect(links.filter((href) => /\/(?:webhooks|copies|pages)$|\/log\//.test(href))).toEqual([]);
      }
      expect(refused).toEqual([]);
      await page.goto(new URL('/console/webhooks', page.url()).href);
      await page.getByText('There is no such page').first().waitFor();
      await opened.close();
    } finally {
      await console.close();
    }
  });

  it('on the other pages: no link to a console that it does not have', { timeout: PATIENCE }, async () => {
    const scene = await openScene({ TOUCHSTONE_WITHOUT: 'console' });
    const browser = await openBrowser(scene.service.url);
    try {
      const opened = await browser.open('/check');
      const links = opened.page.locator('header nav a');
      await links.first().waitFor();
      expect(await links.evaluateAll((all) => all.map((a) => a.getAttribute('href')))).toEqual([
        '/',
        '/verify',
      ]);
      await opened.close();
    } finally {
      await browser.close();
      await scene.close();
    }
  });
});
