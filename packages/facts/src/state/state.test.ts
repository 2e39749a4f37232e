import { describe, expect, it } from 'vitest';
import { readPage } from '../testing.ts';
import { parseLiteral } from './literal.ts';

const URL = 'https://shop.example/products/lamp';
const facts = (html: string) => readPage(`<title>Copper lamp</title>${html}`, { url: URL }).facts;

describe('embedded data', () => {
  it('is read from Shopify product JSON, in cents', () => {
    const json =
      '{"id":1,"title":"Copper lamp","vendor":"Lumen","variants":[{"id":2,"sku":"L-1"}],"price":4950,"available":true}';
    const read = facts(`<script type="application/json" id="ProductJson-1">${json}</script>`);
    expect(read.price).toMatchObject({ value: '49.50', source: 'html', field: 'shopify:price' });
    expect([read.brand?.value, read.availability?.value]).toEqual(['Lumen', 'InStock']);
  });

  it('is read from a WooCommerce variation form if its variations agree', () => {
    const variations =
      '[{"display_price":12.5,"is_in_stock":true},{"display_price":12.5,"is_in_stock":false}]';
    const read = facts(`<form class="variations_form" data-product_variations='${variations}'></form>`);
    expect(read.price).toMatchObject({
      value: '12.5',
      source: 'html',
      field: 'woocommerce:variations.display_price',
    });
    expect(read.availability?.value).toBe('InStock');
  });

  it('is read from the state of a script framework and from a data layer', () => {
    const next =
      '{"props":{"pageProps":{"product":{"name":"Copper lamp","price":{"amount":"7.25","currency":"GBP"},"sku":"N1"}}}}';
    expect(facts(`<script id="__NEXT_DATA__" type="application/json">${next}</script>`).price?.value).toBe(
      '7.25',
    );
    const layer = `dataLayer.push({'ecommerce': {currencyCode: 'EUR', detail: {products: [{name: 'Copper lamp', id: "D-7", price: '3,50', brand: "Lumen",}]}}});`;
    const read = facts(`<script>window.dataLayer = window.dataLayer || []; ${layer}</script>`);
    expect([read.price?.value, read.currency?.value, read.sku?.value]).toEqual(['3.50', 'EUR', 'D-7']);
  });

  it('is not read from impressions, carts and products with other names', () => {
    const layer = `dataLayer.push({ecommerce: {impressions: [{name: 'Copper lamp', price: '3.50'}], detail: {products: [{name: 'Wall lamp', price: '9.00'}]}}});`;
    expect(facts(`<script>${layer}</script>`).price).toBeNull();
  });
});

describe('parseLiteral', () => {
  const parse = (text: string) =>
    JSON.parse(JSON.stringify(parseLiteral(text, 0, 10_000).value ?? null)) as unknown;

  it('parses what scripts contain', () => {
    expect(
      parse(
        `{a: 1, 'b': [.5, -2e3, true,], "c": 'it\\'s', d: "\\u00e9", /* x */ e: {f: undefined}} trailing`,
      ),
    ).toEqual({
      a: 1,
      b: [0.5, -2000, true],
      c: "it's",
      d: 'é',
      e: { f: null },
    });
  });

  it('parses no value that would have to be computed', () => {
    expect(parse(`{a: f(x, {y: 1}), b: 'x' + y, c: parseFloat("3.5"), d: 2}`)).toEqual({
      a: null,
      b: null,
      c: '3.5',
      d: 2,
    });
  });

  it.each([
    '',
    '{',
    '{a',
    '{a:',
    '{"a": "x',
    '['.repeat(10_000),
    '{a:'.repeat(10_000),
    '{"__proto__": {"x": 1}',
  ])('never throws on %j', (text) => {
    expect(() => parseLiteral(text, 0, 1_000_000)).not.toThrow();
  });
});
