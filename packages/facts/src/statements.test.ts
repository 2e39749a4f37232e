import type { PageStatements } from '@touchstone/certificate/agreement';
import { describe, expect, it } from 'vitest';
import { jsonLd, lampData, shopPage } from './shops/testing.ts';
import { readPage } from './testing.ts';

const URL = 'https://lumen.example/products/copper-lamp';

function statementsOf(html: string): PageStatements {
  const { statements } = readPage(html, { url: URL });
  if (statements === undefined) throw new Error('the page states nothing');
  return statements;
}

const namesOf = (html: string) => statementsOf(html).names.map(({ source, value }) => `${source}: ${value}`);

/** A certificate, as the service issues it, of a product that the shop does not name. */
const CERTIFICATE = {
  '@context': ['https://schema.org', { svc: 'https://certificates.example/ns#' }],
  '@type': 'Product',
  productID: '0b54ecb8-6a0c-4d43-a2ee-ae49e0c8a0a6',
  url: URL,
  'svc:issuedFor': { domain: 'lumen.example', productID: '0b54ecb8-6a0c-4d43-a2ee-ae49e0c8a0a6' },
  'svc:images': [{ '@type': 'ImageObject', contentUrl: 'https://lumen.example/signed.jpg' }],
  additionalProperty: [{ '@type': 'PropertyValue', name: 'sku', value: 'SIGNED-1' }],
};

describe('what a page states to identify its product', () => {
  it('is what visitors see as well as what its data says', () => {
    const head =
      lampData({ sku: 'L-1', gtin13: '4006381333931', brand: { name: 'Lumen' }, image: '/lamp.jpg' }) +
      '<meta property="og:title" content="Lamp of copper"><meta name="twitter:title" content="Lamp">';
    const html = shopPage({ title: 'Copper lamp – Lumen', head, body: '<h1>Rolex Submariner</h1>' });
    expect(statementsOf(html)).toEqual({
      names: [
        { source: 'h1', value: 'Rolex Submariner' },
        { source: 'title', value: 'Copper lamp – Lumen' },
        { source: 'og', value: 'Lamp of copper' },
        { source: 'og', value: 'Lamp' },
        { source: 'jsonld', value: 'Copper lamp' },
      ],
      brands: [{ source: 'jsonld', value: 'Lumen' }],
      skus: [{ source: 'jsonld', value: 'L-1' }],
      gtins: [{ source: 'jsonld', value: '4006381333931' }],
      pictures: ['https://lumen.example/lamp.jpg'],
    });
  });

  it('contains numbers of all variants and offers', () => {
    const variants = ['1', '2'].map((end) => ({
      '@type': 'Product',
      name: `Copper lamp ${end}`,
      sku: `V-${end}`,
    }));
    const offers = {
      '@type': 'Offer',
      price: '9.00',
      priceCurrency: 'EUR',
      sku: 'O-1',
      gtin: '5901234123457',
    };
    const { skus, gtins } = statementsOf(
      shopPage({
        title: 'Copper lamp',
        head: lampData({ offers, hasVariant: variants }),
        body: '<h1>Copper lamp</h1>',
      }),
    );
    expect(skus.map(({ value }) => value)).toEqual(expect.arrayContaining(['O-1', 'V-1', 'V-2']));
    expect(gtins.map(({ value }) => value)).toEqual(['5901234123457']);
  });

  it('contains the name of a second product of its data, which programs may take for the page’s', () => {
    const second = jsonLd({ '@type': 'Product', name: 'Rolex Submariner', offers: { price: '9999.00' } });
    const related = jsonLd({ '@type': 'Product', name: 'Copper tray', url: '/products/copper-tray' });
    const head = lampData({ url: URL, offers: { price: '9.00' } }) + second + related;
    expect(namesOf(shopPage({ title: '', head, body: '<h1>Copper lamp</h1>' }))).toEqual([
      'h1: Copper lamp',
      'jsonld: Copper lamp',
      'jsonld: Rolex Submariner',
    ]);
  });

  it('contains nothing of its certificate, which must not prove itself', () => {
    const html = shopPage({ title: 'Shop', head: jsonLd(CERTIFICATE), body: '<h1>On the shelf</h1>' });
    expect(statementsOf(html)).toMatchObject({
      names: [
        { source: 'h1', value: 'On the shelf' },
        { source: 'title', value: 'Shop' },
      ],
      skus: [],
      pictures: [],
    });
  });

  it('contains only what the shop says in a node that carries the certificate too', () => {
    const merged = { ...CERTIFICATE, name: 'Copper lamp', sku: 'L-1', image: '/lamp.jpg' };
    const { names, skus, pictures } = statementsOf(
      shopPage({ title: 'Shop', head: jsonLd(merged), body: '<h1>Copper lamp</h1>' }),
    );
    expect(names.at(-1)).toEqual({ source: 'jsonld', value: 'Copper lamp' });
    expect(skus).toEqual([{ source: 'jsonld', value: 'L-1' }]);
    expect(pictures).toEqual(['https://lumen.example/lamp.jpg']);
  });

  it.each([
    ['a cart', '<div class="cart-drawer"><h1>Your cart is empty</h1></div>'],
    ['a logo', '<header><h1>Lumen</h1></header>'],
    ['a hidden part', '<div hidden><h1>Copper lamp</h1></div>'],
    ['a part for screen readers', '<h1 class="visually-hidden">Copper lamp</h1>'],
    ['a part without style', '<div style="color:red;display: none"><h1>Copper lamp</h1></div>'],
    ['a dialog', '<dialog><h1>Are you over 18?</h1></dialog>'],
    ['an empty heading', '<h1> </h1>'],
  ])('leaves out the heading of %s beside another', (_, part) => {
    expect(namesOf(`<body>${part}<main><h1>Rolex</h1></main>`)).toEqual(['h1: Rolex']);
  });

  it('contains such a heading if there is no other', () => {
    expect(namesOf('<body><header><h1>Rolex</h1></header>')).toEqual(['h1: Rolex']);
  });

  it('contains the heading in the header of an article', () => {
    const body = '<h1>Lamps</h1><article><header><h1>Copper lamp</h1></header></article>';
    expect(namesOf(shopPage({ title: '', body }))).toEqual(['h1: Lamps', 'h1: Copper lamp']);
  });

  it('contains the title of the page, not that of a picture', () => {
    const html =
      '<svg><g><title>account icon</title></g></svg><title>Copper lamp</title><h1>Copper lamp</h1>';
    expect(namesOf(html)).toEqual(['h1: Copper lamp', 'title: Copper lamp']);
  });

  it('is bounded in count and length, and says if there are more names', () => {
    const image = Array.from({ length: 100 }, (_, i) => `/${i}-${'x'.repeat(1_000)}.jpg`);
    const skus = Array.from({ length: 500 }, (_, i) => ({ '@type': 'Offer', price: '9.00', sku: `S-${i}` }));
    const head = lampData({ image, offers: skus, brand: 'b'.repeat(10_000) });
    const body = `${'<h1>Copper lamp</h1>'.repeat(100_000)}<h1>${'x'.repeat(100_000)}</h1>`;
    const statements = statementsOf(shopPage({ title: 'x'.repeat(100_000), head, body }));
    expect(statements.capped).toBe(true);
    expect(JSON.stringify(statements).length).toBeLessThan(60_000);
  });

  it('is absent if reading stopped, and for a page that is closed', () => {
    const html = shopPage({ title: 'Copper lamp', body: '<h1>Copper lamp</h1>' });
    expect(readPage(html, { url: URL, maxSteps: 10 }).statements).toBeUndefined();
    const closed =
      '<title>Opening soon</title><h1>Opening soon</h1><form action="/password"><input type="password"></form>';
    expect(readPage(closed, { url: URL }).statements).toBeUndefined();
  });
});
