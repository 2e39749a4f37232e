import { describe, expect, it } from 'vitest';
import { notesOf, problemsOf, productsOf, rowsOf } from './testing.ts';

const scarf = {
  id: 41,
  name: 'Scarf &#8211; wool &amp; silk<br/><em>new</em>',
  permalink: 'https://shop.example/produkt/schal/',
  type: 'simple',
  sku: 'SC-1',
  description: '<p>long</p>',
  images: [{ id: 5, src: 'https://shop.example/wp-content/schal blau.jpg', alt: '' }],
  categories: [{ name: 'Scarves' }, { name: 'Gifts &amp; more' }],
};

const storeApi = {
  ...scarf,
  prices: { price: '2500', currency_code: 'EUR' },
  is_purchasable: true,
  is_password_protected: false,
  brands: [{ name: 'Wollwerk' }],
  attributes: [
    { name: 'Material', has_variations: false, terms: [{ name: 'Wool' }, { name: 'Silk' }] },
    { name: 'Colour', has_variations: true, terms: [{ name: 'Blue' }] },
    { name: 'Price', has_variations: false, terms: [{ name: '25 EUR' }] },
  ],
};

const rest = {
  ...scarf,
  status: 'publish',
  regular_price: '25',
  global_unique_id: '4006381333931',
  attributes: [
    { name: 'Material', visible: true, variation: false, options: ['Wool', 'Silk'] },
    { name: 'Colour', visible: true, variation: true, options: ['Blue'] },
    { name: 'Internal', visible: false, variation: false, options: ['x'] },
  ],
};

const expected = {
  externalProductId: '41',
  url: 'https://shop.example/produkt/schal/',
  name: 'Scarf – wool & silk new',
  sku: 'SC-1',
  visible: true,
  images: [{ url: 'https://shop.example/wp-content/schal%20blau.jpg', externalId: '5' }],
  attributes: [
    { name: 'category', value: 'Scarves, Gifts & more' },
    { name: 'Material', value: 'Wool, Silk' },
  ],
};

describe('WooCommerce', () => {
  it('Store API products become registry rows: decoded text, no price, options left to variations', async () => {
    expect(await productsOf(JSON.stringify([storeApi]))).toEqual([{ ...expected, brand: 'Wollwerk' }]);
  });

  it('REST v3 products become the same rows', async () => {
    expect(await productsOf(JSON.stringify([rest]))).toEqual([{ ...expected, gtin: '4006381333931' }]);
  });

  it('hides products that the public cannot open', async () => {
    const list = [
      ...['draft', 'private', 'pending', 'future', 'trash', 'publish'].map((status) => ({ ...rest, status })),
      { ...rest, post_password: 'secret' },
      { ...storeApi, is_password_protected: true },
    ].map((product, i) => ({ ...product, id: i + 1 }));
    const visible = (await productsOf(JSON.stringify(list))).map((product) => product.visible);
    expect(visible).toEqual([false, false, false, false, false, true, false, false]);
  });

  it('moves an export of a staging site to the store URL, including images of that site, and reports it', async () => {
    const staging = {
      ...rest,
      permalink: 'http://schal.local:8080/produkt/schal/?lang=de',
      images: [
        { id: 1, src: 'http://schal.local:8080/a.jpg' },
        { id: 2, src: 'https://cdn.test/b.jpg' },
      ],
    };
    const rows = await rowsOf(JSON.stringify([staging]));
    expect(rows).toMatchObject([
      {
        product: {
          url: 'https://shop.example/produkt/schal/?lang=de',
          images: [{ url: 'https://shop.example/a.jpg' }, { url: 'https://cdn.test/b.jpg' }],
        },
      },
    ]);
    expect(notesOf(rows)).toEqual([
      'url_rebased http://schal.local:8080',
      'images_rebased http://schal.local:8080',
    ]);
    expect(problemsOf(await rowsOf(JSON.stringify([staging]), { rebase: false }))).toEqual([
      '1 address_foreign',
    ]);
  });

  it('treats http as a different address from https', async () => {
    const rows = await rowsOf(JSON.stringify([{ ...rest, permalink: 'http://shop.example/produkt/schal/' }]));
    expect(notesOf(rows)).toEqual(['url_rebased http://shop.example']);
  });

  it('explains variations, and permalinks that are not URLs', async () => {
    const list = [
      { ...storeApi, type: 'variation', parent: 41, id: 42 },
      { ...rest, id: 43, permalink: 'javascript:alert(1)' },
      { ...rest, id: 44, permalink: false },
      { ...rest, id: 45, name: '<br>' },
    ];
    const rows = await rowsOf(JSON.stringify(list));
    expect(problemsOf(rows)).toEqual([
      '1 variation',
      '2 address_missing',
      '3 address_missing',
      '4 name_missing',
    ]);
    expect(rows[0]).toMatchObject({
      problem: { externalProductId: '42', reason: expect.stringContaining('41') },
    });
  });

  it('omits descriptions and surplus attributes, and reports it', async () => {
    const attributes = Array.from({ length: 14 }, (_, i) => ({
      name: `A${i}`,
      options: [i === 0 ? 'x'.repeat(121) : 'v'],
    }));
    const rows = await rowsOf(JSON.stringify([{ ...rest, attributes }]));
    expect(rows[0]).toHaveProperty('product.attributes.length', 12);
    expect(notesOf(rows)).toEqual(['attributes_cut A0, A12, A13']);
  });
});
