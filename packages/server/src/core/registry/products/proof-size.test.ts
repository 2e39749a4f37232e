import {
  assetClaims,
  DOCUMENT_FORMS,
  imageClaims,
  prepareProof,
  productClaims,
} from '@touchstone/certificate/issue';
import { StoreCreateSchema } from '@touchstone/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkRow } from './read-rows.ts';

const ID = '01234567-89ab-4def-8123-456789abcdef';
/** A host of 253 characters. */
const HOST = `${'a'.repeat(62)}.${'b'.repeat(62)}.${'c'.repeat(62)}.${'d'.repeat(62)}.x`;

describe('the limits of rows and stores', () => {
  // every kind of character: one byte, escaped to six, two, three, four
  const characters = ['a', '\u0001', '"', 'é', '商', '😀'];
  const filled = (max: number) =>
    fc
      .tuple(fc.constantFrom(...characters), fc.nat(max))
      .map(([character, length]) => character.repeat(length));
  const row = fc.record({
    externalProductId: filled(200),
    name: filled(300),
    url: filled(2048).map((path) => `https://${HOST}/${path}`),
    images: filled(2048).map((path) => [{ url: `https://cdn.example/${path}` }]),
  });
  const store = fc.record({ name: filled(300), url: filled(500).map((path) => `https://${HOST}/${path}`) });

  it('admit nothing that makes a proof of over 8 KB', () => {
    let made = 0;
    fc.assert(
      fc.property(row, store, (rowInput, storeInput) => {
        if (proofsOf(rowInput, storeInput) !== 'refused') made += 1;
      }),
      { numRuns: 4000 },
    );
    expect(made).toBeGreaterThan(50);
  });

  it('admit as much as still fits into a proof', () => {
    const fill = (total: number) => {
      const start = `https://${HOST}/`;
      return start + 'x'.repeat(total - start.length);
    };
    const longest = { name: '商'.repeat(300), url: fill(500) };
    const rowOf = (bytes: number) => ({
      externalProductId: 'i'.repeat(200),
      name: 'n'.repeat(300),
      url: fill(1200),
      images: [{ url: fill(bytes - 1700) }],
    });
    expect(proofsOf(rowOf(2400), longest)).toBe('fits');
    expect(proofsOf(rowOf(2401), longest)).toBe('refused');
    expect(proofsOf(rowOf(2400), { ...longest, url: fill(501) })).toBe('refused');
  });

  it('are sufficient for what real shops send', () => {
    const checked = checkRow({
      externalProductId: 'gid://shopify/Product/8123456789012',
      url: `https://shop.example/products/${'long-handle-'.repeat(30)}`,
      name: '商'.repeat(300),
      images: [{ url: `https://cdn.example/${'x'.repeat(900)}.jpg?v=1` }],
    });
    expect(checked.ok).toBe(true);
  });
});

/** Characters that verifiers accept. */
const LONGEST_PROOF = 8192;
/** Characters that the longest proof leaves for a claim to come. */
const RESERVED = 90;
/** Of the signature by the longest key, base64url. */
const SIGNATURE = 683;

/** Makes every kind of proof of what the schemas let through; throws when one does not fit. */
function proofsOf(rowInput: unknown, storeInput: object): 'refused' | 'fits' {
  const checked = checkRow(rowInput);
  const parsed = StoreCreateSchema.safeParse({ ...storeInput, merchantId: ID });
  if (!checked.ok || !parsed.success) return 'refused';
  const hashes = { uhash: 'f'.repeat(64), phash: 'f'.repeat(64) };
  const image = {
    imageId: ID,
    contentUrl: checked.row.images?.[0]?.url ?? '',
    // as for an image that the service has signed while the shop serves the original file
    credentials: { hasC2PA: true, hasManifest: true, hashes, sourceUhash: 'f'.repeat(64) },
  };
  const { externalProductId, name, url } = checked.row;
  const snapshot = {
    externalProductId,
    name,
    url,
    productId: ID,
    domain: HOST,
    storeName: parsed.data.name,
    storeUrl: parsed.data.url,
    attributes: [],
    // the longest name of a method
    control: { method: 'well_known', checkedAt: '2026-11-20T10:00:00.000Z' },
    images: [image],
  };
  // the longest base address that the settings accept
  const issuer = `https://${'i'.repeat(92)}`;
  const issuanceOf = (kind: 'product' | 'asset' | 'image') => {
    const members = DOCUMENT_FORMS[kind].digested.map((member) => [member, 'd'.repeat(43)] as const);
    const bound = { namespace: `${issuer}/ns#`, members: Object.fromEntries(members) };
    return { issuer, issuedAt: new Date('2026-11-20T10:00:00Z'), bound };
  };
  const intents = [
    prepareProof('product', productClaims(snapshot, issuanceOf('product')), 'k'.repeat(43)),
    prepareProof('asset', assetClaims(snapshot, image, issuanceOf('asset')), 'k'.repeat(43)),
    prepareProof('image', imageClaims(snapshot, image, issuanceOf('image')), 'k'.repeat(43)),
  ];
  for (const { kind, header, payload } of intents) {
    const free = LONGEST_PROOF - `${header}.${payload}.`.length - SIGNATURE;
    if (free < RESERVED) throw new RangeError(`the proof of this ${kind} leaves ${free} characters`);
  }
  return 'fits';
}
