import { describe, expect, it } from 'vitest';
import { notesOf, problemsOf, productsOf, rowsOf } from './testing.ts';

const kettle = {
  id: 7001,
  title: ' Enamel\nkettle ',
  handle: 'enamel-kettle',
  body_html: '<p>For tea</p>',
  published_at: '2026-02-01T10:00:00+01:00',
  vendor: 'Emalia',
  product_type: 'Kitchen',
  tags: ['tea'],
  variants: [{ id: 1, sku: 'EK-1', price: '39.00', barcode: '4006381333931' }],
  images: [
    { id: 12, position: 2, src: 'https://cdn.shop.test/b.jpg?v=2' },
    { id: 11, position: 1, src: 'https://cdn.shop.test/a.jpg' },
  ],
};

describe('Shopify products.json', () => {
  it('becomes a registry row without price and description', async () => {
    expect(await productsOf(JSON.stringify({ products: [kettle] }))).toEqual([
      {
        externalProductId: '7001',
        url: 'https://shop.example/products/enamel-kettle',
        name: 'Enamel kettle',
        sku: 'EK-1',
        gtin: '4006381333931',
        brand: 'Emalia',
        visible: true,
        images: [
          { url: 'https://cdn.shop.test/a.jpg', externalId: '11' },
          { url: 'https://cdn.shop.test/b.jpg?v=2', externalId: '12' },
        ],
        attributes: [{ name: 'productType', value: 'Kitchen' }],
      },
    ]);
  });

  it('is read from a bare list, pages with metadata, a list of pages, single products and lines', async () => {
    const second = { ...kettle, id: 7002, handle: 'second' };
    const forms = [
      JSON.stringify([kettle, second]),
      JSON.stringify({ metadata: { total: 2, products: 'see below' }, products: [kettle, second] }),
      JSON.stringify([
        { page: 1, products: [kettle] },
        { page: 2, products: [second] },
      ]),
      JSON.stringify({ page1: { products: [kettle] }, page2: { products: [second] } }),
      `${JSON.stringify({ product: kettle })}\n${JSON.stringify({ product: second })}\n`,
      `\uFEFF${JSON.stringify(kettle)}\r\n${JSON.stringify(second)}`,
    ];
    for (const form of forms) {
      const ids = (await productsOf(form)).map((product) => product.externalProductId);
      expect(ids, form.slice(0, 60)).toEqual(['7001', '7002']);
    }
  });

  it('states no SKU or barcode that only some variants have', async () => {
    const variants = [
      { sku: 'A', barcode: '4006381333931' },
      { sku: 'B', barcode: '' },
    ];
    const [product] = await productsOf(JSON.stringify([{ ...kettle, variants }]));
    expect(product).not.toHaveProperty('sku');
    expect(product).not.toHaveProperty('gtin');
    const [same] = await productsOf(JSON.stringify([{ ...kettle, variants: [{ sku: 'A' }, { sku: 'A' }] }]));
    expect(same?.sku).toBe('A');
  });

  it('hides draft, archived and unpublished products, and leaves visibility out if the source does not state it', async () => {
    const states = [
      { status: 'draft' },
      { status: 'archived' },
      { published_at: null },
      { status: 'active' },
    ];
    const list = states.map((state, i) => ({ ...kettle, ...state, id: i + 1 }));
    const visible = (await productsOf(JSON.stringify(list))).map((product) => product.visible);
    expect(visible).toEqual([false, false, false, true]);
    const { published_at: _, ...silent } = kettle;
    expect((await productsOf(JSON.stringify([silent])))[0]).not.toHaveProperty('visible');
  });

  it('keeps the path of a localised store and encodes the handle', async () => {
    const [product] = await productsOf(JSON.stringify([{ ...kettle, handle: 'чайник/1' }]), {
      storeUrl: 'https://shop.example/fr/?a=b#c',
    });
    expect(product?.url).toBe('https://shop.example/fr/products/%D1%87%D0%B0%D0%B9%D0%BD%D0%B8%D0%BA%2F1');
  });

  it('reports what it omitted from a product', async () => {
    const odd = {
      ...kettle,
      vendor: 'My Store',
      variants: [{ sku: 'A', barcode: '123' }],
      images: [
        '//cdn.shop.test/a.jpg',
        'https://cdn.shop.test/a.jpg',
        { src: 'data:image/png;base64,AA' },
        null,
      ],
    };
    const rows = await rowsOf(JSON.stringify([odd]));
    expect(notesOf(rows)).toEqual([
      'vendor_is_placeholder My Store',
      'barcode_not_gtin 123',
      'image_repeated https://cdn.shop.test/a.jpg',
      'image_dropped data:image/png;base64,AA',
      'image_dropped empty',
    ]);
    expect(rows[0]).toMatchObject({ product: { images: [{ url: 'https://cdn.shop.test/a.jpg' }] } });
    expect(rows[0]).not.toHaveProperty('product.brand');
  });

  it('gives a reason for every row that is not a product, and loses none of the others', async () => {
    const rows = await rowsOf(
      `[{"title":"x","handle":"x"}, 5, null, {"colour":"red"}, {"id":1,"title":"\\ud800","handle":"h"},
       {"id":9007199254740993,"title":"t","handle":"h"}, {"id":2,"title":"No handle","handle":""},
       {"id":3,"title":oops,"handle":"h"}, ${JSON.stringify(kettle)}, ${JSON.stringify(kettle)}]`,
    );
    expect(problemsOf(rows)).toEqual([
      '1 id_missing',
      '2 row_not_product',
      '3 row_not_product',
      '4 row_not_product',
      '5 name_missing',
      '6 id_missing',
      '7 address_missing',
      '8 row_not_json',
      '10 repeated',
    ]);
    expect(rows.filter((row) => 'product' in row)).toHaveLength(1);
    expect(rows).toHaveLength(10);
  });
});
