import { describe, expect, it } from 'vitest';
import { PRICE_PROPERTIES } from '../agreement/signed-values.ts';
import { createTestIssuer, TEST_ISSUER, TEST_NOW, TEST_PRODUCT } from '../testing/issuer.ts';
import { itemContradictions } from './contradictions.ts';
import type { ItemVerification, StatedItem } from './types.ts';
import { verifyItem } from './verify-item.ts';

const issuer = await createTestIssuer();
const GTIN = '04012345123456';
const HASH = 'ab'.repeat(32);
const [front, back] = TEST_PRODUCT.images;
const product = {
  ...TEST_PRODUCT,
  brand: 'Kiln',
  gtin: '4012345123456',
  control: { method: 'dns_txt', checkedAt: '2026-02-27T09:00:00Z' },
  images: [
    { ...front, credentials: { hasC2PA: true, hasManifest: true, hashes: { uhash: HASH, phash: '0' } } },
    back,
  ],
  attributes: [
    { name: PRICE_PROPERTIES.amount, value: '24.90' },
    { name: PRICE_PROPERTIES.currency, value: 'EUR' },
    { name: PRICE_PROPERTIES.since, value: '2026-02-01' },
  ],
} as typeof TEST_PRODUCT;
const document = await issuer.certificate({ product });
const carried = [{ place: 'metadata.example', document }];

const GENUINE: StatedItem = {
  id: 'cup-1',
  link: 'https://shop.example/products/cup?utm_source=feed',
  name: 'Stoneware cup',
  brands: ['KILN'],
  skus: ['cup 1'],
  gtins: [GTIN],
  pictures: [
    { url: 'https://shop.example/cup-front.jpg' },
    { url: 'https://shop.example/cup-back_600x.jpg' },
  ],
  prices: [{ amount: '24.9', currency: 'EUR' }],
  availability: 'InStock',
  others: ['hasCertification'],
  certificates: carried,
};

async function verified(changes: Partial<StatedItem> = {}, more: { source?: string; now?: Date } = {}) {
  const options = { trustedIssuers: [TEST_ISSUER], jwks: issuer.jwks, now: TEST_NOW, ...more };
  const result = await verifyItem({ ...GENUINE, ...changes }, options);
  expect(itemContradictions(result)).toEqual([]);
  expect(result.conclusion.level).not.toBe('good');
  return result;
}

const told = ({ status, conclusion }: ItemVerification) => [status, conclusion.level, conclusion.code];
const named = ({ fields }: ItemVerification, wanted: string) =>
  Object.entries(fields).flatMap(([name, { result }]) => (result === wanted ? [name] : []));

describe('a genuine item', () => {
  it('agrees in every field that is signed, and its page was not seen', async () => {
    const result = await verified({}, { source: 'https://shop.example/feed.xml' });
    expect(told(result)).toEqual(['verified', 'none', 'item_agrees']);
    expect(named(result, 'agrees')).toEqual([
      'host',
      'page',
      'name',
      'brand',
      'sku',
      'gtin',
      'pictures',
      'price',
    ]);
    expect(result.fields.availability).toEqual({
      result: 'not_compared',
      why: 'not_signed',
      stated: 'InStock',
    });
    expect(result).toMatchObject({
      certificate: 'carried',
      place: 'metadata.example',
      notCompared: ['hasCertification'],
      offeredBy: 'shop.example',
    });
  });

  it.each<[string, Partial<StatedItem>]>([
    ['a GS1 Digital Link', { gtins: ['https://id.gs1.org/01/04012345123456/10/LOT?17=271231'] }],
    ['a Digital Link of the brand', { gtins: ['http://brand.example/shop/01/4012345123456'] }],
    [
      'a picture known by its hash',
      { pictures: [{ url: 'https://cdn.example/1', sha256: HASH.toUpperCase() }] },
    ],
    ['the name of the shop in the name', { name: 'Stoneware Cup | The Shop' }],
    ['its brand in the name', { name: 'Kiln stoneware cup' }],
    ['a link that selects a variant', { links: ['https://shop.example/products/cup?variant=4'] }],
  ])('agrees with %s', async (_, changes) => {
    expect(told(await verified(changes))).toEqual(['verified', 'none', 'item_agrees']);
  });

  it('with words of its variant in the name is told apart by its numbers', async () => {
    const result = await verified({ name: 'Stoneware cup - Blue / L', options: ['Blue', 'L'] });
    expect(result.fields.name).toMatchObject({ result: 'not_compared', why: 'variant_words' });
    expect(told(result)).toEqual(['verified', 'none', 'item_agrees']);
    const bare = { name: 'Blue / L', options: ['Blue', 'L'], gtins: [], brands: [] };
    expect(told(await verified(bare))).toEqual(['verified', 'none', 'item_unclear']);
  });
});

describe('an altered item', () => {
  it.each<[string, Partial<StatedItem>]>([
    ['name', { name: 'Stoneware cup Pro' }],
    ['name', { name: 'Cup' }],
    ['name', { name: 'Фарфоровая чашка' }],
    ['name', { name: '☕' }],
    ['name', { name: `Stoneware cup ${'x'.repeat(600)}` }],
    ['brand', { brands: ['Rolex'] }],
    ['brand', { brands: ['Kiln', 'Rolex'] }],
    ['sku', { skus: ['CUP-2'] }],
    ['sku', { skus: ['CUP-1', 'CUP-2'] }],
    ['gtin', { gtins: ['4012345123463'] }],
    ['gtin', { gtins: ['4012345123457'] }],
    ['gtin', { gtins: ['https://id.gs1.org/01/04012345123463'] }],
    ['gtin', { gtins: [GTIN, '00000000000000'] }],
    ['pictures', { pictures: [...(GENUINE.pictures ?? []), { url: 'https://shop.example/mug.jpg' }] }],
    ['pictures', { pictures: [{ url: 'https://shop.example/cup-front.jpg', sha256: 'cd'.repeat(32) }] }],
    ['page', { links: ['https://shop.example/products/mug'] }],
  ])('differs in %s %#', async (field, changes) => {
    const result = await verified(changes);
    expect(named(result, 'differs')).toEqual([field]);
    expect(told(result)).toEqual(['verified', 'caution', 'item_differs']);
  });

  it('differs however many values that agree come first', async () => {
    const links = Array.from({ length: 6_000 }, (_, at) => `https://shop.example/products/cup?variant=${at}`);
    expect((await verified({ links: links.slice(0, 4_000) })).fields.page.result).toBe('agrees');
    const last = 'https://shop.example/products/mug';
    expect((await verified({ links: [...links.slice(0, 4_000), last] })).fields.page).toMatchObject({
      result: 'differs',
      stated: last,
    });
    expect(named(await verified({ links }), 'differs')).toEqual(['host', 'page']);
  });

  it('asks another price: that is told, and leaves it open what it is', async () => {
    const result = await verified({ prices: [{ amount: '4.90', currency: 'EUR' }] });
    expect(result.fields.price).toEqual({ result: 'differs', signed: '24.90 EUR', stated: '4.90 EUR' });
    expect(result.warnings[0]).toMatch(/^item_price_differs:/);
    expect(told(result)).toEqual(['verified', 'none', 'item_unclear']);
    const abroad = await verified({ prices: [{ amount: '26.10', currency: 'USD' }] });
    expect(abroad.fields.price).toMatchObject({ result: 'not_compared', why: 'other_currency' });
    const net = await verified({ prices: [{ amount: '20.92', currency: 'EUR' }] });
    expect(net.fields.price).toMatchObject({ result: 'not_compared', why: 'tax_unknown' });
  });
});

describe('five cheats', () => {
  it('another host', async () => {
    const result = await verified({ link: 'https://copy.example/products/cup' });
    expect(told(result)).toEqual(['failed', 'bad', 'another_host']);
    expect(named(result, 'differs')).toEqual(['host', 'page']);
  });

  it('the genuine link and certificate in an offer of somebody else', async () => {
    const result = await verified({}, { source: 'copy.example' });
    expect(result.offeredBy).toBe('copy.example');
    expect(told(result)).toEqual(['verified', 'caution', 'item_offered_elsewhere']);
  });

  it('a stale certificate', async () => {
    const result = await verified({}, { now: new Date('2026-04-01T12:00:00Z') });
    expect(told(result)).toEqual(['failed', 'caution', 'certificate_expired']);
  });

  it('the certificate of another product', async () => {
    const other = { ...product, productId: '7c9e6679-7425-40de-944b-e07fc1f90ae7', name: 'Mug' };
    const ofAnotherPage = await issuer.certificate({
      product: { ...other, url: 'https://shop.example/products/mug' },
    });
    const result = await verified({ certificates: [{ place: 'x', document: ofAnotherPage }] });
    expect(told(result)).toEqual(['failed', 'bad', 'another_page']);
    const onTheSamePage = await issuer.certificate({ product: other });
    const same = await verified({ certificates: [{ place: 'x', document: onTheSamePage }] });
    expect(told(same)).toEqual(['verified', 'caution', 'item_differs']);
    expect(named(same, 'differs')).toEqual(['name']);
  });

  it('a certificate that nobody signed, or that was changed', async () => {
    const forged = await (await createTestIssuer()).certificate({ product });
    const result = await verified({ certificates: [{ place: 'x', document: forged }] });
    expect(told(result)).toEqual(['failed', 'bad', 'not_signed_by_issuer']);
    expect(new Set(Object.values(result.fields).map(({ why }) => why))).toEqual(new Set(['item_unsigned']));
    const altered = { ...document, additionalProperty: [] };
    const other = await verified({ certificates: [{ place: 'x', document: altered }] });
    expect(told(other)).toEqual(['failed', 'bad', 'altered']);
    const without = await verified({ link: undefined, certificates: [{ place: 'x', document: forged }] });
    expect(told(without)).toEqual(['failed', 'bad', 'not_signed_by_issuer']);
  });
});

describe('what is known of an item', () => {
  it('is nothing if it carries no certificate', async () => {
    const result = await verified({ certificates: [] });
    expect(told(result)).toEqual(['unverified', 'none', 'unverified']);
    expect(result).toMatchObject({ certificate: 'none' });
    expect(result).not.toHaveProperty('productId');
  });

  it('is what was signed if it links to no page', async () => {
    const result = await verified({ link: undefined });
    expect(told(result)).toEqual(['failed', 'none', 'item_without_page']);
    expect(result.fields.name.result).toBe('agrees');
  });

  it('rests on a verified one of several certificates', async () => {
    const forged = await (await createTestIssuer()).certificate();
    const certificates = [{ place: 'a', document: 'x' }, { place: 'b', document: forged }, ...carried];
    expect((await verified({ certificates })).place).toBe('metadata.example');
    expect((await verified({ certificates: certificates.slice(0, 2) })).place).toBe('b');
  });
});
