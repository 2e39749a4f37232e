import { describe, expect, it } from 'vitest';
import { readPage } from './testing.ts';

const values = (html: string, url: string) => {
  const { facts, platform_detected, gate } = readPage(html, { url });
  const plain = Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [
      name,
      fact === null ? null : 'value' in fact ? fact.value : fact.length,
    ]),
  );
  return { ...plain, platform: platform_detected, gate };
};

describe('a Shopify product page', () => {
  const offer = (id: number, price: number, stock: string) =>
    `{"@type":"Offer","sku":"CFL-${id}","availability":"http://schema.org/${stock}","price":${price},"priceCurrency":"EUR","url":"https://lumen.example/products/copper-lamp?variant=${id}"}`;
  const page = (
    shown: string,
  ) => `<!doctype html><html lang="de"><head><meta charset="utf-8"><title>Kupferlampe – Lumen</title>
    <link rel="canonical" href="https://lumen.example/products/copper-lamp"><meta property="og:site_name" content="Lumen">
    <meta property="og:type" content="product"><meta property="og:title" content="Kupferlampe">
    <meta property="og:price:amount" content="1.129,00"><meta property="og:price:currency" content="EUR">
    <meta property="og:image" content="http://lumen.example/cdn/shop/files/a.jpg?v=1">
    <script>var Shopify = Shopify || {}; Shopify.shop = "lumen.myshopify.com"; Shopify.theme = {"name":"Dawn"};</script></head>
    <body class="template-product"><h1 class="logo"><a href="/">Lumen</a></h1><product-info><h1>Kupferlampe</h1>${shown}</product-info>
    <script type="application/ld+json">{"@context":"http://schema.org/","@type":"Product","name":"Kupferlampe","url":"https:\\/\\/lumen.example\\/products\\/copper-lamp",
    "image":["https:\\/\\/lumen.example\\/cdn\\/shop\\/files\\/a.jpg?v=1&width=1920"],"description":"Hell\\nund warm","sku":"CFL-1",
    "brand":{"@type":"Brand","name":"Lumen"},"offers":[${offer(1, 1129, 'OutOfStock')},${offer(2, 1199, 'InStock')}]}</script></body></html>`;

  it('states the variant that is available, or the one that its URL selects', () => {
    const html = page(
      '<span class="price-item--regular">1.199,00 €</span><button name="add">In den Warenkorb legen</button>',
    );
    expect(values(html, 'https://lumen.example/products/copper-lamp')).toMatchObject({
      name: 'Kupferlampe',
      description: 'Hell und warm',
      price: '1199',
      currency: 'EUR',
      availability: 'InStock',
      brand: 'Lumen',
      images: 1,
      platform: 'shopify',
      gate: null,
    });
    expect(values(html, 'https://lumen.example/products/copper-lamp?variant=1')).toMatchObject({
      price: '1129',
      availability: 'OutOfStock',
    });
  });
});

describe('a WooCommerce product page', () => {
  const page = (
    offers: string,
    head = '',
  ) => `<!doctype html><html lang="en-GB"><head><title>Copper lamp - Lumen</title>
    <meta property="og:type" content="article">${head}</head><body class="product-template-default single single-product postid-482">
    <div id="product-482" class="product"><div class="woocommerce-product-gallery"></div><div class="summary"><h1 class="product_title">Copper lamp</h1>
    <p class="price"><span class="woocommerce-Price-amount amount"><bdi><span>£</span>18.00</bdi></span></p></div></div>
    <script type="application/ld+json">{"@context":"https:\\/\\/schema.org\\/","@graph":[{"@type":"BreadcrumbList","itemListElement":[]},
    {"@type":"Product","@id":"https:\\/\\/lumen.example\\/product\\/copper-lamp\\/#product","name":"Copper lamp","url":"https:\\/\\/lumen.example\\/product\\/copper-lamp\\/",
    "sku":482,"offers":[${offers}]}]}</script></body></html>`;
  const url = 'https://lumen.example/product/copper-lamp/';

  it.each([
    [
      'its present price specification',
      '{"@type":"Offer","priceSpecification":[{"@type":"UnitPriceSpecification","price":"20.00","priceCurrency":"GBP","priceType":"https://schema.org/ListPrice"},{"@type":"UnitPriceSpecification","price":"18.00","priceCurrency":"GBP","valueAddedTaxIncluded":false}],"availability":"http://schema.org/InStock"}',
    ],
    [
      'its older one',
      '{"@type":"Offer","price":"18.00","priceSpecification":{"price":"18.00","priceCurrency":"GBP"},"priceCurrency":"GBP","availability":"http://schema.org/InStock"}',
    ],
    [
      'a range',
      '{"@type":"AggregateOffer","lowPrice":"18.00","highPrice":"20.00","offerCount":2,"priceCurrency":"GBP","availability":"http://schema.org/InStock"}',
    ],
  ])('is read with %s', (_, offers) => {
    const head =
      '<link rel="stylesheet" href="https://lumen.example/wp-content/plugins/woocommerce/assets/css/woocommerce.css">';
    expect(values(page(offers, head), url)).toMatchObject({
      name: 'Copper lamp',
      price: '18.00',
      currency: 'GBP',
      availability: 'InStock',
      sku: null,
      platform: 'woocommerce',
    });
  });

  it('is recognised by what remains when its files are merged', () => {
    const merged = '<link rel="stylesheet" href="https://lumen.example/wp-content/cache/min/1/a.css">';
    expect(values(page('', merged), url).platform).toBe('woocommerce');
    expect(values(page(''), url).platform).toBe('custom');
  });
});
