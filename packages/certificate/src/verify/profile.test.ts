import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { assetClaims, imageClaims } from '../claims/build-claims.ts';
import type { ImageSnapshot } from '../claims/snapshot.ts';
import { assetCertificate } from '../document/asset-certificate.ts';
import { fullImageCertificate } from '../document/image-certificate.ts';
import { createKeySet } from '../keys/key-set.ts';
import { PROOF_TYP } from '../proof/proof-rules.ts';
import { createTestIssuer, TEST_ISSUER, TEST_NOW, TEST_PRODUCT, type TestIssuer } from '../testing/issuer.ts';
import { verifyProfiles } from './profile.ts';
import type { ManifestReading, ProfileInput } from './profile-types.ts';

const bytes = new TextEncoder().encode('the bytes of the image');
const uhash = createHash('sha256').update(bytes).digest('hex');
const image: ImageSnapshot = {
  imageId: '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01',
  contentUrl: 'https://shop.example/cup-front.jpg',
  credentials: { hasC2PA: true, hasManifest: true, hashes: { uhash, phash: '0123456789abcdef' } },
};
const addresses = { baseUrl: TEST_ISSUER, namespaceUrl: `${TEST_ISSUER}/ns#` };
const issuance = { issuer: TEST_ISSUER, issuedAt: TEST_NOW };
const sound: ManifestReading = {
  hasManifest: true,
  valid: true,
  failures: [],
  trust: { status: 'trusted', list: 'test' },
};

let issuer: TestIssuer;
let issued: Record<string, unknown>;

beforeAll(async () => {
  issuer = await createTestIssuer();
  issued = await assetDocument();
});

async function assetDocument(claims: object = {}, changes: object = {}): Promise<Record<string, unknown>> {
  const signed = { ...assetClaims(TEST_PRODUCT, image, issuance), ...claims };
  const jwt = await issuer.sign(signed, { typ: PROOF_TYP.asset });
  const proof = { jwt, kid: issuer.kid, issuedAt: TEST_NOW.toISOString() };
  return { ...assetCertificate(TEST_PRODUCT, image, proof, addresses), ...changes };
}

function check(changes: Partial<ProfileInput> = {}) {
  return verifyProfiles({
    document: issued,
    kind: 'asset',
    keySet: createKeySet(issuer.jwks),
    issuers: [TEST_ISSUER],
    now: TEST_NOW,
    context: { domain: 'shop.example', pageUrl: TEST_PRODUCT.url, productId: TEST_PRODUCT.productId },
    image: bytes,
    readManifest: () => sound,
    ...changes,
  });
}

const all = { minimal: 'trusted', standard: 'trusted', full: 'trusted' };

describe('a valid certificate of an image, with its bytes', () => {
  it('is trusted as an image-keyed one too, and as a string', async () => {
    const jwt = await issuer.sign(imageClaims(TEST_PRODUCT, image, issuance), { typ: PROOF_TYP.image });
    const proof = { jwt, kid: issuer.kid, issuedAt: TEST_NOW.toISOString(), expiresAt: '' };
    const domains = { authorizedDomains: ['shop.example'], domainVerified: true };
    const full = fullImageCertificate(TEST_PRODUCT, image, proof, domains, addresses);
    expect((await check({ document: full, kind: 'image' })).profiles).toEqual(all);
    expect((await check({ document: JSON.stringify(issued) })).profiles).toEqual(all);
  });
});

it('has no result for the domain if none is given, and no profile can be trusted', async () => {
  const { checks, profiles, errors } = await check({ context: {} });
  expect(checks.boundToDomain).toEqual({ result: null, reason: 'context_not_given' });
  expect(profiles).toEqual({ minimal: 'undetermined', standard: 'undetermined', full: 'undetermined' });
  expect(errors).toEqual([]);
});

describe('what the document repeats must equal what was signed', () => {
  it.each([
    ['an identifier that is not a string', { 'svc:issuedFor': { assetId: 7 } }, {}],
    [
      'a hash that is signed as a number',
      { 'svc:contentCredentials': { hashes: { phash: 7 } } },
      { phash: 7 },
    ],
  ])('%s equals nothing', async (_, changes, claims) => {
    const { checks } = await check({ document: await assetDocument(claims, changes) });
    expect(checks.certificateIntegrity.reason).toBe('document_differs');
  });

  const other = '00000000-0000-4000-8000-000000000000';

  it.each([
    ['contentUrl', 'https://shop.example/other.jpg'],
    ['imageId', other],
    ['svc:issuedFor.assetId', other],
    ['svc:issuedFor.url', 'https://shop.example/products/mug'],
    ['svc:contentCredentials.hashes.uhash', 'ff'],
    ['svc:contentCredentials.hashes.phash', 'ff'],
    ['contentCredentials.hashes.uhash', 'ff'],
    ['contentCredentials.hashes.phash', 'ff'],
    ['cryptographicProof.uhash.value', 'ff'],
    ['cryptographicProof.phash.value', 'ff'],
  ])('in an image-keyed certificate too: %s', async (path, value) => {
    const jwt = await issuer.sign(imageClaims(TEST_PRODUCT, image, issuance), { typ: PROOF_TYP.image });
    const repeated = path.split('.').reduceRight((inner: unknown, name) => ({ [name]: inner }), value);
    const { checks } = await check({ kind: 'image', document: { ...Object(repeated), proof: { jwt } } });
    expect(checks.certificateIntegrity).toMatchObject({
      reason: 'document_differs',
      expected: expect.stringMatching(new RegExp(`^${path} .+`)),
      actual: value,
    });
  });

  it('by the rules for identifiers and URLs', async () => {
    const same = { assetId: image.imageId.toUpperCase(), url: `${TEST_PRODUCT.url}/?utm_source=mail` };
    expect((await check({ document: await assetDocument({}, { 'svc:issuedFor': same }) })).profiles).toEqual(
      all,
    );
  });

  it('and a fault of the proof itself is reported first', async () => {
    const document = await assetDocument({ exp: 0 }, { contentUrl: 'https://shop.example/other.jpg' });
    expect((await check({ document })).checks.certificateIntegrity.reason).toBe('lifetime_wrong');
  });

  it('and both are reported', async () => {
    const elsewhere = await assetDocument({}, { contentUrl: 'https://shop.example/other.jpg' });
    const { checks, errors } = await check({ document: elsewhere });
    expect(checks.certificateIntegrity).toEqual({
      result: false,
      reason: 'document_differs',
      expected: `contentUrl ${image.contentUrl}`,
      actual: 'https://shop.example/other.jpg',
    });
    expect(errors).toEqual([
      `document_differs: The document contradicts its signed proof. Expected contentUrl ${image.contentUrl}. Found https://shop.example/other.jpg.`,
    ]);
  });

  it.each([
    ['null', { contentUrl: null, 'svc:contentCredentials': null }],
    ['a text where members would be', { 'svc:contentCredentials': 'hashes', cryptographicProof: 'uhash' }],
  ])('what it does not state cannot differ: %s', async (_, changes) => {
    expect((await check({ document: await assetDocument({}, changes) })).profiles).toEqual(all);
  });

  it('the certificate of a product repeats no image', async () => {
    const product = await issuer.certificate({ document: { contentUrl: 'https://shop.example/other.jpg' } });
    expect((await check({ document: product, kind: 'product' })).profiles.standard).toBe('trusted');
  });

  it('and a hash in the document must have been signed', async () => {
    const { checks } = await check({ document: await assetDocument({ uhash: undefined }) });
    expect(checks.certificateIntegrity.reason).toBe('document_differs');
  });
});

describe('the compared values are reported', () => {
  it('of different bytes: both hashes, the signed one truncated', async () => {
    const signed = 'f'.repeat(300);
    const hashes = { hashes: { uhash: signed, phash: '0123456789abcdef' } };
    const long = await assetDocument({ uhash: signed }, { 'svc:contentCredentials': hashes });
    expect((await check({ document: long })).checks.imageBound).toEqual({
      result: false,
      reason: 'image_differs',
      expected: signed.slice(0, 200),
      actual: uhash,
    });
  });

  it('of a manifest: its C2PA failures, truncated', async () => {
    const c2paOf = async (...codes: readonly string[]) =>
      (
        await check({
          readManifest: () => ({ ...sound, valid: false, failures: codes.map((code) => ({ code })) }),
        })
      ).checks.c2paValid;
    const failed = { result: false, reason: 'manifest_invalid' };
    expect(await c2paOf()).toEqual(failed);
    expect(await c2paOf('a.b', 'c.d')).toEqual({ ...failed, actual: 'a.b, c.d' });
    expect(await c2paOf('x'.repeat(300))).toEqual({ ...failed, actual: 'x'.repeat(200) });
  });

  it('of a proof that cannot be read, and of a hash that is not a string', async () => {
    const unreadable = await check({ document: { proof: { jwt: 'x' } } });
    expect(unreadable.checks.imageBound).toEqual({ result: null, reason: 'proof_malformed' });
    expect(unreadable.errors).toEqual(['proof_malformed: The proof is not a compact JWS.']);
    const jwt = await issuer.sign(
      { ...assetClaims(TEST_PRODUCT, image, issuance), uhash: 7 },
      { typ: PROOF_TYP.asset },
    );
    expect((await check({ document: { proof: { jwt } } })).checks.imageBound).toEqual({
      result: false,
      reason: 'claim_wrong_type',
      expected: 'uhash: text',
    });
  });
});

describe('an image that the service signed for another store', () => {
  const signedFor = (host: string, productId = 'another') => ({
    ...sound,
    assertions: [
      {
        label: 'org.touchstone.product',
        data: { productId, productUrl: `https://${host}/cup`, storeUrl: `https://${host}` },
      },
    ],
  });

  it('is not trusted by Full, whatever the proof says about its bytes', async () => {
    const { profiles, checks, errors } = await check({ readManifest: () => signedFor('other.example') });
    expect(profiles).toEqual({ ...all, full: 'untrusted' });
    expect(checks.imageBound).toEqual({
      result: false,
      reason: 'image_issued_to_another_store',
      expected: 'shop.example',
      actual: 'other.example',
    });
    expect(errors).toEqual([
      expect.stringMatching(/^image_issued_to_another_store: .*Found other\.example\.$/),
    ]);
  });
});

it('no manifest is read if there are no bytes', async () => {
  const { profiles } = await verifyProfiles({
    document: issued,
    kind: 'asset',
    keySet: createKeySet(issuer.jwks),
    issuers: [TEST_ISSUER],
    now: TEST_NOW,
    context: { domain: 'shop.example' },
    readManifest: () => Promise.reject(new Error('asked')),
  });
  expect(profiles.full).toBe('undetermined');
});

it('a failure of the manifest reader is not a verdict', async () => {
  const readManifest = () => Promise.reject(new Error('out of memory'));
  await expect(check({ readManifest })).rejects.toThrow('out of memory');
});
