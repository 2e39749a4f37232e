import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, it } from 'vitest';
import { type ImageScene, openImageScene } from '../support/image-scene.ts';
import { picture } from '../support/pictures.ts';
import { axeFindings, openBrowser, overflowsSideways, type TestBrowser } from './support/browser.ts';
import { htmlWith } from './support/product-page.ts';

let images: ImageScene;
let browser: TestBrowser;
beforeAll(async () => {
  images = await openImageScene();
  browser = await openBrowser(images.scene.service.url);
});
afterAll(async () => { await browser?.close(); await images?.close(); });

it('tour', async () => {
  await images.askForSignatures(true);
  const bytes = Buffer.from(await picture('cup'));
  const made = await images.productWith('cup', bytes);
  const cert = await images.scene.certificate(made.id);
  const asset = await images.asset(made.imageId);
  writeFileSync('/tmp/cert/cert.json', JSON.stringify(cert, null, 1));
  writeFileSync('/tmp/cert/asset.json', JSON.stringify(asset, null, 1));
  const wait = async (page: any, f: string) => page.waitForFunction(f, null, { timeout: 20000 }).catch(() => console.log('timeout', f));
  const shot = async (name: string, path: string, steps?: (page: any) => Promise<void>) => {
    for (const [size, scheme, locale] of [['phone', 'light', 'en-GB'], ['desktop', 'dark', 'es-ES']] as const) {
      const open = await browser.open(path, { size, scheme, locale });
      await open.page.waitForSelector('main h1');
      if (steps) await steps(open.page);
      await open.page.waitForTimeout(300);
      await open.page.screenshot({ path: `/tmp/cert/${name}-${size}.png`, fullPage: true });
      const axe = await axeFindings(open.page);
      const wide = await overflowsSideways(open.page);
      if (axe.length || wide || open.faults.length || open.foreign.length) console.log(name, size, JSON.stringify({ axe, wide, faults: open.faults, foreign: open.foreign }, null, 1));
      await open.close();
    }
  };
  await shot('product', `/api/v1/mc4p/products/${made.id}/certificate`, async (page) => {
    await page.locator('.verify-here button').click();
    await page.locator('.verify-here .steps, .verify-here .notice').waitFor();
  });
  await shot('asset', `/api/v1/mc4p/assets/${made.imageId}/certificate`);
  await shot('image', `/api/v1/mc4p/${made.imageId}/certificate?full=true`);
  await shot('minimal', `/api/v1/mc4p/${made.imageId}/certificate`);
  await shot('gone', `/api/v1/mc4p/products/3f0b54ec-6a0c-4d43-a2ee-ae49e0c8a0a6/certificate`);
  await shot('malformed', `/api/v1/mc4p/products/3f0b/certificate`);
  await shot('verify', '/verify', async (page) => wait(page, "document.querySelector('.offline').dataset.page === 'ready'"));
  await shot('verify-doc', '/verify', async (page) => {
    await page.locator('#paste').fill(JSON.stringify(cert));
    await wait(page, "document.querySelector('.verify-page').dataset.outcome === 'judged'");
  });
  await shot('verify-ok', '/verify', async (page) => {
    await page.locator('#paste').fill(JSON.stringify(cert));
    await page.locator('#page-url').fill(String(cert.url));
    await page.locator('[data-verdict=verified]').waitFor();
  });
  await shot('verify-bad', '/verify', async (page) => {
    await page.locator('#paste').fill(JSON.stringify(cert));
    await page.locator('#page-url').fill('https://copy.example/cup');
    await page.locator('[data-verdict=untrusted]').waitFor();
  });
  await shot('verify-page', '/verify', async (page) => {
    await page.locator('#paste').fill(htmlWith(cert));
    await page.locator('#page-url').fill(String(cert.url));
    await page.locator('.facts').waitFor();
  });
  const file = await (await fetch(images.scene.service.url + `/api/v1/mc4p/blobs/${(asset as any)['svc:contentCredentials'].hashes.uhash}.${String(asset.encodingFormat).split('/')[1]?.replace('jpeg', 'jpg')}`)).arrayBuffer();
  await shot('verify-image', '/verify', async (page) => {
    await page.locator('#paste').fill(JSON.stringify(asset));
    await page.locator('#page-url').fill(String(cert.url));
    await page.locator('input[type=file]').setInputFiles({ name: 'cup.png', mimeType: 'image/png', buffer: Buffer.from(file) });
    await wait(page, "document.querySelector('.verify-page').dataset.picture === 'read' || document.querySelector('.verify-page').dataset.picture === 'failed'");
    await page.waitForTimeout(1500);
  });
  await images.scene.operate('PATCH', `/products/${made.id}`, { visible: false });
  await shot('identity', `/api/v1/mc4p/products/${made.id}/certificate`);
  await shot('asset-identity', `/api/v1/mc4p/assets/${made.imageId}/certificate`);
});
