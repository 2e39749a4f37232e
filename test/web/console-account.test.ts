import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectSound, NO_BROWSER, PATIENCE, VIEWS } from './support/browser.ts';
import { type ConsoleScene, openConsole, settled } from './support/console.ts';

describe.skipIf(NO_BROWSER !== null)('what a merchant manages in the console', () => {
  let at: ConsoleScene;
  beforeAll(async () => {
    at = await openConsole({ TOUCHSTONE_WEBHOOK_HTTP: 'true' });
  });
  afterAll(() => at?.close());

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

  it.concurrent.for(VIEWS)(
    'on a $size, $scheme: adds a webhook, shows its secret once, and shows the results of deliveries',
    { timeout: PATIENCE },
    async ({ size, scheme, host }, context) => {
      const { key } = await at.merchant('Hooks');
      const hook = `http://${host}/hook`;
      const deliveries = () => at.scene.shop.asked.filter((one) => one === `${host}/hook`).length;
      let status = 204;
      at.scene.shop.put(hook, (_, response) => {
        response.writeHead(status).end();
      });
      const opened = await at.signIn(key, '/console/webhooks', { size, scheme });
      const { page } = opened;
      await settled(page);
      await said(page, 'No webhook yet');
      await expectSound(opened);
      await button(page, 'Add a webhook').click();
      await button(page, 'Cancel').click();
      await said(page, 'No webhook yet');
      await button(page, 'Add a webhook').click();
      await button(page, 'Add a webhook').click();
      await page.locator('.wrong').waitFor();
      // refused beside the field that is wrong
      await page.getByLabel('Address').fill('ftp://shop.example');
      await page.locator('.wrong', { hasText: 'Enter a web address' }).waitFor();
      await page.getByLabel('Address').fill(hook);
      await page.getByLabel('What it is for').fill('the <b>till</b>');
      await page.getByText('copy.found').click();
      await expectSound(opened);
      await button(page, 'Add a webhook').click();
      const dialog = page.getByRole('dialog');
      const secret = (await dialog.locator('code').textContent()) ?? '';
      expect(secret).toMatch(/^whsec_/);
      await expectSound(opened);
      // it can only be closed by confirming that it was copied
      await page.keyboard.press('Escape');
      expect(await dialog.count()).toBe(1);
      await button(page, 'I have copied it').click();
      await dialog.waitFor({ state: 'detached' });
      expect(await page.content()).not.toContain(secret);
      await page.reload();
      await settled(page);
      expect(await page.content()).not.toContain(secret);

      await page.getByRole('link', { name: hook }).click();
      await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
      await said(page, 'Nothing was delivered yet');
      await expectSound(opened);
      await button(page, 'Send a test').click();
      await page.locator('.rows .state', { hasText: 'Delivered' }).waitFor();
      await page.locator('.filter').getByRole('link', { name: 'Given up' }).click();
      await said(page, 'No delivery is in this state');
      await expectSound(opened);
      await page.locator('.filter').getByRole('link', { name: 'Delivered' }).click();
      await page.waitForURL(/state=delivered/);
      await button(page, 'What was sent').click();
      expect(await dialog.locator('pre').textContent()).toContain('"webhook.test"');
      await expectSound(opened);
      await button(page, 'Close').click();
      status = 500;
      const before = deliveries();
      await button(page, 'Deliver again').click();
      await said(page, 'It is being delivered again.');
      await context.expect.poll(deliveries).toBeGreaterThan(before);
      // why it failed, and what to do
      await page.locator('.filter').getByRole('link', { name: 'All' }).click();
      await said(page, /answered 500/);
      await page.locator('.rows .state', { hasText: 'Given up' }).waitFor();
      await page.locator('.next-step').first().waitFor();
      await expectSound(opened);

      await button(page, 'New secret').click();
      await dialog.getByRole('button', { name: 'New secret' }).click();
      await page.getByRole('dialog', { name: 'Secret of the webhook' }).waitFor();
      const next = (await dialog.locator('code').textContent()) ?? '';
      expect(next).toMatch(/^whsec_/);
      expect(next).not.toBe(secret);
      await button(page, 'I have copied it').click();
      await button(page, 'Pause').click();
      await said(page, 'You paused it.');
      await button(page, 'Resume').waitFor();
      await button(page, 'Delete').click();
      await expectSound(opened);
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await said(page, 'No webhook yet');
      await expectSound(opened);
      await opened.close();
    },
  );

  it.concurrent.for(VIEWS)(
    'on a $size, $scheme: creates a key that is shown once, shows when it was used, and revokes it after confirmation',
    { timeout: PATIENCE },
    async ({ size, scheme }) => {
      const { id, key } = await at.merchant('Keys');
      const opened = await at.signIn(key, '/console/keys', { size, scheme });
      const { page } = opened;
      await settled(page);
      await said(page, 'You are signed in with it');
      // a refusal is no wider than the page
      await page.getByLabel('What it is for').fill('x'.repeat(500));
      await button(page, 'Create a key').click();
      await page.getByRole('alert').getByText('is too long').waitFor();
      opened.forgive();
      await expectSound(opened);
      await page.getByLabel('What it is for').fill('feed');
      await button(page, 'Create a key').click();
      const dialog = page.getByRole('dialog');
      const made = (await dialog.locator('code').textContent()) ?? '';
      await expectSound(opened);
      await button(page, 'I have copied it').click();
      const row = page.locator('.row', { hasText: 'feed' });
      await row.getByText('Never used').waitFor();
      expect(await page.content()).not.toContain(made);
      const headers = { authorization: `Bearer ${made}` };
      const listStores = () => at.scene.call('GET', '/api/v1/registry/stores', undefined, headers);
      expect((await listStores()).status).toBe(200);
      await page.reload();
      await settled(page);
      await row.getByText('Last used on').waitFor();
      await expectSound(opened);
      await page.getByRole('button', { name: 'Revoke feed' }).click();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      expect((await listStores()).status).toBe(200);
      await page.getByRole('button', { name: 'Revoke feed' }).click();
      await dialog.getByRole('button', { name: 'Revoke' }).click();
      await row.waitFor({ state: 'detached' });
      expect((await listStores()).status).toBe(401);
      await expectSound(opened);

      // its own key: says so, and signs out
      await page.getByRole('button', { name: 'Revoke console' }).click();
      await dialog.getByText('you are signed out, too').waitFor();
      await dialog.getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('dialog').locator('input[type=password]').waitFor();
      opened.forgive();
      const { key: another } = await at.scene.operate('POST', `/merchants/${id}/api-keys`, { label: 'b' });
      await page.locator('input[type=password]').fill(String(another));
      await page.keyboard.press('Enter');
      await page.locator('.row', { hasText: 'b' }).first().waitFor();
      await page.goto(new URL('/console/activity', at.scene.service.url).href);
      await settled(page);
      for (const text of ['API key created', 'API key revoked', 'Signed in to the console'])
        await page.locator('.row-title', { hasText: text }).first().waitFor();
      // which key was revoked, not with which key
      const revoked = page.locator('.row', { hasText: 'API key revoked' }).filter({ hasText: 'feed' });
      expect(await revoked.locator('.row-detail').textContent()).toBe('feed');
      await expectSound(opened);
      await opened.close();
    },
  );

  it.concurrent.for(VIEWS)(
    'on a $size, $scheme: changes a store, its domains and its schedule, and deletes it when its name is entered',
    { timeout: PATIENCE },
    async ({ size, scheme }, context) => {
      const { id, key } = await at.merchant('Settler');
      const storeId = await at.store(id, 'http://other.example', 'Old name');
      const source = { url: 'http://other.example/feed.csv', everyHours: 24 };
      await at.scene.operate('PUT', `/stores/${storeId}/source`, source);
      const opened = await at.signIn(key, `/console/stores/${storeId}/settings`, { size, scheme });
      const { page } = opened;
      await settled(page);
      await page.getByLabel('Name of the shop').fill(' ');
      await page.getByLabel('Address of the shop').fill('a shop');
      await button(page, 'Save').click();
      // each beside its own field
      await page.locator('.field', { hasText: 'Name of the shop' }).locator('.wrong').waitFor();
      await page.locator('.field', { hasText: 'Address of the shop' }).locator('.wrong').waitFor();
      await expectSound(opened);
      await page.getByLabel('Address of the shop').fill('http://other.example');
      await page.getByLabel('Name of the shop').fill('New name');
      await page.getByLabel('What it runs on').selectOption('shopify');
      await button(page, 'Save').click();
      await said(page, 'Saved');
      expect(await at.scene.operate('GET', `/stores/${storeId}`)).toMatchObject({
        name: 'New name',
        platform: 'shopify',
      });
      await expectSound(opened);

      await button(page, 'Add a domain').click();
      await page.locator('.wrong').waitFor();
      // as copied from the address bar
      await page.getByLabel('Host name').fill('http://crowd.example/');
      await button(page, 'Add a domain').click();
      await page.locator('.row', { hasText: 'crowd.example' }).getByText('Not proven').waitFor();
      await page.getByLabel('Host name').fill('no host');
      await button(page, 'Add a domain').click();
      await page.getByRole('alert').waitFor();
      // the typed text is still there, to be corrected
      expect(await page.getByLabel('Host name').inputValue()).toBe('no host');
      opened.forgive();
      await expectSound(opened);
      await page.getByRole('button', { name: 'Remove crowd.example' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await page.locator('.row', { hasText: 'crowd.example' }).waitFor({ state: 'detached' });

      await said(page, 'Read every 24 hours');
      await button(page, 'Stop reading it').click();
      await said(page, 'The catalogue is not read on a schedule.');
      await page.getByLabel('Sign images that carry no credentials').check();
      await context.expect
        .poll(() => at.scene.operate('GET', `/stores/${storeId}`))
        .toMatchObject({ signImages: true });
      await expectSound(opened);

      await button(page, 'Delete the store').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name of the store').press('Enter');
      expect(await at.scene.operate('GET', `/stores/${storeId}`)).toMatchObject({ id: storeId });
      await dialog.getByLabel('Name of the store').fill('New name');
      await expectSound(opened);
      await dialog.getByRole('button', { name: 'Delete the store' }).click();
      await page.getByRole('heading', { name: 'Stores', exact: true }).waitFor();
      await said(page, 'No store yet');
      await opened.close();
    },
  );

  it.concurrent.for(VIEWS)(
    'on a $size, $scheme: asks for what connects a Shopify shop, and shows next to it why that is not possible; every way names files that the service has',
    { timeout: PATIENCE },
    async ({ size, scheme }) => {
      const { id, key } = await at.merchant('Shopkeeper');
      const storeId = await at.store(id, 'http://lost.example');
      const opened = await at.signIn(key, `/console/stores/${storeId}/guide?step=publish`, { size, scheme });
      const { page } = opened;
      await settled(page);
      await page.getByLabel('Shopify', { exact: true }).check();
      await button(page, 'Connect the shop').waitFor();
      await expectSound(opened);
      await button(page, 'Connect the shop').click();
      expect(await page.locator('.wrong').count()).toBe(3);
      await page.getByLabel('Permanent name of the shop').fill('shop.example');
      await page.getByLabel('Client ID').fill('app');
      await page.getByLabel('Client secret').fill('secret');
      await button(page, 'Connect the shop').click();
      await page.locator('.wrong', { hasText: 'ends in .myshopify.com' }).waitFor();
      await page.getByLabel('Permanent name of the shop').fill('https://some-shop.myshopify.com/admin');
      await page.route('**/shopify', (route) =>
        route.fulfill({
          status: 422,
          json: { status: 422, code: 'shopify_refused', detail: route.request().postDataJSON().shop },
        }),
      );
      await button(page, 'Connect the shop').click();
      await page.getByRole('alert').getByText('some-shop.myshopify.com', { exact: true }).waitFor();
      await page.unroute('**/shopify');
      opened.forgive();
      expect(await page.getByLabel('Client secret').inputValue()).toBe('secret');
      await expectSound(opened);
      for (const way of ['WooCommerce', 'CDN (at the edge)', 'Static site', 'Your own server']) {
        await page.getByLabel(way, { exact: true }).check();
        await page.locator('.instructions li').first().waitFor();
        const named = (await page.locator('.instructions').innerHTML()).match(/\/downloads\/[\w.-]+/g) ?? [];
        expect([way, named.length > 0]).toEqual([way, true]);
        for (const file of named)
          expect([file, (await page.request.head(new URL(file, page.url()).href)).status()]).toEqual([
            file,
            200,
          ]);
      }
      await expectSound(opened);
      await opened.close();
    },
  );

  it('shows refusals of the service next to the input, and keeps what was entered', async () => {
    const { id, key } = await at.merchant('Refused');
    const storeId = await at.store(id, 'http://unproven.example');
    const opened = await at.signIn(key, '/console/stores/new', { size: 'phone' });
    const { page } = opened;
    await settled(page);
    const refusals = [
      [403, 'forbidden', 'Only an operator key may do this.'],
      [409, 'conflict', 'There is one already.'],
      [429, 'rate_limited', 'Too many calls.'],
      [503, 'database_unavailable', 'The database does not answer.'],
    ] as const;
    for (const [status, code, detail] of refusals) {
      await page.route('**/api/v1/registry/stores', (route) =>
        route.fulfill({
          status,
          headers: { 'content-type': 'application/problem+json', 'retry-after': '90' },
          body: JSON.stringify({ status, code, detail, requestId: `request-${status}` }),
        }),
      );
      await page.locator('input[inputmode=url]').fill('http://crowd.example');
      await button(page, 'Add the store').click();
      await page.getByRole('alert').getByText(detail).waitFor();
      await page.getByRole('alert').getByText(`request-${status}`).waitFor();
      await page.getByRole('alert').getByText('90 seconds').waitFor();
      expect(await page.locator('input[inputmode=url]').inputValue()).toBe('http://crowd.example');
      opened.forgive();
      await expectSound(opened);
      await page.unroute('**/api/v1/registry/stores');
    }
    // what it finds wrong with each field, in the user's words
    await page.route('**/api/v1/registry/stores', (route) =>
      route.fulfill({
        status: 422,
        json: {
          detail: [
            {
              loc: ['body', 'name'],
              msg: 'String should have at most 300 characters',
              type: 'string_too_long',
            },
            { loc: ['body', 'url'], msg: 'Input should be another', type: 'value_error' },
          ],
        },
      }),
    );
    await button(page, 'Add the store').click();
    await page.getByRole('listitem').getByText('The text of name is too long.').waitFor();
    await page.getByRole('listitem').getByText('url: Input should be another').waitFor();
    opened.forgive();
    await expectSound(opened);
    await page.unroute('**/api/v1/registry/stores');
    // an unreachable service is reported, retried, and used again
    await page.context().setOffline(true);
    await button(page, 'Add the store').click();
    await page.locator('.connection[data-state=lost]').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: 'Set up crowd.example' }).waitFor();
    opened.forgive();

    await page.goto(new URL(`/console/stores/${storeId}/products/${storeId}`, at.scene.service.url).href);
    await page.getByRole('alert').waitFor();
    opened.forgive();
    await expectSound(opened);
    await page.goto(new URL('/console/operator', at.scene.service.url).href);
    await page.getByRole('alert').waitFor();
    opened.forgive();
    await expectSound(opened);
    await opened.close();
  });

  it('repeats no error in English that it says in the user’s language, unless there is more to it', async () => {
    const { key } = await at.merchant('Tendero');
    const opened = await at.signIn(key, '/console/stores/new?lang=es', { size: 'phone' });
    const { page } = opened;
    await settled(page);
    await page.locator('input[inputmode=url]').fill('http://crowd.example');
    const english = page.getByRole('alert').locator('[lang=en]');
    // one that says more is shown, too, so that the sentences are loaded when the general one comes
    for (const [detail, shown] of [
      ['There is one already.', ['There is one already.']],
      ['The request conflicts with the current state.', []],
    ] as const) {
      await page.route('**/api/v1/registry/stores', (route) =>
        route.fulfill({ status: 409, json: { status: 409, code: 'conflict', detail } }),
      );
      await button(page, 'Añadir la tienda').click();
      await page.getByRole('alert').getByText('La petición entra en conflicto').waitFor();
      for (const text of shown) await english.getByText(text).waitFor();
      await page.waitForLoadState('networkidle');
      expect(await english.allTextContents()).toEqual(shown);
      opened.forgive();
      await expectSound(opened);
      await page.unroute('**/api/v1/registry/stores');
    }
    await opened.close();
  });
});
