import { describe, expect, it } from 'vitest';
import { lampData } from './shops/testing.ts';
import { readPage } from './testing.ts';

const URL = 'https://lumen.example/products/copper-lamp';
const facts = (html: string, url = URL) =>
  readPage(`<title>Copper lamp</title>${html}<h1>Copper lamp</h1>`, { url }).facts;

const meta = (...prices: number[]) =>
  `<script>var meta = ${JSON.stringify({
    product: {
      id: 41,
      variants: prices.map((price, i) => ({
        id: 4101 + i,
        price,
        name: `Copper lamp - V${i}`,
        public_title: `V${i}`,
      })),
    },
  })};</script>`;
const group = (extra: object = {}) =>
  lampData({
    '@type': 'ProductGroup',
    hasVariant: ['Small', 'Large'].map((size, i) => ({
      '@type': 'Product',
      name: `Copper lamp, ${size}`,
      sku: `CL-${size}`,
      offers: { price: `${79 + i * 20}.00`, priceCurrency: 'EUR', url: `${URL}?size=${size}` },
    })),
    ...extra,
  });

describe('the variant', () => {
  it('is the one in the URL', () => {
    expect(facts(meta(7900, 9900), `${URL}?variant=4102`).variant).toEqual({
      value: 'V1',
      source: 'html',
      field: 'shopify:variant.title',
      id: '4102',
      chosen_by: 'address',
    });
    expect(facts(group(), `${URL}?size=Large`).variant).toMatchObject({
      value: 'Copper lamp, Large',
      source: 'jsonld',
      chosen_by: 'address',
    });
  });

  it('is the one that is selected in the form of the page', () => {
    const form = '<form><input type="hidden" name="id" value="4101"></form>';
    expect(facts(meta(7900, 9900) + form).variant).toMatchObject({ value: 'V0', chosen_by: 'page' });
  });

  it('is absent if nothing selects one, and for a product without variants', () => {
    expect(facts(group()).variant).toBeNull();
    expect(facts(meta(7900), `${URL}?variant=4101`).variant).toBeNull();
  });
});

describe('the range of offers', () => {
  it('is the one that the page states', () => {
    const offers = { '@type': 'AggregateOffer', lowPrice: '79.00', highPrice: '99.00', priceCurrency: 'EUR' };
    expect(facts(lampData({ offers })).offers).toEqual({
      value: '79.00–99.00',
      low: '79.00',
      high: '99.00',
      source: 'jsonld',
      field: 'offers.lowPrice',
    });
  });

  it('is inferred from the prices of all variants', () => {
    expect(facts(group()).offers).toMatchObject({ low: '79.00', high: '99.00', doubts: ['inferred'] });
    expect(facts(meta(9900, 7900, 8900), `${URL}?variant=4101`).offers).toMatchObject({
      low: '79.00',
      high: '99.00',
      source: 'html',
    });
  });

  it('is absent if there is one price', () => {
    expect(facts(lampData({ offers: { price: '79.00', priceCurrency: 'EUR' } })).offers).toBeNull();
    expect(facts(meta(7900, 7900)).offers).toBeNull();
  });
});
