import type { Page } from 'playwright-core';
import { type ImageProduct, type ImageScene, openImageScene } from '../../kit/image-scene.ts';
import { picture } from '../../kit/pictures.ts';
import type { Json } from '../../kit/service.ts';
import type { OpenPage, TestBrowser, View } from './browser.ts';
import { htmlWith } from './product-page.ts';
import { putVerdictPages, type VerdictPages } from './verdict-pages.ts';

/** The environment of page states: one service, and a shop with a page for each verdict. */
export interface Stage {
  readonly images: ImageScene;
  readonly shop: VerdictPages;
  /** A product with an image that the service signed. */
  readonly cup: ImageProduct;
  /** A product that its merchant hides. */
  readonly hidden: ImageProduct;
  readonly certificate: Json;
  readonly asset: Json;
  /** Bytes of the signed image. */
  readonly signed: Buffer;
  /** Id of a stored report. */
  readonly reportId: string;
  close(): Promise<void>;
}

/** One state of a page. */
export interface PageState {
  readonly name: string;
  path(stage: Stage): string;
  /** Runs before the page is opened. */
  prepare?(page: Page, stage: Stage): Promise<unknown>;
  /** The user's actions after it is opened. */
  act?(page: Page, stage: Stage): Promise<unknown>;
  /** A selector that exists in this state, in any language. */
  readonly ready: string;
  /** The state is about what the browser caches. */
  readonly isKept?: true;
  /** The browser logs an error in this state, for an error response or none. */
  readonly isFault?: true;
}

/** Brings a page into a state. */
export async function reach(
  browser: TestBrowser,
  stage: Stage,
  state: PageState,
  view: Omit<View, 'context' | 'prepare'>,
): Promise<OpenPage> {
  const open = await browser.open(state.path(stage), {
    ...view,
    // caches are irrelevant to other states, and slow
    context: state.isKept ? {} : { serviceWorkers: 'block' },
    prepare: (page) => state.prepare?.(page, stage),
  });
  await state.act?.(open.page, stage);
  await open.page.locator(state.ready).first().waitFor();
  if (state.isFault) open.forgive();
  return open;
}

const UNKNOWN = '3f0b54ec-6a0c-4d43-a2ee-ae49e0c8a0a6';
const SLOW = 'http://shop.example/products/slow';
const MANY = 'http://shop.example/products/many';
const WORDY = 'http://shop.example/products/wordy';
const CLAIMING = 'http://shop.example/products/claiming';
const CHECKS = '**/api/v1/mc4p/page-checks';

export async function openStage(...given: Parameters<typeof openImageScene>): Promise<Stage> {
  const images = await openImageScene(...given);
  const { scene, store } = images;
  await images.askForSignatures(true);
  const cup = await images.productWith('mug', Buffer.from(await picture('cup')));
  const hidden = await images.productWith('hidden', Buffer.from(await picture('hidden')));
  await scene.operate('PATCH', `/products/${hidden.id}`, { visible: false });
  const shop = await putVerdictPages(scene, store);
  const certificate = await scene.certificate(cup.id);
  const asset = await images.asset(cup.imageId);
  const full = await scene.call('GET', `/api/v1/mc4p/${cup.imageId}/certificate?full=true`);
  const { url } = (full.json.contentCredentials as { asset: { url: string } }).asset;
  const file = await fetch(scene.service.url + new URL(url).pathname);
  const held = new Set<() => void>();
  scene.shop.put(SLOW, (_, response) => void held.add(() => response.destroy()));
  scene.shop.put(MANY, htmlWith(null, imagesOf(60)));
  scene.shop.put(CLAIMING, htmlWith(null, CLAIMS));
  scene.shop.put(WORDY, wordyPage());
  const report = await scene.checkPage(shop.urls.another_host ?? '');
  return {
    images,
    shop,
    cup,
    hidden,
    certificate,
    asset,
    signed: Buffer.from(await file.arrayBuffer()),
    reportId: String(report.id),
    async close() {
      for (const release of held) release();
      await images.close();
    },
  };
}

function imagesOf(count: number): string {
  const image = Array.from(
    { length: count },
    (_, i) => `http://shop.example/images/photo-of-the-cup-${i}.jpg`,
  );
  const product = { '@context': 'https://schema.org', '@type': 'Product', name: 'The cup', image };
  return `<script type="application/ld+json">${JSON.stringify(product)}</script>`;
}

/** What others are said to certify. */
const CLAIMS = `<script type="application/ld+json">${JSON.stringify({
  '@type': 'Product',
  name: 'The cup',
  hasCertification: [
    {
      '@type': 'Certification',
      name: 'EU energy label',
      certificationIdentification: '1779994',
      issuedBy: { '@type': 'Organization', name: 'European Commission', url: 'https://commission.example' },
      url: 'https://register.example/appliances/1779994',
    },
    { '@type': 'Certification', name: 'Organic' },
  ],
})}</script><link rel="canonical" href="https://id.gs1.org/01/09506000134352">
<link rel="dpp" type="application/vc+jwt" title="Passport of the cup" href="https://passports.example/cup.jwt">`;

/** Words that fit on no line. */
function wordyPage(): string {
  const word = 'Donaudampfschifffahrtsgesellschaft'.repeat(6);
  const product = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: word,
    sku: word,
    brand: word,
    description: `${word} `.repeat(20),
    image: [`http://shop.example/${word}.jpg`],
    offers: { '@type': 'Offer', price: '1234567.89', priceCurrency: 'EUR', availability: word },
  };
  return `<!doctype html><title>${word}</title><script type="application/ld+json">${JSON.stringify(product)}</script>`;
}

const checkOf = (url: string) => `/check?url=${encodeURIComponent(url)}`;
const ofProduct = (id: string) => `/api/v1/mc4p/products/${id}/certificate`;
const ofAsset = (id: string) => `/api/v1/mc4p/assets/${id}/certificate`;
const issuedFor = (host: string, query = '') => `/api/v1/mc4p/log/domains/${host}${query}`;
const ofImage = (id: string, query = '') => `/api/v1/mc4p/${id}/certificate${query}`;

/** Verdicts, and conclusions where they say more. */
const VERDICTS = [
  'redirected',
  'context_foreign',
  'verified',
  'unverified',
  'certificate_expired',
  'altered',
  'another_host',
  'another_page',
  'no_certificate',
  'invalid_certificate',
  'canonical_mismatch',
  'product_deleted',
  'password_protected',
  'page_fetch_failed',
] as const;

const CHECK: readonly PageState[] = [
  { name: 'check start', path: () => '/', ready: '.how' },
  { name: 'downloads', path: () => '/downloads', ready: '.downloads section' },
  {
    name: 'check bad input',
    path: () => '/',
    act: async (page) => {
      await page.fill('#url', 'a blue cup');
      await page.press('#url', 'Enter');
    },
    ready: '[role=alert]',
  },
  ...VERDICTS.map((verdict) => ({
    name: `check ${verdict}`,
    path: ({ shop }: Stage) => checkOf(shop.urls[verdict] ?? ''),
    ready: `:is([data-verdict=${verdict}], [data-conclusion=${verdict}])`,
  })),
  { name: 'check running', path: () => checkOf(SLOW), ready: '.running' },
  {
    name: 'check running slowly',
    path: () => checkOf(SLOW),
    prepare: (page) => page.clock.install(),
    act: async (page) => {
      await page.locator('.running').waitFor();
      await page.clock.fastForward(4_100);
    },
    ready: '.running [data-slow=true]',
  },
  {
    name: 'check with images compared',
    path: ({ shop }) => checkOf(shop.urls.verified ?? ''),
    act: async (page) => {
      await page.locator('[data-verdict=verified]').waitFor();
      await page.locator('.images ~ .button').click();
    },
    // the comparison cannot be requested again, so there is no button
    ready: '[data-state=report] .images:not(:has(~ .button))',
  },
  { name: 'check with many images', path: () => checkOf(MANY), ready: '.images li:nth-child(20)' },
  { name: 'check with claims', path: () => checkOf(CLAIMING), ready: 'section.claims li:nth-child(3)' },
  { name: 'check with long words', path: () => checkOf(WORDY), ready: 'section:is(.facts, .comparison)' },
  {
    name: 'check with a QR code',
    path: ({ shop }) => checkOf(shop.urls.another_host ?? ''),
    act: (page) => page.locator('[aria-expanded=false]').click(),
    ready: 'svg.qr',
  },
  { name: 'check kept', path: ({ reportId }) => `/api/v1/mc4p/page-checks/${reportId}`, ready: '#verdict' },
  {
    name: 'check gone',
    path: () => `/api/v1/mc4p/page-checks/${UNKNOWN}`,
    ready: '.notice h1',
    isFault: true,
  },
  {
    name: 'check kept unavailable',
    path: () => `/api/v1/mc4p/page-checks/${UNKNOWN}`,
    prepare: unavailable,
    ready: '.notice[data-tone=caution] h1',
    isFault: true,
  },
  { name: 'check no id', path: () => '/api/v1/mc4p/page-checks/3f0b', ready: '.notice h1', isFault: true },
  {
    name: 'check limited',
    path: ({ shop }) => checkOf(shop.urls.verified ?? ''),
    prepare: answering(429, { code: 'fresh_rate_limited' }, { 'retry-after': '31' }),
    ready: '.notice button:disabled',
    isFault: true,
  },
  {
    name: 'check refused',
    path: () => checkOf('http://shop.example/'),
    prepare: answering(422, {}),
    ready: '.notice[data-failure=refused]',
    isFault: true,
  },
  {
    name: 'check unavailable',
    path: ({ shop }) => checkOf(shop.urls.verified ?? ''),
    prepare: answering(503, { code: 'database_unavailable' }),
    ready: '.notice[data-failure=ours]',
    isFault: true,
  },
  {
    name: 'check unreachable',
    path: ({ shop }) => checkOf(shop.urls.verified ?? ''),
    prepare: (page) => page.route(CHECKS, (route) => route.abort()),
    ready: '.notice[data-failure=ours]',
    isFault: true,
  },
  {
    name: 'check contradictory',
    path: ({ shop }) => checkOf(shop.urls.verified ?? ''),
    prepare: (page) =>
      page.route(CHECKS, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), mc4p: { present: false } } });
      }),
    ready: '.notice[data-failure=contradictory]',
  },
  {
    name: 'check too slow',
    path: () => checkOf(SLOW),
    // shortens the page's timeout, since tests cannot set its clock
    prepare: (page) =>
      page.addInitScript(
        'const { timeout } = AbortSignal; AbortSignal.timeout = () => timeout.call(AbortSignal, 50);',
      ),
    ready: '.notice[data-failure=timeout]',
  },
  {
    name: 'check offline',
    path: () => '/',
    act: async (page) => {
      await page.locator('#url').waitFor();
      await page.context().setOffline(true);
      await page.fill('#url', 'shop.example');
      await page.press('#url', 'Enter');
    },
    ready: '.notice[data-failure=offline]',
    isFault: true,
  },
];

/** The service's response when it cannot do its work. */
function answering(status: number, problem: Json, headers: Readonly<Record<string, string>> = {}) {
  return (page: Page) =>
    page.route(CHECKS, (route) =>
      route.fulfill({
        status,
        headers: { 'content-type': 'application/problem+json', ...headers },
        body: JSON.stringify({ status, title: '', detail: '', requestId: 'example', ...problem }),
      }),
    );
}

/** The page of an error, with another error in it. */
function unavailable(page: Page) {
  const problem = { status: 503, title: '', detail: '', code: 'database_unavailable', requestId: 'example' };
  return page.route('**/api/v1/mc4p/**', async (route) => {
    const response = await route.fetch();
    const document = await response.text();
    const body = document.replace(
      /"problem":\{.*\}(?=\}<\/script>)/s,
      `"problem":${JSON.stringify(problem)}`,
    );
    await route.fulfill({ response, status: 503, body });
  });
}

const DAY = 86_400_000;

const CERTIFICATE: readonly PageState[] = [
  { name: 'certificate', path: ({ cup }) => ofProduct(cup.id), ready: '[data-state=current]' },
  {
    name: 'certificate past',
    path: ({ cup }) => ofProduct(cup.id),
    prepare: (page) => page.clock.setFixedTime(Date.now() + 30 * DAY),
    ready: '[data-state=past]',
  },
  {
    name: 'certificate ahead',
    path: ({ cup }) => ofProduct(cup.id),
    prepare: (page) => page.clock.setFixedTime(Date.now() - 30 * DAY),
    ready: '[data-state=ahead]',
  },
  {
    name: 'certificate identity',
    path: ({ hidden }) => ofProduct(hidden.id),
    ready: '[data-state=identity]',
  },
  {
    name: 'certificate verified here',
    path: ({ cup }) => ofProduct(cup.id),
    act: (page) => page.locator('.verify-here button').click(),
    ready: '.here-outcome[data-sound=true]',
  },
  {
    name: 'certificate altered on its way',
    path: ({ cup }) => ofProduct(cup.id),
    prepare: (page, { cup }) =>
      page.route(`**${ofProduct(cup.id)}`, async (route) => {
        const answer = await route.fetch();
        const body = (await answer.text()).replace(
          '"externalProductId","value":"mug"',
          '"externalProductId","value":"cup"',
        );
        await route.fulfill({ response: answer, body });
      }),
    act: (page) => page.locator('.verify-here button').click(),
    ready: '.here-outcome[data-sound=false]',
  },
  {
    name: 'certificate not verified for want of keys',
    path: ({ cup }) => ofProduct(cup.id),
    prepare: (page) => page.route('**/jwks.json', (route) => route.abort()),
    act: (page) => page.locator('.verify-here button').click(),
    ready: '.verify-here .notice',
    isFault: true,
  },
  {
    name: 'certificate with a QR code',
    path: ({ cup }) => ofProduct(cup.id),
    act: (page) => page.locator('[aria-expanded=false]').click(),
    ready: 'svg.qr',
  },
  {
    name: 'certificate gone',
    path: () => ofProduct(UNKNOWN),
    ready: '[data-code=product_unknown]',
    isFault: true,
  },
  {
    name: 'certificate cut off',
    path: () => ofProduct('3f0b'),
    ready: '[data-code=malformed]',
    isFault: true,
  },
  {
    name: 'certificate unavailable',
    path: () => ofProduct(UNKNOWN),
    prepare: unavailable,
    ready: '.notice[data-tone=caution] h1',
    isFault: true,
  },
  { name: 'image', path: ({ cup }) => ofAsset(cup.imageId), ready: '.credentials-state' },
  {
    name: 'image by its number',
    path: ({ cup }) => ofImage(cup.imageId, '?full=true'),
    ready: '.credentials-state',
  },
  { name: 'image in short', path: ({ cup }) => ofImage(cup.imageId), ready: '[data-state=minimal]' },
  {
    name: 'image of a hidden product',
    path: ({ hidden }) => ofAsset(hidden.imageId),
    ready: 'article.certificate',
  },
  { name: 'image gone', path: () => ofAsset(UNKNOWN), ready: '[data-code=asset_unknown]', isFault: true },
  {
    name: 'image gone by its number',
    path: () => ofImage(UNKNOWN),
    ready: '[data-code=image_certificate_unknown]',
    isFault: true,
  },
];

const judged = (name: string) => `.outcome-place :is([data-verdict=${name}], [data-conclusion=${name}])`;

/** Pastes a text, and enters where it was found. */
function pasted(text: (stage: Stage) => unknown, pageUrl?: (stage: Stage) => string) {
  return async (page: Page, stage: Stage) => {
    await page.locator('[data-keys-of]').waitFor();
    const given = text(stage);
    await page.locator('#paste').fill(typeof given === 'string' ? given : JSON.stringify(given));
    if (pageUrl !== undefined) await page.locator('#page-url').fill(pageUrl(stage));
  };
}

function dropped(bytes: (stage: Stage) => Buffer, name = 'cup.jpg', mimeType = 'image/jpeg') {
  return (page: Page, stage: Stage) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer: bytes(stage) });
}

const altered = ({ signed }: Stage) => {
  const bytes = Buffer.from(signed);
  bytes[bytes.length - 40] = (bytes[bytes.length - 40] ?? 0) ^ 1;
  return bytes;
};
const pageOf = ({ certificate }: Stage) => String(certificate.url);

const VERIFY: readonly PageState[] = [
  { name: 'verify start', path: () => '/verify', ready: '.offline[data-engine=kept]', isKept: true },
  {
    name: 'verify undetermined',
    path: () => '/verify',
    act: pasted(({ certificate }) => certificate),
    ready: judged('undetermined'),
  },
  {
    name: 'verify verified',
    path: () => '/verify',
    act: pasted(({ certificate }) => certificate, pageOf),
    ready: judged('verified'),
  },
  {
    name: 'verify another site',
    path: () => '/verify',
    act: pasted(
      ({ certificate }) => certificate,
      () => 'https://copy.example/products/cup',
    ),
    ready: judged('another_host'),
  },
  {
    name: 'verify another page',
    path: () => '/verify',
    act: pasted(
      ({ certificate }) => certificate,
      () => 'http://shop.example/products/other',
    ),
    ready: judged('another_page'),
  },
  {
    name: 'verify expired',
    path: () => '/verify',
    prepare: (page) => page.clock.setFixedTime(Date.now() + 30 * DAY),
    act: pasted(({ certificate }) => certificate, pageOf),
    ready: judged('certificate_expired'),
  },
  {
    name: 'verify forged',
    path: () => '/verify',
    act: pasted(({ certificate }) => ({ ...certificate, url: 'http://shop.example/products/other' }), pageOf),
    ready: judged('altered'),
  },
  {
    name: 'verify unsigned',
    path: () => '/verify',
    act: pasted(({ certificate }) => ({ ...certificate, proof: undefined }), pageOf),
    ready: judged('unverified'),
  },
  {
    name: 'verify a proof alone',
    path: () => '/verify',
    act: pasted(({ certificate }) => (certificate.proof as { jwt: string }).jwt, pageOf),
    ready: judged('verified'),
  },
  {
    name: 'verify a page without its address',
    path: () => '/verify',
    act: pasted(({ certificate }) => htmlWith(certificate)),
    ready: judged('undetermined'),
  },
  {
    name: 'verify a page that names another address than the signed one',
    path: () => '/verify',
    act: pasted(
      ({ certificate }) =>
        `<!-- saved from url=(0033)https://copy.example/products/cup -->${htmlWith(certificate)}`,
    ),
    ready: judged('undetermined'),
  },
  {
    name: 'verify a saved page',
    path: () => '/verify',
    act: pasted(({ certificate }) => htmlWith(certificate), pageOf),
    ready: judged('verified'),
  },
  {
    name: 'verify a saved page without a certificate',
    path: () => '/verify',
    act: pasted(() => htmlWith(null), pageOf),
    ready: judged('no_certificate'),
  },
  {
    name: 'verify without keys',
    path: () => '/verify',
    prepare: (page) => page.route('**/jwks.json', (route) => route.abort()),
    act: async (page, { certificate }) => {
      await page.locator('.trust [role=alert]').waitFor();
      await page.locator('#paste').fill(JSON.stringify(certificate));
    },
    ready: '.outcome-place [data-code=keys_unavailable]',
    isFault: true,
  },
  ...(
    [
      ['a text', 'not a certificate', 'unknown'],
      ['broken JSON', '{"@type":"Product"', 'json_broken'],
      ['a broken data address', 'data:image/png;base64,$', 'data_url_broken'],
      ['an address', 'https://shop.example/cup', 'address'],
    ] as const
  ).map(([name, text, why]) => ({
    name: `verify ${name}`,
    path: () => '/verify',
    act: pasted(() => text),
    ready: `.fault[data-why=${why}]`,
  })),
  {
    name: 'verify keys of another issuer',
    path: () => '/verify',
    act: async (page: Page) => {
      await page.locator('[data-keys-of]').waitFor();
      await page.locator('#paste').fill('{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"a","x":"AA"}]}');
      await page.locator('#issuer').fill('nowhere');
      await page.locator('.trust button[type=submit]').click();
    },
    ready: '.trust .fault',
  },
  {
    name: 'verify an image',
    path: () => '/verify',
    act: dropped(({ signed }) => signed),
    ready: '.picture-result [data-verdict=valid]',
  },
  {
    name: 'verify an altered image',
    path: () => '/verify',
    act: dropped(altered),
    ready: '.picture-result [data-verdict=invalid]',
  },
  {
    name: 'verify an image that breaks off',
    path: () => '/verify',
    act: dropped(({ signed }) => signed.subarray(0, signed.length * 0.8)),
    ready: '.picture-result :is(.notice, [data-verdict])',
  },
  {
    name: 'verify an image and its certificate',
    path: () => '/verify',
    act: async (page, stage) => {
      await pasted(({ asset }) => asset, pageOf)(page, stage);
      await dropped(({ signed }) => signed)(page, stage);
    },
    ready: '[data-profile=full][data-status=trusted]',
  },
];

const LOG: readonly PageState[] = [
  { name: 'log', path: () => issuedFor('shop.example'), ready: '.log-entries [data-kind=asset]' },
  {
    name: 'log witnessed',
    path: () => issuedFor('shop.example'),
    prepare: (page) =>
      page.route('**/log/domains/**', async (route) => {
        const response = await route.fetch();
        const body = (await response.text()).replace('"logged, not witnessed"', '"witnessed"');
        await route.fulfill({ response, body });
      }),
    ready: '[data-statement=witnessed]',
  },
  { name: 'log end', path: () => issuedFor('shop.example', '?cursor=2000.0'), ready: '[data-end]' },
  { name: 'log empty', path: () => issuedFor('nothing.example'), ready: '.notice' },
  {
    name: 'log bad input',
    path: () => issuedFor('nothing.example'),
    act: async (page) => {
      await page.fill('#host', 'a blue cup');
      await page.press('#host', 'Enter');
    },
    ready: '[role=alert]',
  },
  { name: 'log no host', path: () => issuedFor('A%20cup'), ready: '[data-code=no_host]', isFault: true },
  {
    name: 'log no page',
    path: () => issuedFor('shop.example', '?cursor=0'),
    ready: '[data-code=no_page]',
    isFault: true,
  },
];

/** All states of all pages except those of the console and the badge, which have their own tests. */
export const PAGE_STATES: readonly PageState[] = [...CHECK, ...CERTIFICATE, ...LOG, ...VERIFY];
