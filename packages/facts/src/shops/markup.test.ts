import { describe, expect, it } from 'vitest';
import { type Expected, jsonLd, shopPage, valuesOf } from './testing.ts';

const URL_OF_PAGE = 'https://lumen.example/p/copper-lamp';
const OFFER = {
  '@type': 'Offer',
  price: '79.00',
  priceCurrency: 'EUR',
  availability: 'https://schema.org/InStock',
};
const PRODUCT = {
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Copper lamp',
  sku: 'CL-1',
  brand: 'Nordlicht',
  offers: OFFER,
};
const FULL: Expected = {
  name: 'Copper lamp',
  price: '79',
  currency: 'EUR',
  availability: 'InStock',
  sku: 'CL-1',
  brand: 'Nordlicht',
};
const script = (text: string): string => `<script type="application/ld+json">${text}</script>`;

const FORMS: readonly (readonly [string, string, Expected])[] = [
  ['an object', jsonLd(PRODUCT), FULL],
  ['an array', jsonLd([{ '@type': 'Organization', name: 'Lumen' }, PRODUCT]), FULL],
  [
    'a graph',
    jsonLd({ '@context': 'https://schema.org', '@graph': [{ '@type': 'WebPage' }, PRODUCT] }),
    FULL,
  ],
  ['the main entity of its page', jsonLd({ '@type': 'ItemPage', mainEntity: PRODUCT }), FULL],
  ['several types', jsonLd({ ...PRODUCT, '@type': ['Product', 'Car'] }), FULL],
  ['an IRI as its type', jsonLd({ ...PRODUCT, '@type': 'http://schema.org/Product' }), FULL],
  [
    'a prefix',
    jsonLd({
      '@context': { schema: 'http://schema.org/' },
      '@type': 'schema:Product',
      'schema:name': 'Copper lamp',
      'schema:sku': 'CL-1',
      'schema:brand': 'Nordlicht',
      'schema:offers': {
        '@type': 'schema:Offer',
        'schema:price': '79.00',
        'schema:priceCurrency': 'EUR',
        'schema:availability': 'schema:InStock',
      },
    }),
    FULL,
  ],
  [
    'values as objects',
    jsonLd({
      ...PRODUCT,
      name: { '@value': 'Copper lamp', '@language': 'en' },
      sku: [{ '@value': 'CL-1' }],
      brand: { '@type': 'Brand', name: ['Nordlicht'] },
    }),
    FULL,
  ],
  ['a price as a number', jsonLd({ ...PRODUCT, offers: { ...OFFER, price: 79 } }), FULL],
  [
    'a price with its currency',
    jsonLd({ ...PRODUCT, offers: { ...OFFER, price: '€79.00', priceCurrency: 'EUR' } }),
    FULL,
  ],
  ['a price with a comma', jsonLd({ ...PRODUCT, offers: { ...OFFER, price: '79,00' } }), FULL],
  ['a currency in lower case', jsonLd({ ...PRODUCT, offers: { ...OFFER, priceCurrency: 'eur' } }), FULL],
  ['a sign for a currency', jsonLd({ ...PRODUCT, offers: { ...OFFER, priceCurrency: '€' } }), FULL],
  ['an availability in words', jsonLd({ ...PRODUCT, offers: { ...OFFER, availability: 'In stock' } }), FULL],
  [
    'an aggregate around its offers',
    jsonLd({
      ...PRODUCT,
      offers: {
        '@type': 'AggregateOffer',
        lowPrice: '79.00',
        highPrice: '79.00',
        priceCurrency: 'EUR',
        offers: [OFFER],
      },
    }),
    FULL,
  ],
  ['a comment around it', script(`<!--\n${JSON.stringify(PRODUCT)}\n-->`), FULL],
  ['a CDATA section around it', script(`//<![CDATA[\n${JSON.stringify(PRODUCT)}\n//]]>`), FULL],
  ['a trailing comma', script(JSON.stringify(PRODUCT).replace(/\}$/, ',}')), FULL],
  [
    'a raw line break in a string',
    script(JSON.stringify({ ...PRODUCT, description: 'a@b' }).replace('@b', '\nb')),
    FULL,
  ],
  [
    'two objects in one block',
    script(`${JSON.stringify({ '@type': 'WebSite', name: 'Lumen' })}\n${JSON.stringify(PRODUCT)}`),
    FULL,
  ],
  ['escaped quotes of HTML', script(JSON.stringify(PRODUCT).replaceAll('"', '&quot;')), FULL],
  ['a semicolon after it', script(`${JSON.stringify(PRODUCT)};`), FULL],
  ['a byte order mark before it', script(`\uFEFF${JSON.stringify(PRODUCT)}`), FULL],
  [
    'upper case in the type of its script',
    `<script type="Application/LD+JSON; charset=utf-8">${JSON.stringify(PRODUCT)}</script>`,
    FULL,
  ],
  [
    'microdata',
    `<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Copper lamp</h1><span itemprop="sku">CL-1</span><div itemprop="brand" itemscope itemtype="https://schema.org/Brand"><meta itemprop="name" content="Nordlicht"></div>
     <div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><span itemprop="price" content="79.00">79,00</span> <meta itemprop="priceCurrency" content="EUR"><link itemprop="availability" href="https://schema.org/InStock"></div></div>`,
    FULL,
  ],
  [
    'microdata whose price is text',
    `<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">Copper lamp</h1><b itemprop="sku">CL-1</b><a itemprop="brand" href="/b/nordlicht">Nordlicht</a>
     <div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><span itemprop="price">79,00</span> <span itemprop="priceCurrency">EUR</span><span itemprop="availability" content="in_stock">Ja</span></div></div>`,
    FULL,
  ],
  [
    'RDFa',
    `<div vocab="https://schema.org/" typeof="Product"><h1 property="name">Copper lamp</h1><span property="sku">CL-1</span><span property="brand">Nordlicht</span>
     <div property="offers" typeof="Offer"><span property="price" content="79.00">79</span><meta property="priceCurrency" content="EUR"><link property="availability" href="https://schema.org/InStock"></div></div>`,
    FULL,
  ],
  [
    'meta elements',
    '<meta property="og:type" content="product"><meta property="og:title" content="Copper lamp"><meta property="product:price:amount" content="79.00"><meta property="product:price:currency" content="EUR"><meta property="product:availability" content="in stock"><meta property="product:retailer_item_id" content="CL-1"><meta property="product:brand" content="Nordlicht">',
    FULL,
  ],
  [
    'meta elements of a sale',
    '<meta property="og:type" content="og:product"><meta property="product:original_price:amount" content="99.00"><meta property="product:price:amount" content="99.00"><meta property="product:sale_price:amount" content="79.00"><meta property="product:sale_price:currency" content="EUR">',
    { price: '79', currency: 'EUR' },
  ],
  // placeholders of templates
  ['a price of zero', jsonLd({ ...PRODUCT, offers: { ...OFFER, price: '0.00' } }), { ...FULL, price: '0' }],
  [
    'an unfilled template',
    jsonLd({ ...PRODUCT, sku: '{{ product.sku }}', brand: '', offers: { ...OFFER, price: '{{price}}' } }),
    { name: 'Copper lamp', price: null, currency: null, sku: null, brand: null },
  ],
  // other products
  [
    'related products inside it',
    jsonLd({
      ...PRODUCT,
      isRelatedTo: [{ '@type': 'Product', name: 'Oak lamp', offers: { ...OFFER, price: '19' } }],
    }),
    FULL,
  ],
  [
    'an accessory before it',
    jsonLd({
      '@type': 'Product',
      name: 'Oak shade',
      url: 'https://lumen.example/p/oak-shade',
      offers: { ...OFFER, price: '9' },
    }) + jsonLd(PRODUCT),
    FULL,
  ],
  [
    'the product of a review',
    jsonLd({ '@type': 'Review', itemReviewed: { '@type': 'Product', name: 'Copper lamp' } }),
    { price: null, currency: null, availability: null },
  ],
];

describe('a product in structured markup', () => {
  it.each(FORMS)('as %s', (_, markup, expected) => {
    const html = shopPage({ title: 'Copper lamp - Lumen', body: `<h1>Copper lamp</h1>${markup}` });
    expect(valuesOf(html, URL_OF_PAGE)).toMatchObject(expected);
  });
});

const NOTHING: Expected = { price: null, currency: null, availability: null, sku: null, brand: null };
const card = (name: string, price: string) =>
  `<li class="product-item"><a href="/p/${name.replace(' ', '-')}"><h3>${name}</h3></a><span class="price">${price}</span><button>Add to cart</button></li>`;

describe('a page without a product of its own', () => {
  it.each([
    [
      'a category',
      'Lamps - Lumen',
      `<h1>Lamps</h1><ul>${card('Copper lamp', '$79.00')}${card('Oak lamp', '$19.00')}${card('Brass lamp', '$29.00')}</ul>`,
    ],
    [
      'search results',
      'Search: copper - Lumen',
      `<h1>Results for copper</h1><p>3 results</p><ul>${card('Copper lamp', '$79.00')}${card('Copper pot', '$19.00')}</ul>`,
    ],
    [
      'a home page',
      'Lumen – lamps of copper',
      `<h1>Lumen</h1><section><h2>Bestsellers</h2><ul>${card('Copper lamp', '$79.00')}</ul></section>`,
    ],
    [
      'an article',
      'How to choose a lamp',
      `${jsonLd({ '@type': 'BlogPosting', headline: 'How to choose a lamp' })}<meta property="product:price:amount" content="79.00"><h1>How to choose a lamp</h1><p>Ours costs <b>$79.00</b>.</p>`,
    ],
    [
      'an article with an offer',
      'How to choose a lamp',
      `<meta property="og:type" content="article"><h1>How to choose a lamp</h1><p>Text.</p><aside><a href="/p/copper">Copper lamp</a> <b>$79.00</b> <button>Buy now</button></aside>`,
    ],
    [
      'shipping terms',
      'Shipping - Lumen',
      `<h1>Shipping</h1><p>Standard delivery: <b>$4.90</b></p><p>Express: <b>$9.90</b></p>`,
    ],
    [
      'a contact page',
      'Contact - Lumen',
      '<h1>Contact</h1><p>Call 555 0100</p><form><button>Send message</button></form>',
    ],
    [
      'a list of products in JSON-LD',
      'Lamps - Lumen',
      `${jsonLd({ '@type': 'ItemList', itemListElement: ['Copper lamp', 'Oak lamp', 'Brass lamp'].map((name, i) => ({ '@type': 'ListItem', position: i + 1, item: { ...PRODUCT, name, url: `https://lumen.example/p/${i}` } })) })}<h1>Lamps</h1>`,
    ],
    [
      'a page that is not there',
      'Page not found - Lumen',
      `<h1>404</h1><p>Perhaps you like</p><ul>${card('Copper lamp', '$79.00')}</ul>`,
    ],
  ])('%s states no fact of one', (_, title, body) => {
    expect(valuesOf(shopPage({ title, body }), 'https://lumen.example/x')).toMatchObject(NOTHING);
  });
});
