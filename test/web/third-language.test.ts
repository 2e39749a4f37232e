import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadWebBuild } from '../../packages/server/src/parts/pages/web-build.ts';
import { href, type PageName, type RouteParams } from '../../packages/web/src/console/routes.ts';
import {
  look,
  NO_BROWSER,
  openBrowser,
  overflowsSideways,
  PATIENCE,
  type TestBrowser,
} from './support/browser.ts';
import { settled } from './support/console.ts';
import { openStage, PAGE_STATES, reach, type Stage } from './support/page-states.ts';
import {
  buildThirdLanguage,
  inThirdLanguage,
  leftInEnglish,
  SAID,
  THIRD,
  type ThirdLanguage,
} from './support/third-language.ts';

const VIEW = { size: 'phone', locale: 'ar-EG' } as const;
/** Names given by the test itself, and names that are the same in all languages. */
const NAMES: readonly string[] = [
  'Touchstone',
  'touchstone/',
  'Merchant of',
  'Shop at',
  'retired-key',
  ...['certificates.zip', 'shopify.zip', 'cli.tgz', 'certificate.tgz', 'edge.tgz', 'guides.zip'].map(
    (file) => `touchstone-${file}`,
  ),
  'Stoneware cup, 30 cl',
  ...['cup', 'mug', 'hidden', 'old', 'altered', 'gone', 'failing'].map((name) => `The ${name}`),
];

describe.skipIf(NO_BROWSER !== null)('a third language is one file', () => {
  let language: ThirdLanguage;
  let stage: Stage;
  let browser: TestBrowser;
  beforeAll(async () => {
    language = buildThirdLanguage();
    stage = await openStage(
      // browsers on loopback send cookies over plain http
      {
        TOUCHSTONE_BASE_URL: 'http://certificates.example',
        TOUCHSTONE_WEBHOOK_HTTP: 'true',
        TOUCHSTONE_SWEEPS: 'true',
      },
      { webFolders: [language.folder] },
    );
    browser = await openBrowser(stage.images.scene.service.url);
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.close();
    language?.close();
  });

  /** All text is in that language, and is laid out right to left within the window. */
  async function expectTranslated(page: Page, where: string): Promise<void> {
    const said = (await page.evaluate(SAID)) as string[];
    expect([where, leftInEnglish(said, NAMES)]).toEqual([where, []]);
    const { lang, dir } = (await page.evaluate(
      '({ lang: document.documentElement.lang, dir: document.documentElement.dir })',
    )) as { lang: string; dir: string };
    expect([where, lang, dir, await overflowsSideways(page)]).toEqual([where, THIRD, 'rtl', false]);
  }

  it('the service offers it with the others, because of that file alone', () => {
    expect(language.added).toHaveLength(1);
    expect(loadWebBuild([language.folder])?.languages).toEqual(['en', THIRD, 'es']);
  });

  it.concurrent.each(PAGE_STATES)(
    '$name',
    async (state) => {
      const open = await reach(browser, stage, state, VIEW);
      await expectTranslated(open.page, state.name);
      await look(open.page, state.name, 'rtl');
      open.expectClean();
      await open.close();
    },
    PATIENCE,
  );

  it('without scripts', async () => {
    const context = { javaScriptEnabled: false };
    const log = '/api/v1/mc4p/log/domains/shop.example';
    for (const path of [
      '/',
      '/verify',
      '/console',
      log,
      `/api/v1/mc4p/products/${stage.cup.id}/certificate`,
    ]) {
      const { page, close } = await browser.open(path, { ...VIEW, context });
      const words = (await page.locator('main').allTextContents()).join(' ');
      expect([path, leftInEnglish([words, await page.title()], NAMES)]).toEqual([path, []]);
      await close();
    }
  });

  it('the app as which /verify is installed', async () => {
    const { page, close } = await browser.open('/verify', VIEW);
    const manifest = (await page.locator('link[rel=manifest]').getAttribute('href')) ?? '';
    const { lang, name, description } = await (
      await fetch(new URL(manifest, stage.images.scene.service.url))
    ).json();
    expect([lang, leftInEnglish([name, description], NAMES)]).toEqual([THIRD, []]);
    await close();
  });

  it('the picture of the badge', async () => {
    const { page, close } = await browser.open(`/badge.svg?lang=${THIRD}`);
    const words = (await page.locator('svg').textContent()) ?? '';
    expect(words).toContain(inThirdLanguage('Check this page'));
    await close();
  });

  describe('the console', () => {
    it('before anybody has signed in', async () => {
      const open = await browser.open('/console', VIEW);
      await open.page.locator('input[type=password]').fill('no such key');
      await open.page.keyboard.press('Enter');
      await open.page.getByRole('alert').waitFor();
      await expectTranslated(open.page, 'sign in');
      await open.close();
    });

    it.each(['merchant', 'operator'] as const)(
      'every page of the %s, and everything that its buttons open',
      async (role) => {
        const { key, places } = await consoleOf(role);
        const open = await browser.open('/console', VIEW);
        const { page } = open;
        await page.locator('input[type=password]').fill(key);
        await page.keyboard.press('Enter');
        await page.locator('.side').waitFor({ state: 'attached' });
        for (const place of places) {
          const visit = async () => {
            await page.goto(new URL(place, stage.images.scene.service.url).href);
            await settled(page);
          };
          await visit();
          await expectTranslated(page, place);
          const buttons = page.locator('main :is(button, input[type=radio]):visible:enabled');
          for (let at = 0; at < Math.min(await buttons.count(), MOST_BUTTONS); at += 1) {
            await buttons.nth(at).click({ force: true });
            await settled(page);
            await expectTranslated(page, `${place}, button ${at}`);
            if (
              (await page.getByRole('dialog').count()) > 0 ||
              new URL(page.url()).pathname !== place.split('?')[0]
            )
              await visit();
          }
        }
        await open.close();
      },
      PATIENCE,
    );
  });

  /** The sign-in key and all addresses of a merchant with data of every kind, or of the operator. */
  async function consoleOf(role: 'merchant' | 'operator') {
    const { scene, store } = stage.images;
    const { merchantId } = store;
    const storeId = store.id;
    if (role === 'operator') {
      const operator: OfPages<OperatorPage> = {
        home: {},
        newStore: {},
        operator: {},
        merchants: {},
        merchant: { merchantId },
        signingKeys: {},
        hosts: {},
      };
      return { key: scene.service.operatorKey ?? '', places: addresses(operator) };
    }
    await store.product('failing', { images: [{ url: 'http://shop.example/nothing.jpg' }] });
    await stage.images.settled();
    await scene.operate('POST', `/stores/${storeId}/sweep`);
    await scene.checkPage(stage.shop.urls.another_host ?? '');
    await scene.service.database.query(
      `insert into store_days
       select merchant_id, id, current_date - n, 1000, n * 10, n * 4, n, 0, 0, 0, '{"verified": 40}'
       from stores, generate_series(1, 30) n where id = $1 on conflict do nothing`,
      [storeId],
    );
    const hook = { merchantId, url: 'http://shop.example/hook', events: ['copy.found'] };
    const webhookId = String((await scene.operate('POST', '/webhooks', hook)).id);
    await scene.operate('POST', `/webhooks/${webhookId}/test`);
    const { key } = await scene.operate('POST', `/merchants/${merchantId}/api-keys`, { label: '1' });
    const merchant: OfPages<Exclude<PageName, OperatorPage> | 'home' | 'newStore'> = {
      home: {},
      newStore: {},
      store: { storeId },
      guide: { storeId },
      products: { storeId },
      product: { storeId, productId: stage.cup.id },
      images: { storeId },
      pages: { storeId },
      copies: { storeId },
      settings: { storeId },
      keys: {},
      webhooks: {},
      webhook: { webhookId },
      activity: {},
      withdrawals: {},
      evidence: {},
    };
    const steps = ['domain', 'products', 'images', 'publish', 'pages'];
    const guide = steps.map((step) => href('guide', { storeId }, { step }));
    return { key: String(key), places: [...addresses(merchant), ...guide, '/console/nowhere'] };
  }
});

/** Maximum buttons of one page that are tried. */
const MOST_BUTTONS = 14;

type OperatorPage = 'home' | 'newStore' | 'operator' | 'merchants' | 'merchant' | 'signingKeys' | 'hosts';
type OfPages<N extends PageName> = { readonly [P in N]: RouteParams<P> };

function addresses(pages: { readonly [N in PageName]?: RouteParams<N> }): string[] {
  return Object.entries(pages).map(([page, params]) => href(page as 'store', params as RouteParams<'store'>));
}
