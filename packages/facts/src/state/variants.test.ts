import { describe, expect, it } from 'vitest';
import { type Expected, valuesOf } from '../shops/testing.ts';

const URL = 'https://lumen.example/products/copper-lamp';
const page = (script: string, body = '') =>
  `<title>Copper lamp – Lumen</title>${script}<h1>Copper lamp</h1>${body}`;
const json = (value: unknown, attributes = '') =>
  `<script type="application/json" ${attributes}>${JSON.stringify(value)}</script>`;
const variant = (option: string | null, price: number, more: object = {}) => ({
  id: price,
  name: option === null ? 'Copper lamp' : `Copper lamp - ${option}`,
  public_title: option,
  sku: `CL-${price}`,
  price,
  ...more,
});
const meta = (...variants: object[]) =>
  `<script>var meta = ${JSON.stringify({ product: { id: 7511, vendor: 'Nordlicht', variants }, page: {} })};</script>`;

const FORMS: Readonly<Record<string, readonly [html: string, expected: Expected, url?: string]>> = {
  'the analytics object, which names the product on its variants only': [
    page(meta(variant(null, 7900))),
    { price: '79', sku: 'CL-7900', brand: 'Nordlicht' },
  ],
  'the analytics object with several prices, if it is unknown which variant is shown': [
    page(meta(variant('Small', 7900), variant('Large', 9900))),
    { price: null, sku: null, brand: 'Nordlicht' },
  ],
  'the analytics object, by the variant of the address': [
    page(meta(variant('Small', 7900), variant('Large', 9900))),
    { price: '99', sku: 'CL-9900' },
    `${URL}?variant=9900`,
  ],
  'product JSON in a script of any name; its id is not an article number': [
    page(json({ id: 7511, title: 'Copper lamp', handle: 'copper-lamp', vendor: 'Nordlicht', price: 7900 })),
    { price: '79', sku: null, brand: 'Nordlicht' },
  ],
  'the chosen variant alone': [
    page(json({ ...variant('Small', 7900), title: 'Small', available: true }, 'data-selected-variant')),
    { price: '79', sku: 'CL-7900', availability: 'InStock' },
  ],
  'a list of variants, by the first that can be bought': [
    page(json([variant('Small', 7900, { available: false }), variant('Large', 9900, { available: true })])),
    { price: '99', sku: 'CL-9900', availability: 'InStock' },
  ],
  'a list of variants, all of them sold out': [
    page(json([variant('Small', 7900, { available: false }), variant('Large', 9900, { available: false })])),
    { price: '79', availability: 'OutOfStock' },
  ],
  'what web pixels are handed, in whole units with a currency': [
    page(
      `<script>(function(){})({"initData":{"productVariants":[{"price":{"amount":79,"currencyCode":"NZD"},"product":{"title":"Copper lamp","vendor":"Nordlicht","id":"7511"},"id":"41","sku":"CL-S","title":"Small"}]}});</script>`,
    ),
    { price: '79', currency: 'NZD', sku: 'CL-S', brand: 'Nordlicht' },
  ],
  'the currency that a bare sign leaves open': [
    page(
      '<script>Shopify.currency = {"active":"AUD","rate":"1.0"};</script>',
      '<p class="price">$79.00</p><p>SKU: CL-9</p>',
    ),
    { price: '79', currency: 'AUD' },
  ],
  'variants of another platform, priced in whole units': [
    page(
      json({
        id: 5,
        title: 'Copper lamp',
        variants: [{ id: 7, sku: 'ML-9', available: true, price: '790.0' }],
      }),
    ),
    { price: '790', sku: 'ML-9', availability: 'InStock' },
  ],
};

describe('product data of storefronts', () => {
  it.each(Object.entries(FORMS))('is read from %s', (_, [html, expected, url = URL]) => {
    expect(valuesOf(html, url)).toMatchObject(expected);
  });

  it('gives the id of a data layer as article number, and no other bare number', () => {
    const layer = page(
      `<script>dataLayer.push({ecommerce: {detail: {products: [{id: '4711', name: 'Copper lamp'}]}}});</script>`,
    );
    expect(valuesOf(layer, URL).sku).toBe('4711');
    const state = page(
      `<script>window.__STATE__ = {"product":{"id":4711,"name":"Copper lamp","price":5}};</script>`,
    );
    expect(valuesOf(state, URL)).toMatchObject({ price: '5', sku: null });
  });

  it('is read from the payload of a server-rendered Next.js page', () => {
    const line = `4:${JSON.stringify(['$', 'div', null, { product: { name: 'Copper lamp', sku: 'CL-9', price: 79, currency: 'EUR' } }])}\n`;
    const html = page(`<script>self.__next_f.push([1,${JSON.stringify(line)}])</script>`);
    expect(valuesOf(html, URL)).toMatchObject({ price: '79', currency: 'EUR', sku: 'CL-9' });
    expect(valuesOf(page('<script>self.__next_f.push([1,"4:{\\"price\\x"])</script>'), URL).price).toBeNull();
  });
});
