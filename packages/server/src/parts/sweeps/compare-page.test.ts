import { createTestIssuer, TEST_ISSUER, TEST_NOW, TEST_PRODUCT } from '@touchstone/certificate/testing';
import { createKeySet, verify } from '@touchstone/certificate/verify';
import { readFacts } from '@touchstone/facts';
import { judgePage, type PageReport } from '@touchstone/page';
import { readPage } from '@touchstone/page/read';
import { describe, expect, it } from 'vitest';
import { type CataloguedProduct, comparePage } from './compare-page.ts';

const issuer = await createTestIssuer();
const keySet = createKeySet(issuer.jwks);
const { url } = TEST_PRODUCT;
const PICTURE = 'https://shop.example/cup-front.jpg';
const CUP: CataloguedProduct = {
  productName: 'Stoneware cup',
  storeName: 'The Shop',
  domain: 'shop.example',
  brand: 'Potters Guild',
  sku: 'CUP-1',
  gtin: '4006381333931',
  pictures: [PICTURE],
  price: { amount: '24.90', currency: 'EUR' },
  availability: 'InStock',
};
const OFFER = {
  '@type': 'Offer',
  price: '24.90',
  priceCurrency: 'EUR',
  availability: 'https://schema.org/InStock',
};
const STATED = {
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Stoneware cup',
  brand: 'Potters Guild',
  sku: 'CUP-1',
  gtin13: '4006381333931',
  image: PICTURE,
  offers: OFFER,
};

/** What a check finds of a page that states this, with the heading. */
async function seen(
  stated: { readonly name?: string } & Readonly<Record<string, unknown>>,
  { certificate, html = '', at = url }: { certificate?: object; html?: string; at?: string } = {},
) {
  const nodes = [...(certificate === undefined ? [] : [certificate]), stated];
  const scripts = nodes.map((node) => `<script type="application/ld+json">${JSON.stringify(node)}</script>`);
  const page = `<html lang="en"><head><title>${stated.name}</title>${scripts.join('')}</head><body><h1>${stated.name}</h1>${html}</body></html>`;
  const reading = readPage(page, { url: at, namespaceUrl: `${TEST_ISSUER}/ns#` }, readFacts);
  const outcome = { kind: 'page', status: 200, reading } as const;
  const observation = { url, finalUrl: at, fetchedAt: TEST_NOW.toISOString(), outcome };
  const checked = await judgePage(observation, {
    baseUrls: [TEST_ISSUER],
    verifyProduct: (productId, { document, pageUrl }) =>
      verify({ document, pageUrl, productId, keySet, issuers: [TEST_ISSUER], now: TEST_NOW }),
  });
  const { decidedBy } = checked.verdict;
  return {
    observation,
    report: checked.report as PageReport,
    ...(decidedBy?.kind === 'checked' && { certificate: decidedBy.node }),
  };
}

describe('a page', () => {
  it('that states what the catalogue states does not differ', async () => {
    const { differences, settled } = comparePage(CUP, await seen(STATED), true);
    expect(differences).toEqual([]);
    expect([...settled].toSorted()).toEqual([
      'availability',
      'brand',
      'gtin',
      'name',
      'pictures',
      'price',
      'sku',
    ]);
  });

  it('differs in each field of which it clearly states something else', async () => {
    const other = {
      ...STATED,
      brand: 'Rolex',
      sku: 'XY-99',
      gtin13: '5901234123457',
      image: 'https://shop.example/kettle.jpg',
      offers: { ...OFFER, price: '31.90', availability: 'https://schema.org/OutOfStock' },
    };
    expect(comparePage(CUP, await seen(other), true).differences).toEqual([
      { field: 'brand', catalogue: 'Potters Guild', page: 'Rolex' },
      { field: 'sku', catalogue: 'CUP-1', page: 'XY-99' },
      { field: 'gtin', catalogue: '4006381333931', page: '5901234123457' },
      { field: 'pictures', catalogue: PICTURE, page: 'https://shop.example/kettle.jpg' },
      { field: 'price', catalogue: '24.90 EUR', page: '31.90 EUR' },
      { field: 'availability', catalogue: 'InStock', page: 'OutOfStock' },
    ]);
    const named = { ...other, name: 'Rolex Submariner' };
    const { differences } = comparePage(CUP, await seen(named), true);
    expect(differences[0]).toEqual({ field: 'name', catalogue: 'Stoneware cup', page: 'Rolex Submariner' });
    // other pictures are to be expected of another product
    expect(differences.map(({ field }) => field)).not.toContain('pictures');
  });

  it('does not differ in pictures that it has from another host', async () => {
    const served = { ...STATED, image: 'https://cdn.example/8f3a.webp' };
    const { differences, settled } = comparePage(CUP, await seen(served), true);
    expect([differences, settled.has('pictures')]).toEqual([[], false]);
  });

  it('differs in a number that is that of no variant, with the same name and pictures', async () => {
    const numbered = { ...STATED, sku: 'CUP-2' };
    expect(comparePage(CUP, await seen(numbered), true).differences).toEqual([
      { field: 'sku', catalogue: 'CUP-1', page: 'CUP-2' },
    ]);
    const offers = [OFFER, { ...OFFER, price: '29.90', sku: 'CUP-3' }];
    const ofVariants = comparePage(CUP, await seen({ ...numbered, offers }), true);
    expect(ofVariants.differences).toEqual([]);
    expect(ofVariants.settled.has('sku')).toBe(false);
    // what is no GTIN cannot differ from one
    const { differences } = comparePage({ ...CUP, gtin: '123' }, await seen(STATED), true);
    expect(differences).toEqual([]);
  });

  it('says nothing of what the catalogue does not state', async () => {
    const { brand: _b, sku: _s, gtin: _g, pictures: _p, price: _c, availability: _a, ...bare } = CUP;
    const other = { ...STATED, brand: 'Rolex', sku: 'XY', offers: { ...OFFER, price: '99' } };
    expect(comparePage(bare, await seen(other), true).differences).toEqual([]);
  });

  it('shows and ends no difference if it was not read, is another page or states no product', async () => {
    const nothing = { differences: [], settled: new Set() };
    const failed = {
      ...(await seen(STATED)),
      observation: {
        url,
        finalUrl: url,
        fetchedAt: '',
        outcome: { kind: 'failed', code: 'timed_out', detail: '' },
      },
    } as const;
    expect(comparePage(CUP, failed, true)).toEqual(nothing);
    const elsewhere = await seen({ ...STATED, name: 'Kettle' }, { at: 'https://shop.example/' });
    expect(comparePage(CUP, elsewhere, true)).toEqual(nothing);
    const article = await seen({ name: 'Our pottery' });
    expect(comparePage(CUP, article, true)).toEqual(nothing);
  });
});

describe('the certificate of a page', () => {
  const attributes = [
    { name: 'price', value: '31.90' },
    { name: 'priceCurrency', value: 'EUR' },
    { name: 'priceSince', value: '2026-02-20' },
  ];
  const images = TEST_PRODUCT.images.slice(0, 1);

  it('is compared as well, unless a newer one has been issued', async () => {
    const certificate = await issuer.certificate({ product: { brand: 'Kiln & Co', attributes, images } });
    const answer = await seen(STATED, { certificate });
    expect(answer.report.verdict).toBe('verified');
    expect(comparePage(CUP, answer, false).differences).toEqual([
      { field: 'brand', signed: 'Kiln & Co', page: 'Potters Guild' },
      { field: 'price', signed: '31.90 EUR', page: '24.90 EUR' },
    ]);
    expect(comparePage(CUP, answer, true).differences).toEqual([]);
  });

  it('and the catalogue are told together', async () => {
    const certificate = await issuer.certificate({ product: { attributes, images } });
    const stated = { ...STATED, offers: { ...OFFER, price: '49.90' } };
    expect(comparePage(CUP, await seen(stated, { certificate }), false).differences).toEqual([
      { field: 'price', catalogue: '24.90 EUR', signed: '31.90 EUR', page: '49.90 EUR' },
    ]);
  });
});
