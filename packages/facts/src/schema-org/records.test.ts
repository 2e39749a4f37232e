import { describe, expect, it } from 'vitest';
import { readPage } from '../testing.ts';

const URL = 'https://shop.example/products/lamp';
const read = (value: unknown, url = URL, body = '') =>
  readPage(`<title>Lamp</title><script type="application/ld+json">${JSON.stringify(value)}</script>${body}`, {
    url,
  });
const price = (value: unknown, url?: string, body?: string) => read(value, url, body).facts.price?.value;
const offer = (amount: unknown, extra: object = {}) => ({
  '@type': 'Offer',
  price: amount,
  priceCurrency: 'EUR',
  ...extra,
});

describe('offers', () => {
  it.each([
    ['a number', 1299.9, '1299.9'],
    ['text with a decimal comma', '1.299,90', '1299.90'],
    ['text with its currency', '1,299.90 EUR', '1299.90'],
    ['a decimal of three places as schema.org writes it', '0.125', '0.125'],
    ['a number in exponent form', 1.2e3, '1200'],
  ])('read %s', (_, stated, expected) => {
    expect(price({ '@type': 'Product', name: 'Lamp', offers: offer(stated) })).toBe(expected);
  });

  it.each(['on request', -3, '-3.00', '', null, { a: 1 }])('take no price from %j', (stated) => {
    expect(price({ '@type': 'Product', name: 'Lamp', offers: offer(stated) })).toBeUndefined();
  });

  it('prefer the sale price to the list price', () => {
    const priceSpecification = [
      {
        '@type': 'UnitPriceSpecification',
        priceType: 'https://schema.org/ListPrice',
        price: 20,
        priceCurrency: 'EUR',
      },
      { '@type': 'UnitPriceSpecification', price: 15, priceCurrency: 'EUR' },
    ];
    const { facts } = read({
      '@type': 'Product',
      name: 'Lamp',
      offers: { '@type': 'Offer', priceSpecification },
    });
    expect([facts.price?.value, facts.price?.field]).toEqual(['15', 'offers.priceSpecification.price']);
  });

  it('give the low end of a range', () => {
    const offers = { '@type': 'AggregateOffer', lowPrice: '10.00', highPrice: '20.00', priceCurrency: 'EUR' };
    expect(read({ '@type': 'Product', name: 'Lamp', offers }).facts.price).toMatchObject({
      value: '10.00',
      source: 'jsonld',
      field: 'offers.lowPrice',
    });
  });

  it('are selected by their URL, or else by the price that the page shows', () => {
    const offers = [offer('10.00', { url: `${URL}?variant=1` }), offer('12.00', { url: `${URL}?variant=2` })];
    const product = { '@type': 'Product', name: 'Lamp', offers };
    expect(price(product, `${URL}?variant=2`)).toBe('12.00');
    expect(price(product)).toBe('10.00');
    const shown =
      '<h1>Lamp</h1><div class="product-price"><span class="price">€12.00</span></div><button>Add to cart</button>';
    expect(price(product, URL, shown)).toBe('12.00');
  });

  it('state an availability that all of them share', () => {
    const offers = [offer('1'), offer('2', { availability: 'http://schema.org/OutOfStock' })];
    expect(read({ '@type': 'Product', name: 'Lamp', offers }).facts.availability?.value).toBe('OutOfStock');
  });
});

describe('variants', () => {
  const variant = (sku: string, amount: string) => ({
    '@type': 'Product',
    sku,
    name: `Lamp ${sku}`,
    offers: offer(amount, { url: `${URL}?variant=${sku}` }),
  });
  const group = {
    '@type': 'ProductGroup',
    name: 'Lamp',
    hasVariant: [variant('A', '10.00'), variant('B', '12.00')],
  };

  it('are selected by the URL of the page', () => {
    const { facts } = read(group, `${URL}?variant=B`);
    expect([facts.price?.value, facts.sku?.value]).toEqual(['12.00', 'B']);
  });

  it('are reported as disagreeing if nothing selects one', () => {
    expect(read(group).findings.join()).toContain('variants_disagree');
  });
});

describe('markup', () => {
  it('assigns an Offer inside a Product to it, even without itemprop', () => {
    const html = `<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">Lamp</h1>
      <div itemscope itemtype="http://schema.org/Offer"><span itemprop="price" content="5.50">x</span></div></div>`;
    expect(readPage(html, { url: URL }).facts.price).toMatchObject({
      value: '5.50',
      source: 'html',
      field: 'microdata:offers.price',
    });
  });

  it('reads product properties outside of all items, unless they contradict each other', () => {
    const loose = '<h1>Lamp</h1><meta itemprop="price" content="5.50"><meta itemprop="sku" content="L-1">';
    expect(readPage(loose, { url: URL }).facts.sku).toMatchObject({
      value: 'L-1',
      source: 'html',
      field: 'itemprop:sku',
    });
    const two = `${loose}<meta itemprop="sku" content="L-2">`;
    expect(readPage(two, { url: URL }).facts.sku).toBeNull();
  });

  it('follows itemref, and is not affected by names in prototypes', () => {
    const html = `<div itemscope itemtype="http://schema.org/Product" itemref="more"><h1 itemprop="name">Lamp</h1></div>
      <div id="more"><span itemprop="sku">L-9</span><span itemprop="__proto__">x</span></div>`;
    expect(readPage(html, { url: URL }).facts.sku?.value).toBe('L-9');
  });

  it.each(['SKU: 12-34', 'Item #12-34', 'Article no.: 12-34'])('removes the label from %s', (stated) => {
    expect(read({ '@type': 'Product', name: 'Lamp', sku: stated }).facts.sku?.value).toBe('12-34');
  });

  it.each(['N/A', 'null', 'undefined', '-', 'Does not apply', 'No brand'])(
    'does not take %s for a brand',
    (brand) => {
      expect(read({ '@type': 'Product', name: 'Lamp', brand }).facts.brand).toBeNull();
    },
  );
});
