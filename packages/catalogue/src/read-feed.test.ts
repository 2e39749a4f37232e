import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { detectShape } from './index.ts';
import { productsOf, rowsOf } from './testing.ts';

const item = (inner: string) => `<item>${inner}</item>`;
const rss = (...items: string[]) =>
  `<?xml version="1.0"?><rss xmlns:g="http://base.google.com/ns/1.0" version="2.0"><channel><title>Shop</title>
<link>https://shop.example</link><description>All</description>${items.join('\n')}</channel></rss>`;
const CUP = item(`<g:id>SKU-1</g:id><title>Cup &amp; <![CDATA[saucer]]></title><description>Long</description>
<link>https://shop.example/p/cup?utm_source=feed</link><g:image_link>https://cdn.example/1.jpg</g:image_link>
<g:additional_image_link>https://cdn.example/2.jpg</g:additional_image_link><g:brand>Acme</g:brand>
<g:gtin>4006381333931</g:gtin><g:price>12.00 EUR</g:price><g:availability>in_stock</g:availability>
<g:shipping><g:country>DE</g:country><g:id>ignored</g:id></g:shipping><g:mpn>M1</g:mpn>`);

const variant = (id: string, link: string, group = 'G1') =>
  item(`<g:id>${id}</g:id><g:item_group_id>${group}</g:item_group_id><g:title>Shirt ${id}</g:title>
<g:link>${link}</g:link><g:brand>Acme</g:brand>`);

const codesOf = async (source: string | Uint8Array) =>
  (await rowsOf(source)).map((row) => ('problem' in row ? row.problem.code : row.product.externalProductId));

describe('a Google feed', () => {
  it('in RSS 2.0 is read with all its attributes, except shipping', async () => {
    expect(await productsOf(rss(CUP))).toEqual([
      {
        externalProductId: 'SKU-1',
        url: 'https://shop.example/p/cup',
        name: 'Cup & saucer',
        gtin: '4006381333931',
        brand: 'Acme',
        images: [{ url: 'https://cdn.example/1.jpg' }, { url: 'https://cdn.example/2.jpg' }],
        attributes: [{ name: 'mpn', value: 'M1' }],
        price: { amount: '12.00', currency: 'EUR' },
        availability: 'InStock',
      },
    ]);
  });

  it('in Atom is read, with links from their attribute', async () => {
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:g="http://base.google.com/ns/1.0"><title>Shop</title>
<entry><id>tag:shop,1</id><g:id>7</g:id><title>Lamp</title><link rel="self" href="https://shop.example/api/7"/>
<link href="https://shop.example/p/lamp"/></entry></feed>`;
    expect(await productsOf(atom)).toEqual([
      { externalProductId: '7', url: 'https://shop.example/p/lamp', name: 'Lamp', images: [] },
    ]);
  });

  it.each([
    [
      'Atom 1.0, as Google documents it',
      `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:g="http://base.google.com/ns/1.0"><title>Shop</title>
<link href="https://shop.example" rel="alternate" type="text/html"/><id>tag:shop,1</id><author><name>Shop</name></author>
<entry><title>Lamp</title><id>7</id><link href="https://shop.example/p/lamp"/><summary>Bright</summary>
<updated>2026-01-01T00:00:00Z</updated><g:price>25</g:price><g:condition>new</g:condition></entry></feed>`,
    ],
    [
      'Atom 0.3',
      `<feed version="0.3" xmlns="http://purl.org/atom/ns#" xmlns:g="http://base.google.com/ns/1.0"><title>Shop</title>
<entry><title>Lamp</title><link href="https://shop.example/p/lamp"/><id>7</id><modified>2026-01-01T00:00:00Z</modified></entry></feed>`,
    ],
    [
      'RSS 1.0',
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
xmlns:g="http://base.google.com/ns/1.0"><channel rdf:about="https://shop.example/rss"><title>Shop</title></channel>
<item rdf:about="https://shop.example/p/lamp"><title>Lamp</title><link>https://shop.example/p/lamp</link><g:id>7</g:id></item></rdf:RDF>`,
    ],
    [
      'Atom by attributes of the feed alone',
      `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:g="http://base.google.com/ns/1.0"><entry><g:id>7</g:id>
<g:title>Lamp</g:title><g:link>https://shop.example/p/lamp</g:link></entry></feed>`,
    ],
    [
      'Atom with its own prefixes',
      `<a:feed xmlns:a="http://www.w3.org/2005/Atom" xmlns:goods="http://base.google.com/ns/1.0"><a:entry>
<a:title>Other title</a:title><goods:title>Lamp</goods:title><goods:id>7</goods:id>
<a:link rel="alternate" type="text/html" href="https://shop.example/p/lamp"/></a:entry></a:feed>`,
    ],
    [
      'Atom with links to other forms of the page, and titles of other vocabularies',
      `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:g="http://base.google.com/ns/1.0" xmlns:dc="http://purl.org/dc/elements/1.1/">
<entry><g:id>7</g:id><title>Lamp</title><dc:title>LMP</dc:title><link rel="alternate" type="application/json" href="https://shop.example/p/lamp.json"/>
<link rel="enclosure" href="https://shop.example/p/lamp.pdf"/><link type="text/html" href="https://shop.example/p/lamp"/></entry></feed>`,
    ],
    [
      'RSS 2.0 without the declaration of its prefix, with an Atom link',
      `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><item><g:id>7</g:id><title>Lamp</title>
<atom:link rel="self" href="https://shop.example/feed/7"/><link>https://shop.example/p/lamp</link></item></channel></rss>`,
    ],
  ])('in %s is read', async (_, feed) => {
    expect(await productsOf(feed)).toEqual([
      { externalProductId: '7', url: 'https://shop.example/p/lamp', name: 'Lamp', images: [] },
    ]);
  });

  it('decodes entities of URLs and titles once, including named HTML entities in titles', async () => {
    const entry = `<entry><g:id>7</g:id><title type="html">Caf&amp;eacute; &amp;amp; Bar &#x2122;</title>
<link href="https://shop.example/p?id=7&amp;lang=en&amp;amp=1"/></entry>`;
    const feed = `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:g="http://base.google.com/ns/1.0">${entry}</feed>`;
    expect(await productsOf(feed)).toMatchObject([
      { name: 'Café & Bar ™', url: 'https://shop.example/p?id=7&lang=en&amp=1' },
    ]);
  });

  it.each(['\t', ','])(
    'as a table with %j between its columns is read, including quoted line breaks',
    async (by) => {
      const rows = [
        ['id', 'title', 'link', 'image link', 'additional image link', 'description'],
        ['1', 'Cup 5" wide', 'https://shop.example/1', 'https://cdn.example/1.jpg', '', '"two\nlines"'],
        [
          '2',
          'Lamp',
          'https://shop.example/2',
          '',
          '"https://cdn.example/a.jpg,https://cdn.example/b.jpg"',
          '',
        ],
      ];
      const text = rows.map((cells) => cells.join(by)).join('\n');
      expect(detectShape(text)).toBe('google-tsv');
      expect(await productsOf(text)).toMatchObject([
        { externalProductId: '1', name: 'Cup 5" wide', images: [{ url: 'https://cdn.example/1.jpg' }] },
        {
          externalProductId: '2',
          images: [{ url: 'https://cdn.example/a.jpg' }, { url: 'https://cdn.example/b.jpg' }],
        },
      ]);
    },
  );

  it('as a table is read by the names that spreadsheets give to its columns', async () => {
    const text = 'sku,title,link,image\nC-1,Cup,https://shop.example/cup,https://cdn.example/cup.jpg';
    const cup = {
      externalProductId: 'C-1',
      sku: 'C-1',
      name: 'Cup',
      url: 'https://shop.example/cup',
      images: [{ url: 'https://cdn.example/cup.jpg' }],
    };
    expect(await productsOf(text)).toEqual([cup]);
    const other =
      'Product ID;SKU;Name;Product URL;Barcode;Vendor;Image;g:image_link\n7;C-1;Cup;/cup;4006381333931;Acme;/no.jpg;/yes.jpg';
    expect(await productsOf(other)).toEqual([
      {
        ...cup,
        externalProductId: '7',
        gtin: '4006381333931',
        brand: 'Acme',
        images: [{ url: 'https://shop.example/yes.jpg' }],
      },
    ]);
  });

  it('as a table that lacks columns names those that are accepted, and those that it does not know', async () => {
    const [row] = await rowsOf('sku,title,href,colour\nC-1,Cup,https://shop.example/cup,red');
    const { code, reason } = (row as { problem: { code: string; reason: string } }).problem;
    expect(code).toBe('csv_columns_missing');
    expect(reason).toContain('It lacks “link”. It needs id or product_id or item_id, or sku; title or name');
    expect(reason).toContain('image_link or image');
    expect(reason).toContain('Not known: “href”, “colour”.');
  });

  it('gives one product for the variants of a page', async () => {
    const products = await productsOf(
      rss(
        variant('a', 'https://shop.example/p/shirt?variant=1&amp;currency=EUR'),
        variant('b', 'https://shop.example/p/shirt?variant=2&amp;currency=EUR'),
        CUP,
      ),
    );
    expect(products.map(({ externalProductId, url, name }) => [externalProductId, url, name])).toEqual([
      ['G1', 'https://shop.example/p/shirt', 'Shirt'],
      ['SKU-1', 'https://shop.example/p/cup', 'Cup & saucer'],
    ]);
  });

  it('reports an image that one item lists twice, but not one that variants share', async () => {
    const image = '<g:image_link>https://cdn.example/1.jpg</g:image_link>';
    const shirt = (id: string, images = image) =>
      variant(id, 'https://shop.example/p/shirt').replace('</item>', `${images}</item>`);
    const notesOf = async (...items: string[]) =>
      (await rowsOf(rss(...items))).flatMap((row) => ('product' in row ? (row.notes ?? []) : []));
    expect(await notesOf(shirt('a'), shirt('b'))).toEqual([]);
    expect(await notesOf(shirt('a', image + image))).toMatchObject([{ code: 'image_repeated' }]);
  });

  it.each([
    [['Shirt - Red / M', 'Shirt - Red / L'], 'Shirt - Red'],
    [['Shirt (Red)', 'Shirt (Rose)'], 'Shirt'],
    [['Shirt Red', 'Shirt Redwood'], 'Shirt'],
    [['Red shirt', 'Blue shirt'], 'Red shirt'],
    [['Shirt', 'Shirt'], 'Shirt'],
  ])('names variants %j by their common part: %s', async (titles, name) => {
    const items = titles.map((title, n) =>
      variant(`${n}`, 'https://shop.example/p/shirt').replace(`Shirt ${n}`, title),
    );
    expect((await productsOf(rss(...items))).map((product) => product.name)).toEqual([name]);
  });

  describe('without groups', () => {
    const offer = (id: string, title: string, link: string, brand = 'Acme') =>
      item(
        `<g:id>${id}</g:id><title>${title}</title><link>https://shop.example/${link}</link><g:brand>${brand}</g:brand>`,
      );
    const idsOf = async (...items: string[]) =>
      (await productsOf(rss(...items))).map(({ externalProductId, url, name }) => [
        externalProductId,
        url,
        name,
      ]);

    it.each([
      ['p/mug?variant=1', 'p/mug?variant=2'],
      ['p/mug#red', 'p/mug#blue'],
      ['p/mug/', 'p/mug'],
      ['p?id=1&amp;shop=2', 'p?shop=2&amp;id=1'],
    ])('gives one product for the variants at %s and %s', async (one, other) => {
      const products = await idsOf(offer('a', 'Mug - red', one), offer('b', 'Mug - blue', other));
      expect(products).toEqual([['a', expect.any(String), 'Mug']]);
    });

    it.each([
      ['of other titles', offer('b', 'Lamp', 'all')],
      ['of another brand', offer('b', 'Mug - blue', 'all', 'Other')],
      ['on another page', offer('b', 'Mug - blue', 'p/blue')],
      ['at another client-side route of the page', offer('b', 'Mug - blue', 'all#/blue')],
    ])('keeps items %s separate', async (_, other) => {
      expect((await idsOf(offer('a', 'Mug - red', 'all'), other)).map(([id]) => id)).toEqual(['a', 'b']);
    });
  });

  it('gives one product for each page if variants have pages of their own', async () => {
    const products = await productsOf(
      rss(variant('a', 'https://shop.example/p/red'), variant('b', 'https://shop.example/p/blue')),
    );
    expect(products.map(({ externalProductId, url }) => [externalProductId, url])).toEqual([
      ['G1', 'https://shop.example/p/red'],
      ['b', 'https://shop.example/p/blue'],
    ]);
  });

  it('is read the same however its bytes are split, compressed or not', async () => {
    const bytes = Buffer.from(rss(CUP, variant('ä', 'https://shop.example/ü')));
    const whole = await rowsOf(bytes);
    expect(whole).toHaveLength(2);
    const cut = async function* (of: Uint8Array, size: number) {
      for (let at = 0; at < of.length; at += size) yield of.subarray(at, at + size);
    };
    for (const size of [1, 7, 100]) {
      expect(await rowsOf(cut(bytes, size))).toEqual(whole);
      expect(await rowsOf(cut(gzipSync(bytes), size))).toEqual(whole);
    }
  });

  it.each([
    ['cut short', rss(CUP).slice(0, -8), ['SKU-1', 'file_truncated']],
    [
      'a sitemap',
      '<?xml version="1.0"?><urlset><url><loc>https://shop.example</loc></url></urlset>',
      ['shape_unknown'],
    ],
    ['a page', '<?xml version="1.0"?><html><body>Blocked</body></html>', ['file_is_html']],
    ['an empty one', rss(), ['no_products']],
    ['an item without anything', rss(item(''), CUP), ['row_not_product', 'SKU-1']],
    ['an item without its page', rss(item('<g:id>1</g:id><title>T</title>')), ['address_missing']],
    ['broken gzip', gzipSync(rss(CUP)).subarray(0, 60), ['file_truncated']],
  ])('that is %s is reported', async (_, source, codes) => {
    expect(await codesOf(source)).toEqual(codes);
  });

  it('expands no entity that it defines itself', async () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY x SYSTEM "file:///etc/passwd">]>
<rss><channel><item><id>1</id><title>&a;&x;</title><link>https://shop.example/1</link></item></channel></rss>`;
    const [product] = await productsOf(bomb);
    expect(product?.name).toBe('&a;&x;');
  });
});

describe("WooCommerce's CSV export", () => {
  const header =
    'ID,Type,SKU,"GTIN, UPC, EAN, or ISBN",Name,Published,"Visibility in catalog",Categories,Images,Parent';
  const more = ',Brands,"Attribute 1 name","Attribute 1 value(s)","Attribute 1 visible",Permalink';

  it('is read where a column contains the page URLs', async () => {
    const text = `${header}${more}
12,variable,CUP,4006381333931,"Cup &amp; saucer",1,visible,"Home > Cups","https://shop.example/1.jpg, https://shop.example/2.jpg",,Acme,Material,Clay,1,https://shop.example/product/cup/
13,variation,CUP-1,,Cup - red,1,visible,,,id:12,,,,,
14,simple,LAMP,,Lamp,-1,visible,,,,,,,,https://shop.example/product/lamp/`;
    expect(detectShape(text)).toBe('woocommerce-csv');
    const rows = await rowsOf(text);
    expect(rows[0]).toMatchObject({
      product: {
        externalProductId: '12',
        url: 'https://shop.example/product/cup/',
        name: 'Cup & saucer',
        sku: 'CUP',
        gtin: '4006381333931',
        brand: 'Acme',
        visible: true,
        images: [{ url: 'https://shop.example/1.jpg' }, { url: 'https://shop.example/2.jpg' }],
        attributes: [
          { name: 'category', value: 'Home > Cups' },
          { name: 'Material', value: 'Clay' },
        ],
      },
    });
    expect(rows[1]).toMatchObject({ problem: { row: 3, code: 'variation' } });
    expect(rows[2]).toMatchObject({ product: { externalProductId: '14', visible: false } });
  });

  it('without such a column is refused with advice', async () => {
    const [row] = await rowsOf(`${header}\n12,simple,CUP,,Cup,1,visible,,,`);
    expect(row).toMatchObject({
      problem: {
        row: 2,
        code: 'address_missing',
        reason: expect.stringContaining('import the address of the shop'),
      },
    });
  });
});

it('rows in the format of the registry are read unchanged', async () => {
  const row = {
    externalProductId: '1',
    url: 'https://shop.example/p/1',
    name: 'Cup',
    sku: 'C',
    brand: 'Acme',
    visible: false,
    images: [{ url: 'https://cdn.example/1.jpg', externalId: '9' }],
    attributes: [{ name: 'Material', value: 'Clay' }],
  };
  const text = `${JSON.stringify(row)}\n${JSON.stringify({ ...row, externalProductId: '2' })}`;
  expect(detectShape(text)).toBe('registry');
  expect(await productsOf(text)).toEqual([row, { ...row, externalProductId: '2' }]);
});
