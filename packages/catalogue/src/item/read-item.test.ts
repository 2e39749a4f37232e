import { describe, expect, it } from 'vitest';
import { readItem } from './read-item.ts';

const LINK = 'https://shop.example/products/cup';
const PICTURE = 'https://shop.example/cup.jpg';
const certificate = { '@type': 'Product', productID: 'x', proof: { jwt: 'a.b.c' } };
const jwt = `${btoa(JSON.stringify({ typ: 'product-certificate+jwt' }))}.e30.c2ln`;

/** The same item in every format. */
const FORMATS: Readonly<Record<string, unknown>> = {
  'schema.org': {
    '@type': 'Product',
    url: LINK,
    name: 'Cup',
    brand: { '@type': 'Brand', name: 'Kiln' },
    sku: 'C-1',
    gtin13: '4012345123456',
    image: [{ '@type': 'ImageObject', contentUrl: PICTURE }],
    offers: {
      '@type': 'Offer',
      price: '24.90',
      priceCurrency: 'EUR',
      availability: 'https://schema.org/InStock',
    },
    certificate,
  },
  'schema.org, with other spellings in a graph': {
    '@graph': [
      { '@type': 'WebPage' },
      {
        '@type': ['https://schema.org/Product'],
        'schema:url': { '@id': LINK },
        'https://schema.org/name': 'Cup',
        'schema:brand': 'Kiln',
        'schema:sku': 'C-1',
        'schema:gtin': '4012345123456',
        'schema:image': '/cup.jpg',
        'schema:offers': [
          { 'schema:price': 24.9, 'schema:priceCurrency': 'EUR', 'schema:availability': 'schema:InStock' },
        ],
      },
      certificate,
    ],
  },
  'a UCP product': {
    id: 'cup',
    title: 'Cup',
    description: { plain: 'A cup' },
    url: LINK,
    brand: 'Kiln',
    price_range: { min: { amount: 2490, currency: 'EUR' }, max: { amount: 2490, currency: 'EUR' } },
    media: [
      { type: 'image', url: PICTURE },
      { type: 'video', url: 'https://shop.example/cup.mp4' },
    ],
    metadata: { 'example.certificates': certificate },
    variants: [
      {
        id: 'cup-1',
        sku: 'C-1',
        title: 'Default',
        description: {},
        barcodes: [{ type: 'EAN', value: '4012345123456' }],
        price: { amount: 2490, currency: 'EUR' },
        availability: { available: true, status: 'in_stock' },
      },
    ],
  },
  'a UCP variant': {
    id: 'cup-1',
    sku: 'C-1',
    title: 'Cup',
    description: {},
    brand: 'Kiln',
    url: LINK,
    barcodes: [{ type: 'EAN', value: '4012345123456' }],
    price: { amount: 2490, currency: 'EUR' },
    media: [{ type: 'image', url: PICTURE }],
    availability: { available: true, status: 'in_stock' },
    metadata: { certificate: JSON.stringify(certificate) },
  },
  'the flat feed of ACP': {
    item_id: 'cup',
    title: 'Cup',
    url: LINK,
    brand: 'Kiln',
    gtin: '4012345123456',
    sku: 'C-1',
    image_url: PICTURE,
    price: '24.90 EUR',
    availability: 'in_stock',
    seller_name: 'Shop',
    touchstone_certificate: certificate,
  },
  'a Google feed as JSON': {
    'g:id': 'cup',
    'g:title': 'Cup',
    'g:link': LINK,
    'g:brand': 'Kiln',
    'g:gtin': 4012345123456,
    'g:sku': 'C-1',
    'g:image_link': PICTURE,
    'g:price': '24.90 EUR',
    'g:availability': 'in stock',
    'svc:certificate': certificate,
  },
  'a Google feed as XML': `<item xmlns:g="http://base.google.com/ns/1.0" xmlns:s="https://certificates.example/ns#">
    <g:id>cup</g:id><title>Cup</title><link>${LINK}</link><g:brand>Kiln</g:brand><g:gtin>4012345123456</g:gtin><g:sku>C-1</g:sku>
    <g:image_link>${PICTURE}</g:image_link><g:price>24.90 EUR</g:price><g:availability>in_stock</g:availability>
    <s:certificate><![CDATA[${JSON.stringify(certificate)}]]></s:certificate></item>`,
  'WooCommerce, Store API': {
    id: 7,
    name: 'Cup',
    permalink: LINK,
    sku: 'C-1',
    global_unique_id: '4012345123456',
    brands: [{ name: 'Kiln' }],
    images: [{ src: PICTURE }],
    prices: { price: '2490', currency_code: 'EUR', currency_minor_unit: 2, price_range: null },
    is_in_stock: true,
    extensions: { touchstone: { certificate } },
  },
  'a row of the registry': {
    externalProductId: 'cup',
    url: LINK,
    name: 'Cup',
    sku: 'C-1',
    gtin: '4012345123456',
    brand: 'Kiln',
    images: [{ url: PICTURE }],
    price: { amount: '24.90', currency: 'EUR' },
    availability: 'in_stock',
    certificate,
  },
};

describe('one item in every format', () => {
  it.each(Object.entries(FORMATS))('%s', (format, value) => {
    const item = readItem(value);
    expect(item).toMatchObject({
      link: LINK,
      name: 'Cup',
      brands: ['Kiln'],
      skus: ['C-1'],
      gtins: ['4012345123456'],
      pictures: [{ url: PICTURE }],
      certificates: [{ document: certificate }],
    });
    expect(item?.prices.map(({ amount, currency }) => [Number(amount), currency])).toEqual([[24.9, 'EUR']]);
    expect(item?.links).toEqual([]);
    if (!/Woo/.test(format)) expect(item?.availability?.replace('_', '')).toMatch(/^instock$/i);
    expect(
      item?.others.filter((name) => /^(?:item_id|id|title|name|link|url|image.*|.*certificate)$/.test(name)),
    ).toEqual([]);
  });

  it('Shopify, which states no addresses: they are on the origin of the source', () => {
    const product = {
      id: 1,
      title: 'Cup',
      handle: 'cup',
      vendor: 'Kiln',
      variants: [{ sku: 'C-1', barcode: '4012345123456', price: '24.90' }],
      images: [{ src: PICTURE }],
      metafields: [{ namespace: 'app', key: 'certificate', value: JSON.stringify(certificate) }],
    };
    const item = readItem(product, { source: 'https://shop.example/products.json?page=2' });
    expect(item).toMatchObject({ link: LINK, name: 'Cup', brands: ['Kiln'], skus: ['C-1'] });
    expect(item?.certificates).toEqual([{ place: 'metafields.app.certificate', document: certificate }]);
    expect(item?.others).toContain('price');
    expect(readItem({ product }.product)?.link).toBeUndefined();
  });

  it('WooCommerce, REST', () => {
    const item = readItem({
      id: 7,
      name: 'Cup &amp; saucer',
      permalink: LINK,
      status: 'publish',
      sku: 'C-1',
      meta_data: [{ key: '_touchstone_document', value: JSON.stringify(certificate) }],
    });
    expect(item).toMatchObject({ name: 'Cup & saucer', link: LINK });
    expect(item?.certificates).toEqual([{ place: 'meta_data._touchstone_document', document: certificate }]);
  });

  it('a product of the feed API of ACP, whose variants have pages of their own', () => {
    const item = readItem({
      id: 'p',
      title: 'Cup',
      variants: [
        {
          id: 'a',
          title: 'Cup - Blue',
          url: `${LINK}?variant=1`,
          variant_options: [{ name: 'Color', value: 'Blue' }],
        },
        { id: 'b', title: 'Cup - Red', url: 'https://copy.example/cup' },
      ],
    });
    expect(item).toMatchObject({
      name: 'Cup',
      link: `${LINK}?variant=1`,
      links: ['https://copy.example/cup'],
      options: [],
    });
  });
});

describe('what is carried', () => {
  it('is a proof alone, if it says that it is one of a certificate', () => {
    const others = {
      'com.other': `${btoa('{"typ":"JWT"}')}.e30.c2ln`,
      'com.vc': { ...certificate, credentialSubject: {} },
    };
    const item = readItem({
      id: 'a',
      title: 'Cup',
      price: { amount: 1, currency: 'EUR' },
      metadata: { a: jwt, ...others },
    });
    expect(item?.certificates).toEqual([{ place: 'metadata.a', document: { proof: { jwt } } }]);
    expect(item?.others).toEqual(['metadata.com.other', 'metadata.com.vc']);
  });

  it('is also found in variants, up to a limit', () => {
    const variants = Array.from({ length: 20 }, (_, at) => ({
      id: `${at}`,
      title: 'x',
      price: { amount: 1, currency: 'EUR' },
      metadata: { certificate },
    }));
    const found = readItem({ id: 'a', title: 'Cup', variants })?.certificates ?? [];
    expect(found.map(({ place }) => place)).toEqual(
      Array.from({ length: 8 }, (_, at) => `variants[${at}].metadata.certificate`),
    );
  });
});

describe('what is no item', () => {
  it('is anything of which some values would not be compared', () => {
    const gtin = Array.from({ length: 5_001 }, (_, at) => `${at}`);
    expect(readItem({ '@type': 'Product', name: 'Cup', gtin: gtin.slice(1) })?.gtins).toHaveLength(5_000);
    expect(readItem({ '@type': 'Product', name: 'Cup', gtin })).toBeNull();
  });

  it('is what has by far too many members', () => {
    const members = Array.from({ length: 1_001 }, (_, at) => [`title${at}`, 'x']);
    expect(readItem({ ...Object.fromEntries(members), title: 'Cup', link: LINK })).toBeNull();
  });

  it.each([null, 7, '', 'x', '{', '<html></html>', [], {}, { '@type': 'Organization' }, { title: 'Cup' }])(
    '%j',
    (value) => {
      expect(readItem(value)).toBeNull();
    },
  );

  it('is never an error, whatever its members are', () => {
    for (const member of [null, 7, 'x', [], {}, [null], [[]], [{}], { value: {} }]) {
      for (const base of Object.values(FORMATS)) {
        if (typeof base !== 'object' || base === null) continue;
        for (const name of Object.keys(base)) readItem({ ...base, [name]: member });
      }
    }
  });
});
