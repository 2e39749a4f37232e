import { describe, expect, it } from 'vitest';
import { notesOf, problemsOf, productsOf, rowsOf } from './testing.ts';

const HEADER =
  'Handle,Title,Body (HTML),Vendor,Type,Published,Option1 Value,Variant SKU,Variant Barcode,Image Src,Image Position,Status';

const LAMP = [
  HEADER,
  'lamp,"Desk lamp, ""Ada""","<p>Line one',
  'line two</p>",Lumen,Lighting,true,Black,DL-1,,https://cdn.shop.test/2.jpg,2,active',
  'lamp,,,,,,White,DL-2,,https://cdn.shop.test/1.jpg,1,',
  'lamp,,,,,,,,,https://cdn.shop.test/3.jpg,3,',
  "bowl,Bowl,,Clay,,false,Default Title,BO-1,'4006381333931,,,active",
  'cup,Cup,,Clay,,true,Default Title,CU-1,,,,draft',
].join('\n');

describe('Shopify CSV export', () => {
  it('joins the lines of a product: variants, images by position, visibility', async () => {
    expect(await productsOf(LAMP)).toEqual([
      {
        externalProductId: 'lamp',
        url: 'https://shop.example/products/lamp',
        name: 'Desk lamp, "Ada"',
        brand: 'Lumen',
        visible: true,
        images: [
          { url: 'https://cdn.shop.test/1.jpg' },
          { url: 'https://cdn.shop.test/2.jpg' },
          { url: 'https://cdn.shop.test/3.jpg' },
        ],
        attributes: [{ name: 'productType', value: 'Lighting' }],
      },
      {
        externalProductId: 'bowl',
        url: 'https://shop.example/products/bowl',
        name: 'Bowl',
        sku: 'BO-1',
        gtin: '4006381333931',
        brand: 'Clay',
        visible: false,
        images: [],
      },
      {
        externalProductId: 'cup',
        url: 'https://shop.example/products/cup',
        name: 'Cup',
        sku: 'CU-1',
        brand: 'Clay',
        visible: false,
        images: [],
      },
    ]);
  });

  it('does not count a line that only adds an image as a variant without SKU', async () => {
    const [product] = await productsOf(
      `${HEADER}\na,A,,,,,Default Title,S-1,,https://x.test/1.png,1,\na,,,,,,,,,https://x.test/2.png,2,`,
    );
    expect(product).toMatchObject({ sku: 'S-1', images: [{}, {}] });
  });

  it('reads the same with BOM, CRLF, UTF-16, semicolons or tabs, and in small chunks', async () => {
    const expected = await productsOf(LAMP);
    const crlf = `\uFEFF${LAMP.replaceAll('\n', '\r\n')}`;
    expect(await productsOf(crlf)).toEqual(expected);
    const utf16 = new Uint8Array(new Uint16Array([...`\uFEFF${LAMP}`].map((c) => c.charCodeAt(0))).buffer);
    expect(await productsOf(utf16)).toEqual(expected);
    const bytes = new TextEncoder().encode(crlf);
    const pieces = async function* () {
      for (let i = 0; i < bytes.length; i += 5) yield bytes.slice(i, i + 5);
    };
    expect(await productsOf(pieces())).toEqual(expected);
    for (const separator of [';', '\t']) {
      const [product] = await productsOf(`Handle,Title,Vendor\na,"A, b",V`.replaceAll(/,(?! )/g, separator));
      expect(product).toMatchObject({ externalProductId: 'a', name: 'A, b', brand: 'V' });
    }
  });

  it('knows the column names of the newer export, and uses its id if there is one', async () => {
    const rows = await rowsOf(
      'Title,URL handle,Vendor,Type,Published on online store,Status,SKU,Barcode,Product image URL,Image position,ID\n' +
        'Mug,mug,Clay,Cups,FALSE,Active,M-1,,https://x.test/m.png,1,8123',
    );
    expect(rows).toMatchObject([
      { product: { externalProductId: '8123', name: 'Mug', sku: 'M-1', visible: false, images: [{}] } },
    ]);
    expect(notesOf(rows)).toEqual([]);
    expect(notesOf(await rowsOf(LAMP))).toContain('handle_is_id');
  });

  it('joins the lines of a product that sorting has separated', async () => {
    const [product] = await productsOf(
      `${HEADER}\na,,,,,,W,S,,https://x.test/2.png,2,\nb,B,,,,,,,,,,\na,A,,,,,X,S,,https://x.test/1.png,1,`,
    );
    expect(product).toMatchObject({ name: 'A', sku: 'S', images: [{ url: 'https://x.test/1.png' }, {}] });
  });

  it('reads the rows before an error and reports its position', async () => {
    const rows = await rowsOf(`${HEADER}\na,A,,,,,,,,,,\n,,,Vendor only,,,,,,,,\nb,,,,,,,,,,,\nc,"Open,,,,,`);
    expect(rows[0]).toMatchObject({ product: { externalProductId: 'a' } });
    expect(problemsOf(rows)).toEqual(['4 name_missing', '3 id_missing', '0 csv_broken']);
    expect(JSON.stringify(rows)).toContain('line 5');
  });

  it('refuses a CSV that is not a product export', async () => {
    expect(problemsOf(await rowsOf('Order,Total\n1,2'))).toEqual(['0 csv_columns_missing']);
    expect(problemsOf(await rowsOf('Order,Total\n1,2', { shape: 'shopify-csv' }))).toEqual([
      '0 csv_columns_missing',
    ]);
    expect(problemsOf(await rowsOf(HEADER))).toEqual(['0 no_products']);
  });
});
