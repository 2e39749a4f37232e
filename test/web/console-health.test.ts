import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  axeFindings,
  expectSound,
  NO_BROWSER,
  overflowsSideways,
  PATIENCE,
  shiftOf,
  tabTo,
  VIEWS,
} from './support/browser.ts';
import { type ConsoleScene, openConsole, settled } from './support/console.ts';
import { htmlWith } from './support/product-page.ts';

const SEEN = { since: '2026-03-01T12:00:00.000Z', lastAt: '2026-03-02T12:00:00.000Z', times: 2 };
const DRIFT = [
  { field: 'brand', catalogue: 'Potters Guild', page: 'Rolex', ...SEEN, toldAt: SEEN.lastAt },
  {
    field: 'price',
    catalogue: '24.90 EUR',
    signed: '24.90 EUR',
    page: '31.90 EUR',
    ...SEEN,
    toldAt: SEEN.lastAt,
  },
];

describe.skipIf(NO_BROWSER !== null)('the state of a shop and of the service, in the console', () => {
  let at: ConsoleScene;
  /** One for each host: tests that concern a single product of it run in order. */
  const shops = new Map<string, ReturnType<typeof openShopAt>>();
  const shopAt = (host: string) => {
    const shop = shops.get(host) ?? openShopAt(host);
    shops.set(host, shop);
    return shop;
  };
  beforeAll(async () => {
    at = await openConsole({
      TOUCHSTONE_IMAGE_ATTEMPTS: '1',
      TOUCHSTONE_IMAGE_CONCURRENT: '1',
      TOUCHSTONE_SWEEPS: 'true',
      TOUCHSTONE_WEBHOOK_HTTP: 'true',
      TOUCHSTONE_SWEEP_PER_HOST: '1000',
    });
  });
  afterAll(() => at?.close());

  /** A shop with a certificate on one page, none on another, and a copied one on another page. */
  async function openShopAt(host: string) {
    const store = await at.scene.store(host);
    const made = await at.scene.operate('POST', `/merchants/${store.merchantId}/api-keys`, { label: 'k' });
    const product = await store.product('cup', { name: 'The cup' });
    const certificate = await at.scene.certificate(product.id);
    const plate = await store.product('plate', { images: [] });
    at.scene.shop.put(product.url, htmlWith(certificate));
    at.scene.shop.put(plate.url, htmlWith(null));
    at.scene.shop.put(`http://copy.example/${host}`, htmlWith(certificate));
    return { store, key: String(made.key), product };
  }

  /** Records past days, as the service does; it did not run from the tenth to the sixth day before the last. */
  const passed = (storeId: string, days: number) =>
    at.scene.service.database.query(
      `insert into store_days
       select s.merchant_id, s.id, current_date - (${days} + 1 - n), 1000 + n, n * 10, n * 4, n, 0, 0, 0,
         jsonb_build_object('verified', 40, 'expired', n % 3)
       from stores s, generate_series(1, ${days}) n
       where s.id = $1 and n not between ${days} - 9 and ${days} - 5`,
      [storeId],
    );

  /** Records what a page of the store without a certificate states that differs, as sweeps do. */
  const driftOn = (storeId: string) =>
    at.scene.service.database.query(
      "update sweep_pages set drift = $2, drifted = true where store_id = $1 and result = 'missing'",
      [storeId, JSON.stringify(DRIFT)],
    );

  it.concurrent.for(VIEWS)(
    'on a $size, $scheme: draws coverage, verdicts and renewals over weeks, readable for everybody',
    { timeout: PATIENCE },
    async ({ size, scheme }, context) => {
      const { id } = await at.merchant('Chartist');
      const storeId = await at.store(id, 'http://other.example');
      await at.scene.service.database.query(
        `update certificate_stores set certificates = 1100, issued = 700, renewed = 300, withdrawn = 60 where store_id = $1`,
        [storeId],
      );
      await at.scene.service.database.query(
        `insert into image_counts
         (store_id, at, total, done, failed, waiting, retrying, certified, signed_by_us, not_served, no_image, finished)
         values ($1, '-infinity', 18, 18, 0, 0, 0, 17, 15, 15, 0, 0)`,
        [storeId],
      );
      const { key: own } = await at.scene.operate('POST', `/merchants/${id}/api-keys`, { label: 'k' });
      const opened = await at.signIn(String(own), `/console/stores/${storeId}`, { size, scheme });
      const { page } = opened;
      await settled(page);
      // as on the certificates: what the shop does not serve is not certified
      expect(await page.locator('.figures li', { hasText: 'Images certified' }).textContent()).toBe(
        '2Images certifiedof 18',
      );
      // on the first day there is nothing to draw
      await page.getByText('the first day is drawn tomorrow').waitFor();
      await expectSound(opened);

      await passed(storeId, 60);
      await page.reload();
      await settled(page);
      await page.locator('.chart canvas').nth(2).waitFor();
      expect(await page.locator('.unit').allTextContents()).toEqual([
        'Products and images',
        'Pages',
        'Certificates per day',
      ]);
      // each chart is drawn, and no larger than its container
      const painted = await page.evaluate(() =>
        Array.from(document.querySelectorAll<HTMLCanvasElement>('.chart canvas'), (canvas) => {
          const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
          return pixels.some((value) => value > 0);
        }),
      );
      expect(painted).toEqual([true, true, true]);
      await expectSound(opened);

      // the numbers of a day as text: today, then by keyboard the day before
      const coverage = page.locator('.story').first();
      await coverage.getByText('so far').waitFor();
      await coverage.locator('.legend', { hasText: 'Certificates 1,100' }).waitFor();
      // as many images as the figure above says
      await coverage.locator('.legend', { hasText: 'Certified images 2' }).waitFor();
      await tabTo(page, '.chart-day');
      await page.keyboard.press('ArrowLeft');
      await coverage.locator('.legend', { hasText: 'Certificates 1,060' }).waitFor();
      const slider = coverage.getByRole('slider', { name: 'Day' });
      expect(await slider.getAttribute('aria-valuetext')).toMatch(
        /2\d{3}\. Certificates: 1,060, Certified images: 0$/,
      );
      await page.keyboard.press('Home');
      await coverage.locator('.legend', { hasText: 'Certificates 1,001' }).waitFor();
      // a touch, or the mouse, on the chart itself
      await page
        .locator('.chart .u-over')
        .first()
        .hover({ position: { x: 200, y: 60 } });
      await coverage.locator('.legend', { hasText: 'Certificates 1,001' }).waitFor({ state: 'detached' });

      // the same as a table, starting with the latest day
      await coverage.getByRole('button', { name: 'As a table' }).click();
      expect(await coverage.locator('tbody tr').count()).toBe(56);
      expect(await coverage.locator('tbody tr').nth(1).locator('td').first().textContent()).toBe('1,060');
      await expectSound(opened);

      // fewer days: no layout shift, and a chart of those days
      await page.getByLabel('30 days').check();
      await context.expect.poll(() => coverage.locator('tbody tr').count()).toBe(25);
      await coverage.getByRole('button', { name: 'As a table' }).click();
      await page.locator('.chart canvas').nth(2).waitFor();
      await expectSound(opened);
      // in a right-to-left layout, too
      await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));
      expect(await overflowsSideways(page)).toBe(false);
      expect(await axeFindings(page)).toEqual([]);
      await opened.close();
    },
  );

  it('says for charts without data that there is none, in Spanish too', async () => {
    const { id, key: own } = await at.merchant('Idler');
    const storeId = await at.store(id, 'http://lost.example');
    await at.scene.service.database.query(
      `insert into store_days select merchant_id, id, current_date - n, 0, 0, 0, 0, 0, 0, 0, '{}'
       from stores, generate_series(1, 3) n where id = $1`,
      [storeId],
    );
    const opened = await at.signIn(own, `/console/stores/${storeId}?lang=es`, { scheme: 'dark' });
    const { page } = opened;
    await settled(page);
    await page.getByText('En este periodo ningún producto tuvo certificado.').waitFor();
    await page.getByText('En este periodo no se comprobó ninguna página.').waitFor();
    expect(await page.locator('canvas').count()).toBe(0);
    await expectSound(opened);
    await opened.close();
  });

  it.concurrent.for(VIEWS)(
    'on a $size, $scheme: shows which images failed, why, and what to do, and retries them',
    { timeout: PATIENCE },
    async ({ size, scheme, host }, context) => {
      const { store, key } = await shopAt(host);
      const opened = await at.signIn(key, `/console/stores/${store.id}/images`, { size, scheme });
      const { page } = opened;
      const progress = () => at.scene.operate('GET', `/stores/${store.id}/images/progress`);
      await context.expect.poll(progress).toMatchObject({ failed: 2 });
      await page.reload();
      await settled(page);
      await page
        .locator('.filter')
        .getByRole('link', { name: /Failed/ })
        .click();
      await page.waitForURL(/state=failed/);
      await page.locator('.row').nth(1).waitFor();
      await page.locator('.row .next-step').first().waitFor();
      await page.locator('.row .state', { hasText: 'Failed' }).first().waitFor();
      await expectSound(opened);
      // the page of its product shows the same
      await page.locator('.row-detail a').first().click();
      await page.locator('.row .next-step').first().waitFor();
      await page.locator('.row .state', { hasText: 'Failed' }).first().waitFor();
      // an image that could not be fetched has no certificate to open
      const links = page.locator('.row', { hasText: 'Failed' }).getByRole('link', { name: 'Certificate' });
      expect(await links.count()).toBe(0);
      await expectSound(opened);
      await page.goBack();
      await page.locator('.row').nth(1).waitFor();
      await page.getByRole('button', { name: 'Try again' }).first().click();
      await page.getByText('1 image is tried again.').waitFor();
      await expectSound(opened);
      await opened.close();
      // the operator sees the host, and the reason
      const operator = await at.signIn(at.operatorKey, '/console/operator/hosts', { size, scheme });
      await settled(operator.page);
      await operator.page.locator('.row', { hasText: host }).locator('code').first().waitFor();
      await expectSound(operator);
      await operator.close();
    },
  );

  it.concurrent.for(VIEWS)(
    'on a $size, $scheme: shows the certificates of pages, and where copies were found',
    { timeout: PATIENCE },
    async ({ size, scheme, host }, context) => {
      const { store, key } = await shopAt(host);
      await at.scene.operate('POST', `/stores/${store.id}/sweep`);
      const sweep = () => at.scene.operate('GET', `/stores/${store.id}/sweep`);
      await context.expect.poll(sweep).toMatchObject({ pages: { verified: 1, missing: 1 } });
      await at.scene.checkPage(`http://copy.example/${host}`);
      await context.expect.poll(sweep).toMatchObject({ copies: 1 });
      await at.scene.service.database.query(
        `update copy_hosts set state = 'new', found = found || $2 where store_id = $1`,
        [store.id, { pictures: { lastAt: new Date(), original: host, pictures: 3, of: 4, same: [] } }],
      );
      await at.scene.service.database.query('delete from picture_settings where store_id = $1', [store.id]);
      const opened = await at.signIn(key, `/console/stores/${store.id}/pages`, { size, scheme });
      const { page } = opened;
      await settled(page);
      await page.locator('.row', { hasText: '/products/cup' }).getByText('Certificate in place').waitFor();
      const missing = page.locator('.row', { hasText: '/products/plate' });
      await missing.locator('.next-step').waitFor();
      await expectSound(opened);
      const goTo = async (name: string) => {
        if (size === 'phone') await page.getByRole('button', { name: 'Menu' }).click();
        await page.getByRole('link', { name }).click();
      };
      // values without entries are not offered
      expect(await page.locator('.filter a').count()).toBe(3);
      await driftOn(store.id);
      await page.reload();
      await settled(page);
      await page.getByRole('link', { name: 'Differs from the catalogue' }).click();
      await settled(page);
      const drifted = page.locator('main .rows > li');
      await drifted.getByText('Price: on the page “31.90 EUR”').waitFor();
      expect(await drifted.count()).toBe(1);
      await expectSound(opened);
      await page.getByRole('button', { name: 'Check all pages again now' }).click();
      await page.locator('.announced', { hasText: /./ }).waitFor();
      await goTo('Copies');
      const copy = page.locator('.row', { hasText: 'copy.example' });
      await copy.locator('li', { hasText: '3 of 4 pictures are certified for' }).waitFor();
      await copy.getByText('Text of a notice').click();
      await copy.getByLabel('Hosting company').fill('abuse@host.example');
      await copy.locator('code', { hasText: 'Hosting company: abuse@host.example' }).waitFor();
      await expectSound(opened);
      await copy.locator('select').selectOption('allowed');
      await copy.locator('.state', { hasText: 'May use my pictures' }).waitFor();
      await expectSound(opened);
      await goTo('Settings');
      await page.getByLabel('Name my hosts').waitFor();
      expect(await page.getByLabel('Hosts that may use the pictures').inputValue()).toBe('copy.example');
      expect(await page.getByLabel('Name my hosts').isChecked()).toBe(true);
      await page.getByText(`Statements about ${host}`).click();
      await page.getByLabel('Host of the other shop').fill('other.example');
      await page.getByRole('button', { name: 'State it' }).click();
      await page.getByText('The other merchant has not confirmed it.').waitFor();
      await expectSound(opened);
      await goTo('Overview');
      await page.locator('.figures').waitFor();
      await page.locator('.todo li').first().waitFor();
      await expectSound(opened);
      await opened.close();
    },
  );

  it('splits lists of thousands into pages of fifty, and searches in them', async () => {
    const { id, key: own } = await at.merchant('Wholesaler');
    const storeId = await at.store(id, 'http://crowd.example');
    const { webhookId } = await addThousands(storeId, id);
    const opened = await at.signIn(own, `/console/stores/${storeId}/products`, { size: 'phone' });
    const { page } = opened;
    const elements = () => page.evaluate('document.querySelectorAll("*").length') as Promise<number>;
    const places = [
      [`stores/${storeId}/products`, '4,000', 'Item 1'],
      [`stores/${storeId}/pages`, '4,000', '/items/'],
      [`webhooks/${webhookId}`, '', 'copy.found'],
    ] as const;
    for (const [place, total, words] of places) {
      await page.goto(new URL(`/console/${place}`, at.scene.service.url).href);
      await settled(page);
      const rows = page.locator('main .rows > li');
      await rows.filter({ hasText: words }).first().waitFor();
      if (total !== '') await page.locator('.filter .count').first().getByText(total).waitFor();
      const seen = new Set<string>();
      for (let pages = 0; pages < 3; pages += 1) {
        expect([place, await rows.count()]).toEqual([place, 50]);
        expect(await elements()).toBeLessThan(50 * 40);
        seen.add((await rows.first().innerText()) + (await rows.last().innerText()));
        const before = page.url();
        await page.getByRole('link', { name: 'Next page' }).click();
        await page.waitForURL((url) => url.href !== before);
        await settled(page);
      }
      await page.getByRole('link', { name: 'Back to the first page' }).waitFor();
      expect([place, place.startsWith('webhooks') ? 3 : seen.size]).toEqual([place, 3]);
      await expectSound(opened);
    }
    await page.goto(new URL(`/console/${places[0][0]}`, at.scene.service.url).href);
    await page.getByLabel('Search in').selectOption('externalProductId');
    await page.getByRole('searchbox').fill('i17');
    await page.keyboard.press('Enter');
    await page.getByText('1 product on this page').waitFor();
    await expectSound(opened);
    await opened.close();
  });

  it('moves nothing while its pages load', async () => {
    const { id } = await at.merchant('Watcher');
    const storeId = await at.store(id, 'http://watched.example', 'A shop with a name that takes two lines');
    await passed(storeId, 400);
    const { webhookId, item } = await addThousands(storeId, id);
    const { key: own } = await at.scene.operate('POST', `/merchants/${id}/api-keys`, { label: 'k' });
    const ofStore = ['', '/guide', '/products', '/images', '/pages', '/copies', '/settings'];
    const ofMerchant = [
      '',
      ...ofStore.map((end) => `/stores/${storeId}${end}`),
      `/stores/${storeId}/products/${item}`,
      '/keys',
      '/webhooks',
      `/webhooks/${webhookId}`,
      '/activity',
    ];
    const ofOperator = [
      '',
      '/operator',
      '/operator/merchants',
      `/operator/merchants/${id}`,
      '/operator/hosts',
    ];
    const moved: [string, string, number][] = [];
    for (const [who, size, places] of [
      [String(own), 'phone', ofMerchant],
      [String(own), 'desktop', ofMerchant.slice(1, 6)],
      [at.operatorKey, 'phone', ofOperator],
    ] as const) {
      const { page, close } = await at.signIn(who, '/console', { size });
      for (const place of places) {
        await page.goto(new URL(`/console${place}`, at.scene.service.url).href);
        await settled(page);
        if (place.endsWith(storeId)) await page.locator('.chart canvas').nth(1).waitFor();
        const shift = await shiftOf(page);
        if (shift > 0) moved.push([size, place, shift]);
      }
      await close();
    }
    expect(moved).toEqual([]);
  });

  /** Products, page checks of a sweep, and deliveries to a webhook: 4,000 of each. */
  async function addThousands(
    storeId: string,
    merchantId: string,
  ): Promise<{ readonly webhookId: string; readonly item: string }> {
    const { query } = at.scene.service.database;
    await query(
      `with made as (
       insert into products (id, store_id, merchant_id, external_product_id, name, url, host)
       select gen_random_uuid(), $1, $2, 'i' || n, 'Item ' || n, 'http://crowd.example/items/' || n, 'crowd.example'
       from generate_series(1, 4000) n returning id, merchant_id)
       insert into directory (id, merchant_id) select id, merchant_id from made`,
      [storeId, merchantId],
    );
    await query(
      `insert into sweep_pages (merchant_id, product_id, store_id, turn, result, verdict, report_id, checked_at, since)
       select merchant_id, id, store_id, now(), 'missing', 'no_certificate', gen_random_uuid(), now(), now()
       from products where store_id = $1
       on conflict (merchant_id, product_id) do nothing`,
      [storeId],
    );
    await query(
      "insert into sweep_counts (merchant_id, store_id, result, pages) values ($2, $1, 'missing', 4000)",
      [storeId, merchantId],
    );
    const body = { merchantId, url: 'http://shop.example/hook', events: ['copy.found'] };
    const webhookId = String((await at.scene.operate('POST', '/webhooks', body)).id);
    await query(
      `with event as (
         insert into events (type, merchant_id, occurred_at, gathering) values ('copy.found', $2, now(), false) returning id
       )
       insert into webhook_deliveries (merchant_id, webhook_id, event_id, state, attempts, attempted_at, milliseconds, response_status)
       select $2, $1, event.id, 'delivered', 1, now(), 12, 204 from event, generate_series(1, 4000)`,
      [webhookId, merchantId],
    );
    const [{ id: item } = { id: '' }] = await query<{ id: string }>(
      'select id from products where store_id = $1 limit 1',
      [storeId],
    );
    return { webhookId, item };
  }

  it.concurrent.for(VIEWS)(
    'on a $size, $scheme: shows the merchant why each proof of a product was made',
    { timeout: PATIENCE },
    async ({ size, scheme, host }) => {
      const { store, key, product } = await shopAt(host);
      const row = { externalProductId: 'cup', url: product.url, name: 'The blue cup' };
      await at.scene.operate('PUT', `/stores/${store.id}/products`, [{ ...row, images: [] }]);
      await at.scene.certificate(product.id);
      const opened = await at.signIn(key, `/console/stores/${store.id}/products/${product.id}`, {
        size,
        scheme,
      });
      const { page } = opened;
      await settled(page);
      const proofs = page.getByRole('list', { name: 'Proofs' }).locator('li');
      await proofs.first().getByText('Served now').waitFor();
      await proofs.first().getByText('Something changed: name, images.').waitFor();
      await proofs.last().getByText('The first one.').waitFor();
      await expectSound(opened);
      await opened.close();
    },
  );

  it('keeps a selection of products if an action fails, and says if it cannot be undone', async () => {
    const { store, key } = await shopAt('shop.example');
    const opened = await at.signIn(key, `/console/stores/${store.id}/products`);
    const { page } = opened;
    const dialog = page.getByRole('dialog');
    await page.getByText('2 products on this page').waitFor();
    await page.getByLabel('Select all on this page').check();
    await page.getByRole('button', { name: 'Hide', exact: true }).click();
    const refuse = (address: string, status: number, detail: string) =>
      page.route(address, (route) =>
        route.fulfill({
          status,
          headers: { 'content-type': 'application/problem+json' },
          body: JSON.stringify({ status, code: 'conflict', detail }),
        }),
      );
    await refuse('**/products/actions', 409, 'Not now.');
    await dialog.getByRole('button', { name: 'Hide' }).click();
    await dialog.getByText('Not now.').waitFor();
    opened.forgive();
    await expectSound(opened);
    await page.unroute('**/products/actions');
    await dialog.getByRole('button', { name: 'Hide' }).click();
    await page.getByText('2 products were hidden.').first().waitFor();
    await refuse('**/undo', 409, 'It is too late.');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('It is too late.').waitFor();
    opened.forgive();
    await expectSound(opened);
    await page.unroute('**/undo');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('2 products are as they were before.').first().waitFor();
    await expectSound(opened);
    await opened.close();
  });

  // one after another, since each revokes the next key
  it.each(VIEWS)(
    'on a $size, $scheme: shows the operator the service, and revokes a signing key only after confirmation',
    async ({ size, scheme }) => {
      const opened = await at.signIn(at.operatorKey, '/console/operator', { size, scheme });
      const { page } = opened;
      await settled(page);
      for (const name of ['Capacity', 'Nodes', 'Queues', 'Signing keys'])
        await page.getByRole('heading', { name, exact: true }).waitFor();
      await page.locator('.state', { hasText: 'Ready' }).waitFor();
      await page.locator('td').first().waitFor();
      // every queue has a name in the user's language
      expect(await page.locator('th[scope=row] code').allTextContents()).toEqual([]);
      await expectSound(opened);
      await page.getByRole('link', { name: 'Signing keys' }).last().click();
      await page.getByRole('heading', { name: 'Signing keys', level: 1 }).waitFor();
      await page.locator('.row').first().waitFor();
      await expectSound(opened);
      const standby = page.locator('.row', { hasText: 'Proofs' }).filter({ hasText: 'Standby' }).first();
      const kid = (await standby.locator('code').textContent()) ?? '';
      await standby.getByRole('button').click();
      const dialog = page.getByRole('dialog');
      await dialog.locator('input').press('Enter');
      await dialog.locator('input').fill(kid.slice(-6));
      await expectSound(opened);
      await dialog.getByRole('button', { name: 'Revoke' }).click();
      await page.locator('.row', { hasText: kid }).getByText('Revoked', { exact: true }).waitFor();
      await expectSound(opened);
      await opened.close();
    },
  );
});
