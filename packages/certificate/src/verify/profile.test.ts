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
import { type ManifestReading, PROFILE_CHECKS, type ProfileInput } from './profile-types.ts';

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
const none = { minimal: 'untrusted', standard: 'untrusted', full: 'untrusted' };
const later = (seconds: number) => new Date(TEST_NOW.getTime() + seconds * 1000);

describe('a valid certificate of an image, with its bytes', () => {
  it('is trusted by every profile, with neither network nor registry', async () => {
    const { profiles, checks, errors, warnings } = await check();
    expect([profiles, errors, warnings]).toEqual([all, [], []]);
    expect(PROFILE_CHECKS.map((name) => checks[name].result)).toEqual(PROFILE_CHECKS.map(() => true));
  });

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

describe('each profile requires more than the previous one', () => {
  it.each<[string, Partial<ProfileInput>, object, string]>([
    [
      'another site',
      { context: { domain: 'evil.example', pageUrl: TEST_PRODUCT.url } },
      none,
      'domain_differs',
    ],
    ['a stranger’s issuer', { issuers: ['https://other.example'] }, none, 'issuer_untrusted'],
    ['past its week', { now: later(700_000) }, none, 'proof_expired'],
    ['the wrong kind', { kind: 'image' }, none, 'proof_kind_wrong'],
    [
      'another page',
      { context: { domain: 'shop.example', pageUrl: 'https://shop.example/products/mug' } },
      { ...none, minimal: 'trusted' },
      'url_differs',
    ],
    [
      'another product',
      { context: { domain: 'shop.example', productId: '00000000-0000-4000-8000-000000000000' } },
      { ...none, minimal: 'trusted' },
      'product_differs',
    ],
    ['other bytes', { image: new Uint8Array([1]) }, { ...all, full: 'untrusted' }, 'image_differs'],
    [
      'no manifest',
      { readManifest: () => ({ ...sound, hasManifest: false, valid: false }) },
      { ...all, full: 'untrusted' },
      'manifest_absent',
    ],
    [
      'a manifest that does not validate',
      {
        readManifest: async () => ({
          ...sound,
          valid: false,
          failures: [{ code: 'assertion.dataHash.mismatch' }],
        }),
      },
      { ...all, full: 'untrusted' },
      'manifest_invalid',
    ],
  ])('%s', async (_, changes, profiles, code) => {
    const result = await check(changes);
    expect(result.profiles).toEqual(profiles);
    expect(result.errors.map((error) => error.slice(0, error.indexOf(':')))).toContain(code);
  });
});

describe('what could not be checked is neither a failure nor a pass', () => {
  it.each<[string, Partial<ProfileInput>, object]>([
    ['no bytes', { image: undefined } as object, { ...all, full: 'undetermined' }],
    ['nothing that reads manifests', { readManifest: undefined } as object, { ...all, full: 'undetermined' }],
    [
      'neither page nor product',
      { context: { domain: 'shop.example' } },
      { minimal: 'trusted', standard: 'undetermined', full: 'undetermined' },
    ],
  ])('%s', async (_, changes, profiles) => {
    const result = await check(changes);
    expect([result.profiles, result.errors]).toEqual([profiles, []]);
  });

  it('either page or product is enough context', async () => {
    const { domain, url: pageUrl, productId } = TEST_PRODUCT;
    expect((await check({ context: { domain, pageUrl } })).profiles).toEqual(all);
    expect((await check({ context: { domain, productId } })).profiles).toEqual(all);
  });

  it('the certificate of a product contains no image hash, so it never reaches Full', async () => {
    const result = await check({ document: await issuer.certificate(), kind: 'product' });
    expect(result.profiles).toEqual({ ...all, full: 'undetermined' });
    expect(result.checks.imageBound).toEqual({ result: null, reason: 'image_unbound' });
  });
});

describe('without a valid proof neither Standard nor Full is reached', () => {
  const unsigned = { ...none, minimal: 'undetermined' };
  it.each<[string, unknown, object]>([
    ['nothing', undefined, unsigned],
    ['an identity-only document', { '@type': 'ImageObject' }, unsigned],
    ['a graph', { '@graph': [] }, unsigned],
    ['a malformed proof', { proof: { jwt: 'x' } }, none],
  ])('%s', async (_, given, profiles) => {
    expect((await check({ document: given })).profiles).toEqual(profiles);
  });

  it('a forged certificate', async () => {
    const forger = await createTestIssuer(issuer.kid);
    const jwt = await forger.sign(assetClaims(TEST_PRODUCT, image, issuance), { typ: PROOF_TYP.asset });
    expect((await check({ document: { ...issued, proof: { jwt } } })).profiles).toEqual(none);
  });

  it('a result in the document changes nothing, whatever a server said', async () => {
    const { proof: _, ...identity } = issued;
    const claimed = {
      ...identity,
      verified: true,
      checks: { certificateConsistency: true, c2paValid: true },
    };
    expect((await check({ document: claimed })).profiles).toEqual(unsigned);
  });
});

describe('what the document repeats must equal what was signed', () => {
  it.each([
    ['contentUrl', { contentUrl: 'https://shop.example/other.jpg' }],
    ['the asset', { 'svc:issuedFor': { assetId: '00000000-0000-4000-8000-000000000000' } }],
    ['the page', { 'svc:issuedFor': { url: 'https://shop.example/products/mug' } }],
    [
      'a hash',
      { 'svc:contentCredentials': { hasC2PA: true, hashes: { uhash: 'ff', phash: '0123456789abcdef' } } },
    ],
    ['a hash that is not a string', { cryptographicProof: { uhash: { value: 7 } } }],
  ])('%s', async (_, changes) => {
    const { checks, profiles } = await check({ document: await assetDocument({}, changes) });
    expect(checks.certificateIntegrity.reason).toBe('document_differs');
    expect(profiles).toEqual(none);
  });

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

describe('the file that the certified one was signed from', () => {
  const source = new TextEncoder().encode('the bytes before they were signed');
  const sourceUhash = createHash('sha256').update(source).digest('hex');
  const bare = { ...sound, hasManifest: false, valid: false };

  it('is the shop’s own: bound by the proof, without passing Full and without being called altered', async () => {
    const signed = await assetDocument({ sourceUhash });
    const { profiles, checks, warnings, errors } = await check({
      document: signed,
      image: source,
      readManifest: () => bare,
    });
    expect([profiles, errors]).toEqual([{ ...all, full: 'undetermined' }, []]);
    expect(checks.imageBound).toEqual({ result: true, reason: 'image_source' });
    expect(checks.c2paValid).toEqual({ result: null, reason: 'manifest_in_certified_file' });
    expect(warnings).toEqual([expect.stringMatching(/^image_source: /)]);
    // the certified file itself, under the same proof
    expect((await check({ document: signed })).profiles).toEqual(all);
  });

  it.each([
    ['is other bytes where the proof does not name it', {}, 'image_differs'],
    ['is other bytes if the proof names another', { sourceUhash: 'ff' }, 'image_differs'],
    ['is a hash of the wrong type', { sourceUhash: 7 }, 'claim_wrong_type'],
  ])('%s', async (_, claims, reason) => {
    const { profiles, checks } = await check({
      document: await assetDocument(claims),
      image: source,
      readManifest: () => bare,
    });
    expect([profiles.full, checks.imageBound.reason]).toEqual(['untrusted', reason]);
    expect(checks.c2paValid.reason).toBe('manifest_absent');
  });

  it('must be the signed one if the document repeats its hash', async () => {
    const credentials = { ...image.credentials, sourceUhash: 'ff' };
    const document = await assetDocument({ sourceUhash }, { 'svc:contentCredentials': credentials });
    expect((await check({ document })).checks.certificateIntegrity.reason).toBe('document_differs');
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

  it.each([
    ['its own host', signedFor('shop.example')],
    ['its own product, under a former host', signedFor('former.example', TEST_PRODUCT.productId)],
    ['nothing valid, since its manifest does not validate', { ...signedFor('other.example'), valid: false }],
  ])('is absent if it names %s', async (_, reading) => {
    expect((await check({ readManifest: () => reading })).checks.imageBound.reason).toBe('ok');
  });
});

it('an unlisted signer is a warning: integrity and trust are separate questions', async () => {
  const readManifest = () => ({ ...sound, trust: { status: 'untrusted', list: 'test' } }) as const;
  const { profiles, warnings } = await check({ readManifest });
  expect(profiles).toEqual(all);
  expect(warnings).toEqual([expect.stringMatching(/^signer_untrusted: /)]);
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
