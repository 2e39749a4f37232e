import { OPERATIONS } from '@touchstone/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scene } from '../kit/service.ts';
import {
  axeFindings,
  expectSound,
  NO_BROWSER,
  overflowsSideways,
  PATIENCE,
  type TestBrowser,
  tabTo,
  VIEWS,
} from './support/browser.ts';
import { type ConsoleScene, openConsole, settled } from './support/console.ts';
import { strangeStrings } from './support/hostile-strings.ts';
import { htmlWith } from './support/product-page.ts';

const feedOf = (host: string) =>
  `<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel>${['cup', 'pot']
    .map(
      (name) =>
        `<item><g:id>${name}</g:id><g:title>The ${name}</g:title><g:link>http://${host}/products/${name}</g:link><g:price>9 EUR</g:price></item>`,
    )
    .join('')}</channel></rss>`;

const ADDRESS = `/"><svg onload=alert(1)>/${'long'.repeat(60)}?a='"><img src=x onerror=alert(1)>`;

describe.skipIf(NO_BROWSER !== null)('the console', () => {
  let console: ConsoleScene;
  let scene: Scene;
  let browser: TestBrowser;
  beforeAll(async () => {
    console = await openConsole();
    ({ scene, browser } = console);
  });
  afterAll(() => console?.close());

  const operatorKey = () => console.operatorKey;
  const newMerchant = (name: string) => console.merchant(name);
  const signIn: ConsoleScene['signIn'] = (...given) => console.signIn(...given);

  it('cannot be framed by another site, and neither can any other page', async () => {
    const shop = `http://127.0.0.1:${scene.shop.port}`;
    // every operation with a page for browsers, whatever it is about
    const places = OPERATIONS.filter(
      ({ id, page, replies }) =>
        // a service at this address has no name in UCP, and answers that one with a problem
        id !== 'ucpSpecification' &&
        (page === true || replies[200]?.mediaType?.startsWith('text/html') === true),
    ).map(({ path }) => path.replace(/\{\w+\}/g, 'x'));
    expect(places).toEqual(expect.arrayContaining(['/', '/check', '/verify', '/console', '/docs']));
    const addresses = [...places.map((place) => new URL(place, scene.service.url).href), `${shop}/own`];
    scene.shop.put(`${shop}/own`, '<!doctype html><title>Own</title>');
    scene.shop.put(`${shop}/frames`, addresses.map((src) => `<iframe src="${src}"></iframe>`).join(''));
    const opened = await browser.open(`${shop}/frames`);
    const { page } = opened;
    const shown = page.frames().filter((frame) => frame !== page.mainFrame());
    expect(shown.map((frame) => frame.url())).toEqual([
      ...places.map(() => 'chrome-error://chromewebdata/'),
      `${shop}/own`,
    ]);
    expect(opened.faults.filter((fault) => fault.includes('frame-ancestors'))).toHaveLength(places.length);
    await opened.close();
  });

  it.concurrent.for(VIEWS)(
    'on a $size, $scheme: asks for a key, logs no error if nobody is signed in, says if one is wrong, and keeps none in the page',
    { timeout: PATIENCE },
    async ({ size, scheme }) => {
      const opened = await browser.open('/console', { size, scheme });
      const { page } = opened;
      await page.locator('input[type=password]').waitFor();
      await expectSound(opened);
      await page.locator('input[type=password]').fill('no such key');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').waitFor();
      expect(await page.getByRole('alert').textContent()).toContain('opens nothing');
      opened.forgive();
      await expectSound(opened);
      await page.locator('input[type=password]').fill(operatorKey());
      await page.keyboard.press('Enter');
      await page.locator('.side').waitFor({ state: 'attached' });
      const kept = await page.evaluate(() => [
        document.documentElement.outerHTML,
        document.cookie,
        JSON.stringify({ ...localStorage, ...sessionStorage }),
      ]);
      for (const text of kept) expect(text).not.toContain(operatorKey());
      await settled(page);
      await expectSound(opened);
      await opened.close();
    },
  );

  it.concurrent.for(VIEWS)(
    'on a $size, $scheme: takes a merchant with the keyboard from nothing to a page that is verified',
    { timeout: PATIENCE },
    async ({ size, scheme, host }) => {
      const { key } = await newMerchant(`Potter at ${host}`);
      const opened = await signIn(key, '/console', { size, scheme });
      const { page } = opened;
      await settled(page);
      await expectSound(opened);
      await tabTo(page, 'a.primary[href$="/stores/new"]');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Add a store' }).waitFor();
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
      await tabTo(page, 'input[inputmode=url]');
      await page.keyboard.type(`http://${host}`);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Prove the domain' }).waitFor();
      await settled(page);
      await expectSound(opened);

      // all three methods are shown; no proof is there yet
      expect(await page.locator('.ways > li').count()).toBe(3);
      await tabTo(page, '.domain .actions button');
      await page.keyboard.press('Enter');
      await page.locator('.findings').waitFor();
      expect(await page.locator('.findings .state[data-standing=off]').count()).toBe(3);
      await expectSound(opened);
      const challenge = (await page.locator('.ways code').nth(1).textContent()) ?? '';
      scene.shop.put(`http://${host}/.well-known/touchstone-challenge`, (_, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' }).end(challenge);
      });
      // it polls by itself, too, in case the service is slow to see it
      await tabTo(page, '.domain .actions input');
      await page.keyboard.press('Space');
      await tabTo(page, '.domain .actions button', 200);
      await page.keyboard.press('Enter');
      await page.locator('.notice[data-tone=good]').waitFor();

      // from the shop, with its progress
      scene.shop.put(`http://${host}/feed.xml`, (_, response) => {
        response.writeHead(200, { 'content-type': 'application/xml' }).end(feedOf(host));
      });
      await tabTo(page, '.onward a');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Import products' }).waitFor();
      await tabTo(page, 'input[inputmode=url]');
      await page.keyboard.press('Control+a');
      await page.keyboard.type(`http://${host}/feed.xml`);
      await page.keyboard.press('Enter');
      await page.getByText('2 products imported').first().waitFor();
      await expectSound(opened);

      await tabTo(page, '.steps a[href$="step=images"]', 200);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Images', level: 2 }).waitFor();
      await settled(page);
      await expectSound(opened);

      await tabTo(page, '.onward a');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Put certificates on pages', level: 2 }).waitFor();
      await expectSound(opened);
      const { products } = (await scene.operate('GET', `/stores/${page.url().split('/')[5]}/products`)) as {
        products: { id: string; url: string; name: string }[];
      };
      const [product] = products;
      const certificate = await scene.certificate(product?.id ?? '');
      scene.shop.put(product?.url ?? '', htmlWith(certificate).replaceAll('The cup', product?.name ?? ''));

      await tabTo(page, '.onward a');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Check a page', level: 2 }).waitFor();
      await settled(page);
      // one of the products can be checked, after the import
      await page.waitForFunction(
        (url) => document.querySelector<HTMLInputElement>('input[inputmode=url]')?.value === url,
        product?.url,
      );
      await tabTo(page, 'input[inputmode=url]');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: /^Issued to / }).waitFor();
      // where no automatic check will mark the last steps as done, they are not left open without a word
      await page.getByText('there is nothing more to do').waitFor();
      await expectSound(opened);
      await page.goto(page.url().replace(/\/guide.*/, ''));
      await settled(page);
      expect(await page.getByText('The setup is not finished.').count()).toBe(0);
      await expectSound(opened);
      await opened.close();
    },
  );

  it.concurrent.for(VIEWS)(
    'on a $size, $scheme: imports a catalogue from a file, and says why rows were not imported',
    { timeout: PATIENCE },
    async ({ size, scheme }) => {
      const merchant = await newMerchant('Weaver');
      const store = await scene.operate('POST', '/stores', {
        merchantId: merchant.id,
        name: 'Weaver',
        url: 'http://other.example',
      });
      const opened = await signIn(merchant.key, `/console/stores/${store.id}/guide?step=products`, {
        size,
        scheme,
      });
      const { page } = opened;
      await page.getByLabel('From a file').check();
      const rows = [
        { externalProductId: 'rug', url: 'http://other.example/rug', name: 'Rug' },
        { externalProductId: 'bad', url: 'http://other.example/bad', name: 'x'.repeat(400) },
      ];
      await page.locator('input[type=file]').setInputFiles({
        name: 'rows.json',
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify(rows)),
      });
      await page.getByRole('button', { name: 'Import' }).click();
      await page.getByText('1 product imported').first().waitFor();
      await page.getByText('1 row was not imported').waitFor();
      await expectSound(opened);
      await opened.close();
    },
  );

  it.concurrent.for(VIEWS)(
    'on a $size, $scheme: allows signing in again during work, and loses nothing that was entered',
    { timeout: PATIENCE },
    async ({ size, scheme }) => {
      const merchant = await newMerchant('Smith');
      const opened = await signIn(merchant.key, '/console/stores/new', { size, scheme });
      const { page } = opened;
      await page.locator('input[inputmode=url]').fill('http://crowd.example');
      await page.context().clearCookies();
      await page.getByRole('button', { name: 'Add the store' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await dialog.locator('input[type=password]').fill(merchant.key);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Set up crowd.example' }).waitFor();
      await opened.close();
    },
  );

  it.concurrent.for(VIEWS)(
    'on a $size, $scheme: finds, filters and hides many products, and undoes it',
    { timeout: PATIENCE },
    async ({ size, scheme }) => {
      const merchant = await newMerchant('Bookbinder');
      const store = await scene.operate('POST', '/stores', {
        merchantId: merchant.id,
        name: 'Bookbinder',
        url: 'http://unproven.example',
      });
      const rows = Array.from({ length: 60 }, (_, index) => ({
        externalProductId: `b${index}`,
        url: `http://unproven.example/${index}`,
        name: index === 7 ? 'Blue notebook' : `Book ${index}`,
      }));
      await scene.operate('PUT', `/stores/${store.id}/products`, rows);
      const opened = await signIn(merchant.key, `/console/stores/${store.id}/products`, { size, scheme });
      const { page } = opened;
      await page.getByText('50 products on this page').waitFor();
      await page.getByLabel('Select all on this page').check();
      await page.getByRole('button', { name: 'Select all that match' }).click();
      await page.getByRole('button', { name: 'Hide', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Hide' }).click();
      await page.getByText('60 products were hidden.').first().waitFor();
      await page.locator('.filter a', { hasText: 'Hidden' }).waitFor();
      await expectSound(opened);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('60 products are as they were before.').first().waitFor();
      const counts = await scene.operate('GET', `/stores/${store.id}/products/counts`);
      expect(counts).toMatchObject({ states: { hidden: 0 } });
      await page.getByRole('searchbox').fill('blue');
      await page.keyboard.press('Enter');
      await page.getByText('1 product on this page').waitFor();
      expect(new URL(page.url()).search).toBe('?text=blue');
      await page.goBack();
      await page.getByText('50 products on this page').waitFor();
      await expectSound(opened);
      await opened.close();
    },
  );

  it('says when the challenge of a proven host is missing, and until when the proof counts', async () => {
    const host = 'unproven.example';
    const { id: merchantId, key } = await newMerchant('Forgetful');
    const made = await scene.operate('POST', '/stores', { merchantId, name: 'Shop', url: `http://${host}` });
    const [{ challenge }] = made.domains as [{ challenge: string }];
    const file = `http://${host}/.well-known/touchstone-challenge`;
    scene.shop.put(file, challenge);
    await scene.operate('POST', `/stores/${made.id}/domains/${host}/verify`);
    scene.shop.put(file, 'another line');
    await scene.operate('POST', `/stores/${made.id}/domains/${host}/verify`);
    const opened = await signIn(key, `/console/stores/${made.id}/settings`, { size: 'phone' });
    const { page } = opened;
    await page.getByText('Challenge missing').waitFor();
    await page.getByText(`Checks of ${host}`).click();
    await page.locator('details li', { hasText: ': not found' }).waitFor();
    await expectSound(opened);
    await page.getByRole('link', { name: 'Prove it' }).click();
    await page.locator('.notice[data-tone=bad]', { hasText: 'then the proof ends' }).waitFor();
    scene.shop.put(file, challenge);
    await page.locator('.domain .actions button').click();
    await page.locator('.notice[data-tone=good]').waitFor();
    await expectSound(opened);
    await opened.close();
  });

  it('has prices signed, and no longer, by the settings of a store', async () => {
    const { id: merchantId, key } = await newMerchant('Priced');
    const made = await scene.operate('POST', '/stores', {
      merchantId,
      name: 'Shop',
      url: 'http://unproven.example/priced',
    });
    const isSigned = async () => (await scene.operate('GET', `/stores/${made.id}`)).signPrices;
    const opened = await signIn(key, `/console/stores/${made.id}/settings`, { size: 'phone' });
    const box = opened.page.getByRole('checkbox', { name: 'Sign the prices of products' });
    await box.check();
    await expect.poll(isSigned).toBe(true);
    await expectSound(opened);
    await box.uncheck();
    await expect.poll(isSigned).toBe(false);
    await opened.close();
  });

  it('shows nothing of another merchant, whatever the URL', async () => {
    const [own, other] = [await newMerchant('Own'), await newMerchant('Other')];
    const store = await scene.operate('POST', '/stores', {
      merchantId: other.id,
      name: 'Secret shop',
      url: 'http://copy.example',
    });
    const places = ['', '/guide', '/products', '/images', '/pages', '/copies', '/settings'].map(
      (end) => `/console/stores/${store.id}${end}`,
    );
    const opened = await signIn(own.key, places[0]);
    const { page } = opened;
    for (const place of [
      ...places,
      `/console/keys?merchant=${other.id}`,
      '/console/operator',
      `/console/operator/merchants/${other.id}`,
    ]) {
      await page.goto(new URL(place, scene.service.url).href);
      await page.locator('h1').first().waitFor();
      await page.locator('.waiting').first().waitFor({ state: 'detached' });
      const text = await page.locator('main').innerText();
      expect([place, text.includes('Secret shop'), text.includes('copy.example')]).toEqual([
        place,
        false,
        false,
      ]);
    }
    await opened.close();
  });

  it.concurrent.for(VIEWS)(
    'on a $size, $scheme: lets the operator create a merchant and its key, change its plan, pause it and monitor the service',
    { timeout: PATIENCE },
    async ({ size, scheme }) => {
      const opened = await signIn(operatorKey(), '/console/operator/merchants', {
        size,
        scheme,
      });
      const { page } = opened;
      await settled(page);
      await page.getByLabel('Name').fill(`Glazier ${size} ${scheme}`);
      await page.getByLabel('Seats of the plan').fill('12');
      await page.getByRole('button', { name: 'Add a merchant' }).click();
      await page.getByRole('heading', { name: `Glazier ${size} ${scheme}` }).waitFor();
      await page.getByText('0 of 12 seats taken').first().waitFor();
      await page.getByLabel('Seats of the plan').fill('20');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('0 of 20 seats taken').first().waitFor();
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
      await page.getByRole('button', { name: 'End the pause' }).waitFor();
      await expectSound(opened);
      await page.getByRole('link', { name: 'Its API keys' }).click();
      await page.getByRole('button', { name: 'Create a key' }).click();
      const dialog = page.getByRole('dialog');
      const key = (await dialog.locator('code').textContent()) ?? '';
      expect(await axeFindings(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'I have copied it' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await page.content()).not.toContain(key);
      for (const place of ['/operator', '/operator/signing-keys', '/operator/hosts']) {
        await page.goto(new URL(`/console${place}`, scene.service.url).href);
        await settled(page);
        await expectSound(opened);
      }
      await opened.close();
    },
  );

  it('lets the operator find the merchant of a new store among thousands, with the keyboard', async () => {
    await scene.service.database.query(
      `insert into merchants (id, name, plan_capacity)
       select gen_random_uuid(), case n when 2345 then 'Glassworks <b>Söhne</b>' else 'Crowd ' || n end, 1
       from generate_series(1, 3000) n`,
    );
    const opened = await signIn(operatorKey(), '/console/stores/new', { size: 'phone' });
    const { page } = opened;
    await settled(page);
    await page.getByText('More merchants match').waitFor();
    expect(await page.getByRole('radio').count()).toBeLessThan(10);
    await expectSound(opened);
    // nothing is sent before a merchant is selected
    await page.getByLabel('Address of the shop').fill('http://crowd.example');
    await page.keyboard.press('Enter');
    await page.getByText('Choose a merchant.').waitFor();
    await page.getByLabel('Find a merchant').fill('nobody of this name');
    await page.getByText('No merchant has these words in its name.').waitFor();
    await expectSound(opened);
    await page.getByLabel('Find a merchant').fill('söh glass');
    await page.getByRole('radio', { name: 'Glassworks <b>Söhne</b>' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    // the selected merchant stays, whatever is searched
    await page.getByLabel('Find a merchant').fill('crowd 12');
    await page.getByRole('radio', { name: 'Crowd 12', exact: false }).first().waitFor();
    expect(await page.getByRole('radio', { name: 'Glassworks' }).isChecked()).toBe(true);
    await expectSound(opened);
    await page.getByRole('button', { name: 'Add the store' }).click();
    await page.getByRole('heading', { name: 'Set up crowd.example' }).waitFor();
    const storeId = page.url().split('/')[5];
    const { merchantId } = await scene.operate('GET', `/stores/${storeId}`);
    expect(await scene.operate('GET', `/merchants/${merchantId}`)).toMatchObject({
      name: 'Glassworks <b>Söhne</b>',
    });
    // the same on a page about a merchant without one in its address
    await page.goto(new URL('/console/keys', scene.service.url).href);
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByText('Choose a merchant.').waitFor();
    await page.getByLabel('Find a merchant').fill('söh glass');
    await page.getByRole('radio', { name: 'Glassworks <b>Söhne</b>' }).check();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.waitForURL(`**/console/keys?merchant=${merchantId}`);
    await page.getByRole('link', { name: 'Glassworks <b>Söhne</b>' }).waitFor();
    await expectSound(opened);
    await opened.close();
  });

  it('shows names and URLs with any characters as text', async () => {
    const merchant = await newMerchant('<img src=x onerror=alert(1)>');
    const store = await scene.operate('POST', '/stores', {
      merchantId: merchant.id,
      name: '<script>alert(1)</script>\u202e',
      url: 'http://strange.example',
    });
    // texts that the registry rejects are not names
    const strings = strangeStrings().filter((text) => text.length <= 200 && !text.includes('\0'));
    const rows = strings.slice(0, 200).map((name, index) => ({
      externalProductId: `p${index}`,
      // every tenth address contains as much as its name
      url: `http://strange.example/${index}${index % 10 === 0 ? ADDRESS : ''}`,
      name,
    }));
    for (let at = 0; at < rows.length; at += 50)
      await scene.operate('PUT', `/stores/${store.id}/products`, rows.slice(at, at + 50));
    const opened = await signIn(merchant.key, `/console/stores/${store.id}/products`, { size: 'phone' });
    const { page } = opened;
    const alerts: string[] = [];
    page.on('dialog', (dialog) => {
      alerts.push(dialog.message());
      void dialog.dismiss();
    });
    for (;;) {
      await page.locator('.product-row').first().waitFor();
      expect(await page.locator('main img, main script, main iframe').count()).toBe(0);
      expect(await overflowsSideways(page)).toBe(false);
      const next = page.getByRole('link', { name: 'Next page' });
      if ((await next.count()) === 0) break;
      const before = page.url();
      await next.click();
      await page.waitForURL((url) => url.href !== before);
    }
    const hostile = encodeURIComponent('"><img src=x onerror=alert(1)>');
    const { products } = (await scene.operate('GET', `/stores/${store.id}/products?limit=1`)) as {
      products: { id: string }[];
    };
    for (const place of [
      `/stores/${store.id}`,
      `/stores/${store.id}/products/${products[0]?.id}`,
      `/stores/${store.id}/products?text=${hostile}&state=${hostile}&cursor=${hostile}`,
      `/stores/${hostile}/products/${hostile}`,
      `/webhooks/${hostile}?state=${hostile}`,
      `/keys?merchant=${hostile}`,
      `/${hostile}#${hostile}`,
    ]) {
      await page.goto(new URL(`/console${place}`, scene.service.url).href);
      await settled(page);
      expect([place, await page.locator('main img, main script, main iframe').count()]).toEqual([place, 0]);
      expect([place, await overflowsSideways(page)]).toEqual([place, false]);
    }
    // an unknown id is reported as such, and the browser logs the error, too
    opened.forgive();
    expect(alerts).toEqual([]);
    opened.expectClean();
    await opened.close();
  });
});
