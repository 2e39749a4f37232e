import { describe, expect, it } from 'vitest';
import { jsonLd } from './shops/testing.ts';
import { readPage } from './testing.ts';

const URL = 'https://shop.example/products/lamp';
const read = (html: string | Uint8Array, extra: object = {}) => readPage(html, { url: URL, ...extra });
const page = (body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><title>Lamp</title>${head}</head><body>${body}</body></html>`;
const product = {
  '@context': 'https://schema.org/',
  '@type': 'Product',
  name: 'Lamp',
  sku: 'L-1',
  brand: { '@type': 'Brand', name: 'Lumen' },
  offers: { '@type': 'Offer', price: 49.5, priceCurrency: 'EUR', availability: 'https://schema.org/InStock' },
};

describe('facts', () => {
  it('are read from a JSON-LD product, with the source of each', () => {
    const { facts } = read(page(jsonLd(product)));
    expect(facts.price).toMatchObject({ value: '49.5', source: 'jsonld', field: 'offers.price' });
    expect(facts.currency).toMatchObject({ value: 'EUR', source: 'jsonld', field: 'offers.priceCurrency' });
    expect(facts.availability).toMatchObject({
      value: 'InStock',
      source: 'jsonld',
      field: 'offers.availability',
    });
    expect(facts.sku?.value).toBe('L-1');
    expect(facts.brand).toMatchObject({ value: 'Lumen', source: 'jsonld', field: 'brand.name' });
  });

  it.each([
    ['an array of nodes', [{ '@type': 'WebPage' }, product]],
    [
      '@graph',
      { '@context': 'https://schema.org', '@graph': [{ '@type': 'Organization', name: 'Shop' }, product] },
    ],
    ['mainEntity', { '@type': 'ItemPage', mainEntity: product }],
    ['arrays in arrays', [[product]]],
    ['a list of types', { ...product, '@type': ['Thing', 'http://schema.org/Product'] }],
  ])('are found for the product in %s', (_, value) => {
    expect(read(page(jsonLd(value))).facts.price?.value).toBe('49.5');
  });

  it('resolve offers and brand by @id', () => {
    const graph = {
      '@graph': [
        { '@type': 'Product', name: 'Lamp', offers: { '@id': '#offer' }, brand: { '@id': '#brand' } },
        { '@id': '#offer', '@type': 'Offer', price: '7.00', priceCurrency: 'GBP' },
        { '@id': '#brand', '@type': 'Brand', name: 'Lumen' },
      ],
    };
    const { facts } = read(page(jsonLd(graph)));
    expect([facts.price?.value, facts.currency?.value, facts.brand?.value]).toEqual(['7.00', 'GBP', 'Lumen']);
  });

  it('are read from the other blocks if one is broken, and the broken one is reported', () => {
    const { facts, findings } = read(
      page(`<script type="application/ld+json">{"a": </script>${jsonLd(product)}`),
    );
    expect(facts.sku?.value).toBe('L-1');
    expect(findings).toContain('json_ld_broken: A JSON-LD block cannot be read: block 1');
  });

  it('are those of the page’s product, not of the others shown with it', () => {
    const other = { ...product, name: 'Shade', sku: 'S-2', url: '/products/shade' };
    const own = { ...product, url: `${URL}?utm_source=x`, isRelatedTo: other };
    expect(read(page(jsonLd([other, own]))).facts.sku?.value).toBe('L-1');
  });

  it('are absent on a listing of equal products', () => {
    const list = ['Shade', 'Bulb', 'Cord', 'Plug'].map((name, i) => ({ ...product, name, sku: `X-${i}` }));
    const { facts, findings } = readPage(`<title>All lamps of the season</title>${jsonLd(list)}`, {
      url: URL,
    });
    expect(facts.price).toBeNull();
    expect(findings.join()).toContain('several_products');
  });

  it('are read from meta elements, which structured data outweighs with a finding if they differ', () => {
    const head =
      '<meta property="og:type" content="product"><meta property="product:price:amount" content="12,50">' +
      '<meta property="product:price:currency" content="EUR"><meta property="product:availability" content="in stock">';
    const { facts } = read(page('', head));
    expect(facts.price).toMatchObject({ value: '12.50', source: 'meta', field: 'product:price:amount' });
    expect(facts.availability?.value).toBe('InStock');
    const both = read(page(jsonLd(product), head));
    expect(both.facts.price?.value).toBe('49.5');
    expect(both.findings.join()).toMatch(/facts_disagree.*price.*49\.5.*12\.50/);
  });

  it('are read from microdata and RDFa with equal weight, with the syntax in the field', () => {
    const micro = page(
      '<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Lamp</h1><div itemprop="offers" itemscope ' +
        'itemtype="https://schema.org/Offer"><meta itemprop="price" content="5"><meta itemprop="priceCurrency" content="USD"></div></div>',
    );
    expect(read(micro).facts.price).toMatchObject({
      value: '5',
      source: 'html',
      field: 'microdata:offers.price',
    });
    const rdfa = page(
      '<div vocab="https://schema.org/" typeof="Product"><h1 property="name">Lamp</h1><div property="offers" typeof="Offer">' +
        '<span property="price" content="6.00">6,00 €</span></div></div>',
    );
    expect(read(rdfa).facts.price).toMatchObject({
      value: '6.00',
      source: 'html',
      field: 'rdfa:offers.price',
    });
  });

  it('are null if the page does not state them', () => {
    const { facts } = read(page('<h1>Lamp</h1>'));
    expect([facts.price, facts.currency, facts.availability, facts.sku, facts.brand]).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
  });

  it('include no price for an article that mentions one', () => {
    const head =
      '<meta property="og:type" content="article"><meta property="product:price:amount" content="9.99">';
    expect(read(page('<h1>Ten lamps</h1>', head)).facts.price).toBeNull();
  });

  it('contain neither NUL, lone surrogates nor markup', () => {
    const { facts } = read(
      page(jsonLd({ ...product, name: 'La\u0000m\uD800p', description: '<p>Bright &amp; warm</p>' })),
    );
    expect(facts.name?.value).toBe('Lamp');
    expect(facts.description?.value).toBe('Bright & warm');
  });

  it('resolve images against <base> and keep each image once', () => {
    const images = ['/i/lamp_600x600.jpg', '/i/lamp_1200x.jpg', 'other.jpg', 'data:image/gif;base64,AA'];
    const { facts } = read(
      page(jsonLd({ ...product, image: images }), '<base href="https://cdn.example/x/">'),
    );
    expect(facts.images.map(({ value }) => value)).toEqual([
      'https://cdn.example/i/lamp_600x600.jpg',
      'https://cdn.example/x/other.jpg',
    ]);
  });
});

describe('limits', () => {
  /** Milliseconds of a processor: other work on the machine is not counted. */
  const timed = (html: string, url = URL) => {
    const before = process.threadCpuUsage();
    const reading = readPage(html, { url });
    return { reading, ms: process.threadCpuUsage(before).user / 1_000 };
  };

  it.each([
    ['5 MB of <p>', '<p>'.repeat(1_700_000), 'nodes_capped'],
    ['40,000 nested elements', '<div>'.repeat(40_000), 'depth_capped'],
    ['10,000 JSON-LD blocks', jsonLd(product).repeat(10_000), 'json_ld_blocks_capped'],
    [
      '1 MB attributes',
      `<div class="${'x'.repeat(1_000_000)}" id="${'&amp;'.repeat(200_000)}">`,
      'attribute_cut',
    ],
    [
      'a million attributes',
      `<div ${'a'.repeat(3)}${Array.from({ length: 300_000 }, (_, i) => ` a${i}`).join('')}>`,
      'attributes_capped',
    ],
    [
      'deep JSON-LD',
      `<script type="application/ld+json">${'[{"a":'.repeat(50_000)}1${'}]'.repeat(50_000)}</script>`,
      'graph_capped',
    ],
    [
      'wide JSON-LD',
      `<script type="application/ld+json">[${'{},'.repeat(300_000)}{}]</script>`,
      'graph_capped',
    ],
    [
      'nested items',
      '<div itemscope itemprop=offers itemtype="https://schema.org/Product">x '.repeat(60_000),
      'depth_capped',
    ],
    ['a page over the length that is read', 'x '.repeat(4_100_000), 'page_cut'],
  ])('%s: is fast, with a finding', (_, html, code) => {
    const { reading, ms } = timed(html);
    expect(reading.findings.join()).toContain(`${code}:`);
    expect(ms).toBeLessThan(5_000);
  });

  const shared = {
    '@graph': [
      ...Array.from({ length: 300 }, () => ({
        '@type': 'Product',
        name: 'Lamp',
        hasVariant: Array.from({ length: 100 }, () => ({ '@id': '#v' })),
      })),
      {
        '@id': '#v',
        '@type': 'Product',
        name: 'Lamp',
        offers: Array.from({ length: 100 }, () => ({ '@id': '#o' })),
      },
      { '@id': '#o', '@type': 'Offer', price: 1 },
    ],
  };
  it.each([
    ['nodes that are shared by many', jsonLd(shared)],
    [
      'a wide itemref',
      `${'<div itemscope itemref="a a a a" itemtype="https://schema.org/Product"></div>'.repeat(20)}<div id="a">${'<b itemprop="name">x</b>'.repeat(100_000)}</div>`,
    ],
    ['the id of the address in every attribute', `<h1>Lamp</h1>${'<i value="1234567"></i>'.repeat(150_000)}`],
    [
      'a price in every element',
      `<h1>Lamp</h1>${'<div class="price"><s>$10.00</s> $9.00</div>'.repeat(60_000)}`,
    ],
    ['one text of 5 MB', `<h1>Lamp</h1><p>${'12,99 € '.repeat(600_000)}</p>`],
    [
      'scripts of openers',
      `<h1>Lamp</h1><script>${'var xState = {a:[{'.repeat(20_000)} price</script>`.repeat(10),
    ],
    ['a link of slashes', `<h1>Lamp</h1><a href="/a${'/'.repeat(400_000)}b">$12.00</a>`],
    [
      'a price of digits that ends in none',
      `<h1>Lamp</h1><script>dataLayer.push({ecommerce:{detail:{products:[{name:'Lamp',price:${'0'.repeat(150_000)}!}]}}})</script>`,
    ],
    [
      'a kind of price of names of kinds',
      jsonLd({
        '@type': 'Product',
        name: 'Lamp',
        offers: { priceSpecification: { price: 1, priceType: `${'MSRP'.repeat(100_000)}!` } },
      }),
    ],
    ['a page of headings', '<h1>Lamp</h1><h2>Lamp lamp</h2>'.repeat(60_000)],
    ['labels without values', `<h1>Lamp</h1>${'<b>SKU</b><b>Brand</b>'.repeat(60_000)}`],
  ])('%s: is fast', (_, html) => {
    const { ms } = timed(`<title>Lamp</title>${html}`, 'https://shop.example/p/1234567');
    expect(ms).toBeLessThan(5_000);
  });

  it('never throws on broken input', () => {
    for (const html of [
      '',
      '<',
      '<!--',
      '<script type="application/ld+json">',
      '\u0000',
      '<a b="',
      '</p></p>',
      '<svg><title>x',
      ']]>',
    ]) {
      expect(() => readPage(html, { url: 'not a url' })).not.toThrow();
    }
  });
});
