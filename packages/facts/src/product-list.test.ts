import { createKeySet, type RegistryFacts, verify, verifyProof } from '@touchstone/certificate/verify';
import { judgePage } from '@touchstone/page';
import { expect, it } from 'vitest';
import { createTestIssuer, TEST_ISSUER, TEST_NOW } from '../../certificate/src/testing/issuer.ts';
import { readPage } from './testing.ts';

const issuer = await createTestIssuer();
const forger = await createTestIssuer();
const keySet = createKeySet(issuer.jwks);
const REGISTRY: RegistryFacts = {
  issuedFor: 'shop.example',
  domains: [{ hostname: 'shop.example', verified: true }],
  coverage: { certifiedAssets: 1, totalAssets: 2, coveragePercent: 50 },
  publishing: true,
};

const LIST = 'https://shop.example/collections/cups';
const idOf = (n: number) => `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`;
const urlOf = (n: number) => `https://shop.example/products/cup-${n}`;

/** The certificate of one of the shop's products. */
function cup(n: number, { product = {}, issuedAt = TEST_NOW, signer = issuer } = {}) {
  const own = { productId: idOf(n), url: urlOf(n), name: `Stoneware cup ${n}` };
  return signer.certificate({ product: { ...own, ...product }, issuedAt, header: { kid: issuer.kid } });
}

const cups = (count: number) => Promise.all(Array.from({ length: count }, (_, n) => cup(n)));

const CARDS = [1, 2, 3]
  .map(
    (n) =>
      `<li><a href="/products/cup-${n}"><h3>Stoneware cup ${n}</h3></a><span class="price">€${n}9.00</span></li>`,
  )
  .join('');

/** A page with these nodes; by default a list. */
function html(
  nodes: readonly unknown[],
  { head = '', body = `<h1>Cups</h1><ul>${CARDS}</ul>` } = {},
): string {
  const blocks = nodes.map((node) => `<script type="application/ld+json">${JSON.stringify(node)}</script>`);
  return `<!doctype html><html lang="en"><head><title>Cups</title>${head}${blocks.join('')}</head><body><main>${body}</main></body></html>`;
}

interface Case {
  readonly page: string;
  readonly url?: string;
  readonly now?: Date;
  /** `null`: there is no registry. */
  readonly registry?: Partial<RegistryFacts> | null;
}

async function check({ page, url = LIST, now = TEST_NOW, registry = {} }: Case) {
  const reading = readPage(page, { url, namespaceUrl: `${TEST_ISSUER}/ns#` });
  const outcome = { kind: 'page', status: 200, reading } as const;
  const issuers = [TEST_ISSUER];
  const { report } = await judgePage(
    { url, finalUrl: url, fetchedAt: TEST_NOW.toISOString(), outcome },
    {
      baseUrls: issuers,
      readSigned: async (jwt) => (await verifyProof(jwt, keySet, { now, issuers })).signed,
      verifyProduct: async (productId, { document, pageUrl }) =>
        verify({
          document,
          pageUrl,
          productId,
          keySet,
          issuers,
          now,
          ...(registry === null ? {} : { registry: { ...REGISTRY, ...registry } }),
        }),
    },
  );
  return report;
}

const PRODUCT = {
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Rolex Submariner',
  sku: 'R-1',
  offers: { '@type': 'Offer', price: '9999', priceCurrency: 'EUR' },
};
const PRODUCT_BODY = `<h1>Rolex Submariner</h1><p class="price">€9,999.00</p><button>Add to cart</button><section><h2>You may also like</h2><ul>${CARDS}</ul></section>`;

it('a list of certified products of the shop is told as that, with links from signed claims, and stays checks_failed', async () => {
  const report = await check({ page: html(await cups(3)) });
  expect(report).toMatchObject({
    verdict: 'checks_failed',
    conclusion: { level: 'none', code: 'product_list' },
    mc4p: {
      status: 'failed',
      list: [0, 1, 2].map((n) => ({ product_id: idOf(n), url: urlOf(n), name: `Stoneware cup ${n}` })),
    },
  });
  expect(report.findings[0]).toMatch(/^certified_product_list: .*: 3 products$/);
});

it.each([
  ['the home page', 'https://shop.example/'],
  ['search results', 'https://shop.example/search?q=cup&page=2'],
  ['a category with an address of its own', 'https://shop.example/tableware/cups'],
])('%s may be the list', async (_what, url) => {
  expect((await check({ page: html(await cups(2)), url })).conclusion.code).toBe('product_list');
});

it('a list may state its products in JSON-LD, with their addresses', async () => {
  const entries = [0, 1, 2, 3].map((n) => ({
    ...PRODUCT,
    name: `Stoneware cup ${n}`,
    sku: `C-${n}`,
    url: urlOf(n),
  }));
  const list = {
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    itemListElement: entries.map((item, n) => ({ '@type': 'ListItem', position: n + 1, item })),
  };
  for (const stated of [[list], entries, entries.slice(0, 2)]) {
    const report = await check({ page: html([...(await cups(2)), ...stated]) });
    expect([stated.length, report.conclusion.code]).toEqual([stated.length, 'product_list']);
  }
});

it.each([
  [
    'with short names and controls between name and price',
    [1, 2, 3].map(
      (n) =>
        `<div><a href="/products/cup-${n}">Cup ${n}</a><button>Quick view</button><span class="price">€${n}9.00</span></div>`,
    ),
  ],
  [
    'below a cart with a total',
    ['<div class="header"><b>€185.00</b> Cart</div>', `<h1>Cups</h1><ul>${CARDS}</ul>`],
  ],
])('a list %s states no product of its own', async (_what, parts) => {
  const body = parts.join('');
  const page = html(await cups(2), { body: body.includes('<h1>') ? body : `<h1>Cups</h1>${body}` });
  expect((await check({ page })).conclusion.code).toBe('product_list');
});

it('lists all of 60 products, and at most 50 of them in the report', async () => {
  const report = await check({ page: html(await cups(60)) });
  expect(report.mc4p.list).toHaveLength(50);
  expect(report.findings[0]).toMatch(/: 60 products; 10 are not listed here$/);
});

it('expired certificates are counted apart', async () => {
  const nodes = [...(await cups(2)), await cup(7, LAST_WEEK)];
  const report = await check({ page: html(nodes) });
  expect(report.findings[0]).toMatch(/: 3 products; the certificates of 1 have expired$/);
  expect(report.mc4p.list?.map(({ expired: is }) => is)).toEqual([undefined, undefined, true]);
});

const LAST_WEEK = { issuedAt: new Date(TEST_NOW.getTime() - 8 * 86_400_000) };

it.each<[string, () => Promise<Case>]>([
  ['has one product only', async () => ({ page: html(await cups(1)) })],
  [
    'has two certificates of one product',
    async () => ({ page: html([await cup(1), await cup(1, LAST_WEEK)]) }),
  ],
  [
    'states a product of its own beside them in JSON-LD',
    async () => ({ page: html([...(await cups(2)), PRODUCT], { body: PRODUCT_BODY }) }),
  ],
  [
    'shows a product of its own beside them',
    async () => ({ page: html(await cups(2), { body: PRODUCT_BODY }) }),
  ],
  [
    'states in its meta elements that it is a product',
    async () => ({
      page: html(await cups(2), { head: '<meta property="og:type" content="product">' }),
    }),
  ],
  [
    'is made by shop software as that of a product, which states no price',
    async () => ({
      page: html(await cups(2)).replace('<body>', '<body class="single-product">'),
      url: 'https://shop.example/product/anti-scar/',
    }),
  ],
  ['has a forged one', async () => ({ page: html([...(await cups(3)), await cup(9, { signer: forger })]) })],
  [
    'has an altered one',
    async () => ({ page: html([...(await cups(3)), { ...(await cup(9)), url: urlOf(1) }]) }),
  ],
  [
    'has one of another store on this host',
    async () => ({
      page: html([...(await cups(3)), await cup(9, { product: { storeUrl: 'https://shop.example/other' } })]),
    }),
  ],
  ['is on another host', async () => ({ page: html(await cups(3)), url: 'https://copy.example/cups' })],
  [
    'is on a host that nobody has proven',
    async () => ({
      page: html(await cups(3)),
      registry: { domains: [{ hostname: 'shop.example', verified: false }] },
    }),
  ],
  [
    'is on a host that another merchant has proven',
    async () => ({ page: html(await cups(3)), registry: { lostHosts: ['shop.example'] } }),
  ],
  [
    'is judged without knowing who runs the host',
    async () => ({ page: html(await cups(3)), registry: null }),
  ],
  [
    'is the page of one of them with an added parameter',
    async () => ({ page: html(await cups(3)), url: `${urlOf(1)}?color=red` }),
  ],
  [
    'says that it is the page of one of them',
    async () => ({
      page: html(await cups(3), { head: `<link rel="canonical" href="${urlOf(1)}">` }),
      url: 'https://shop.example/p/1',
    }),
  ],
])('a page that %s is no list', async (_what, make) => {
  const report = await check(await make());
  expect(report.verdict).toBe('checks_failed');
  expect(report.conclusion.code).not.toBe('product_list');
  expect(report.mc4p.list).toBeUndefined();
});

it('a page whose reading stopped is no list', async () => {
  const reading = readPage(html(await cups(3)), { url: LIST, maxSteps: 1 });
  expect(reading.statesProduct).toBeUndefined();
});

it('the signed page with an added parameter is told as that page, and leads to it, whichever certificate comes first', async () => {
  const url = `${urlOf(1)}?color=red`;
  for (const nodes of [[await cup(1)], [await cup(0), await cup(1), await cup(2)]]) {
    const report = await check({ page: html([...nodes, PRODUCT], { body: PRODUCT_BODY }), url });
    expect(report).toMatchObject({
      verdict: 'checks_failed',
      conclusion: { level: 'caution', code: 'unknown_parameter' },
      mc4p: { signed: { url: urlOf(1) } },
    });
    expect(report.findings).toContainEqual(
      expect.stringMatching(new RegExp(`^certified_without_parameter: .*: ${urlOf(1)}$`)),
    );
  }
});

it('a parameter that was signed makes another page if it differs or is repeated', async () => {
  const url = 'https://shop.example/index.php?product=7';
  const seven = await cup(7, { product: { url } });
  for (const visited of ['product=8', 'product=7&product=8', 'product=7&p=2&product=8']) {
    const report = await check({ page: html([seven]), url: `https://shop.example/index.php?${visited}` });
    expect([visited, report.conclusion.code]).toEqual([visited, 'another_page']);
  }
  const report = await check({ page: html([seven]), url: `${url}&sid=x` });
  expect(report.conclusion.code).toBe('unknown_parameter');
});
