import { createHash } from 'node:crypto';
import type { CheckExpectation, ProfileCheck, ProfileVector } from '../kit/vectors.ts';
import { timestamp } from './builder.ts';
import type { Keys, VectorKey } from './keys.ts';
import { issuerKeySet, type Theme } from './theme.ts';
import {
  ASSET_ID,
  type Claims,
  compact,
  header,
  ISSUER,
  imageClaims,
  NOW,
  OTHER_PRODUCT_ID,
  PAGE_URL,
  PRODUCT_ID,
  proof,
  rs256,
  TYP,
  WEEK,
} from './tokens.ts';

/** Minimal, Standard and Full: the proof, its binding, and the bytes of the image. */
export function profiles(keys: Keys): Theme {
  return {
    name: 'profiles',
    about:
      'Offline verification by profiles: the proof and its domain, page and product, the bytes of an image.',
    jwks: { issuer: issuerKeySet(keys) },
    vectors: [
      ...sound(keys),
      ...inContext(keys),
      ...bytes(keys),
      ...sourceFiles(keys),
      ...signedForStores(keys),
      ...proofs(keys),
      ...repeated(keys),
    ].map(profileVector),
  };
}

const IMAGE = Buffer.from('the bytes of a kettle', 'utf8');
const OTHER_IMAGE = Buffer.from('the bytes of a pot', 'utf8');
const HASHES = { uhash: createHash('sha256').update(IMAGE).digest('hex'), phash: '0f1e2d3c4b5a6978' };

type Status = 'trusted' | 'untrusted' | 'undetermined';
const T = 'trusted';
const F = 'untrusted';
const U = 'undetermined';

export interface ProfileCase {
  readonly id: string;
  readonly title: string;
  readonly rules: readonly string[];
  readonly document?: unknown;
  readonly image?: Buffer | null;
  readonly context?: Partial<ProfileVector['context']>;
  /** Removes members of the context. */
  readonly without?: readonly ('pageUrl' | 'productId' | 'manifest')[];
  /** Status of Minimal, Standard, Full. */
  readonly profiles: readonly [Status, Status, Status];
  /** Every check other than `true, ok`: a failure by its reason, or `[null, reason]`, or `[true, reason]`. */
  readonly checks?: Partial<Record<ProfileCheck, string | readonly [null | true, string]>>;
  readonly warnings?: readonly string[];
}

const CHECKS = [
  'signatureValid',
  'certificateIntegrity',
  'timestampValid',
  'boundToDomain',
  'productIdMatches',
  'boundToUrl',
  'imageBound',
  'c2paValid',
] as const satisfies readonly ProfileCheck[];

/** A profile vector. The profiles and every check are written by hand; the errors are derived from them. */
export function profileVector(given: ProfileCase): ProfileVector {
  const checks = Object.fromEntries(
    CHECKS.map((name): [ProfileCheck, CheckExpectation] => {
      const answer = given.checks?.[name];
      if (answer === undefined) return [name, { result: true, reason: 'ok' }];
      return [
        name,
        typeof answer === 'string'
          ? { result: false, reason: answer }
          : { result: answer[0], reason: answer[1] },
      ];
    }),
  ) as Record<ProfileCheck, CheckExpectation>;
  const context = {
    certificateKind: 'asset' as const,
    domain: 'shop.example',
    pageUrl: PAGE_URL,
    productId: PRODUCT_ID,
    issuers: [ISSUER],
    now: timestamp(NOW),
    manifest: { hasManifest: true, valid: true, signer: 'trusted' as const },
    ...given.context,
  };
  for (const name of given.without ?? []) delete (context as Partial<typeof context>)[name];
  const [minimal, standard, full] = given.profiles;
  const failures = CHECKS.map((name) => checks[name]).filter(({ result }) => result === false);
  return {
    id: given.id,
    title: given.title,
    rules: given.rules,
    kind: 'profile',
    input: {
      ...('document' in given ? { document: given.document } : {}),
      ...(given.image === null ? {} : { image: (given.image ?? IMAGE).toString('base64') }),
    },
    context,
    jwks: 'issuer',
    expect: {
      profiles: { minimal, standard, full },
      checks,
      warnings: given.warnings ?? [],
      errors: [...new Set(failures.map(({ reason }) => reason))],
    },
  };
}

function assetProof(key: VectorKey, changes: Claims = {}, kind: 'asset' | 'image' = 'asset'): string {
  const claims = { ...imageClaims(kind === 'asset' ? 'assetId' : 'imageId'), ...HASHES, ...changes };
  return compact(header(key, { typ: TYP[kind] }), claims, rs256(key));
}

/** An asset certificate as served, with changes. */
function asset(jwt: string, changes: Claims = {}): Claims {
  return {
    '@type': 'ImageObject',
    contentUrl: 'https://shop.example/kettle.jpg',
    'svc:issuedFor': { domain: 'shop.example', assetId: ASSET_ID, productID: PRODUCT_ID, url: PAGE_URL },
    'svc:contentCredentials': { hasC2PA: true, hasManifest: true, hashes: HASHES },
    proof: { type: 'JsonWebSignature2020', jwt, algorithm: 'RS256' },
    ...changes,
  };
}

const FULL = ['AUTH-5-FULL', 'AUTH-6'];
const STANDARD = ['AUTH-5-STANDARD'];
const MINIMAL = ['AUTH-5-MINIMAL'];

function sound({ issuer }: Keys): ProfileCase[] {
  const imageKeyed = {
    '@type': 'MediaObject',
    imageId: ASSET_ID,
    contentUrl: 'https://shop.example/kettle.jpg',
    contentCredentials: { hashes: HASHES, asset: { url: 'https://shop.example/kettle.jpg' } },
    cryptographicProof: { uhash: { algorithm: 'SHA-256', value: HASHES.uhash } },
    proof: { type: 'JwtProof2020', jwt: assetProof(issuer, {}, 'image') },
  };
  return [
    {
      id: 'profile-sound',
      title: 'A sound asset certificate over the bytes that it was issued for',
      rules: [...MINIMAL, ...STANDARD, ...FULL],
      document: asset(assetProof(issuer)),
      profiles: [T, T, T],
    },
    {
      id: 'profile-sound-image-keyed',
      title: 'A sound image-keyed certificate',
      rules: FULL,
      document: imageKeyed,
      context: { certificateKind: 'image' },
      profiles: [T, T, T],
    },
    {
      id: 'profile-product',
      title: 'The certificate of a product names no bytes, so there is no Full',
      rules: FULL,
      document: { '@type': 'Product', proof: { jwt: proof(issuer) } },
      context: { certificateKind: 'product' },
      profiles: [T, T, U],
      checks: { imageBound: [null, 'image_unbound'] },
    },
  ];
}

function inContext({ issuer }: Keys): ProfileCase[] {
  const document = asset(assetProof(issuer));
  return [
    {
      id: 'profile-other-domain',
      title: 'On another site nothing is trusted',
      rules: MINIMAL,
      document,
      context: { domain: 'evil.example' },
      profiles: [F, F, F],
      checks: { boundToDomain: 'domain_differs' },
    },
    {
      id: 'profile-other-page',
      title: 'On another page of the site there is Minimal',
      rules: STANDARD,
      document,
      context: { pageUrl: 'https://shop.example/products/pot' },
      profiles: [T, F, F],
      checks: { boundToUrl: 'url_differs' },
    },
    {
      id: 'profile-other-product',
      title: 'For another product there is Minimal',
      rules: STANDARD,
      document,
      context: { productId: OTHER_PRODUCT_ID },
      profiles: [T, F, F],
      checks: { productIdMatches: 'product_differs' },
    },
    {
      id: 'profile-page-alone',
      title: 'The page alone is context enough',
      rules: STANDARD,
      document,
      without: ['productId'],
      profiles: [T, T, T],
      checks: { productIdMatches: [null, 'context_not_given'] },
    },
    {
      id: 'profile-no-context',
      title: 'Without page and product Standard cannot be decided',
      rules: STANDARD,
      document,
      without: ['productId', 'pageUrl'],
      profiles: [T, U, U],
      checks: {
        productIdMatches: [null, 'context_not_given'],
        boundToUrl: [null, 'context_not_given'],
      },
    },
  ];
}

function bytes({ issuer }: Keys): ProfileCase[] {
  const document = asset(assetProof(issuer));
  const { uhash: _, ...unhashed } = HASHES;
  const bare = { '@type': 'ImageObject' };
  return [
    {
      id: 'profile-no-bytes',
      title: 'Without the bytes Full cannot be decided',
      rules: FULL,
      document,
      image: null,
      profiles: [T, T, U],
      checks: { imageBound: [null, 'image_not_given'], c2paValid: [null, 'image_not_given'] },
    },
    {
      id: 'profile-no-reader',
      title: 'Where nothing reads manifests Full cannot be decided',
      rules: FULL,
      document,
      without: ['manifest'],
      profiles: [T, T, U],
      checks: { c2paValid: [null, 'manifest_not_read'] },
    },
    {
      id: 'profile-other-bytes',
      title: 'Other bytes with a manifest that validates are not the certified ones',
      rules: FULL,
      document,
      image: OTHER_IMAGE,
      profiles: [T, T, F],
      checks: { imageBound: 'image_differs' },
    },
    {
      id: 'profile-no-manifest',
      title: 'The certified bytes without a manifest',
      rules: FULL,
      document,
      context: { manifest: { hasManifest: false, valid: false, signer: 'none' } },
      profiles: [T, T, F],
      checks: { c2paValid: 'manifest_absent' },
    },
    {
      id: 'profile-invalid-manifest',
      title: 'The certified bytes with a manifest that does not validate',
      rules: [...FULL, 'BOUND-C2PA'],
      document,
      context: { manifest: { hasManifest: true, valid: false, signer: 'none' } },
      profiles: [T, T, F],
      checks: { c2paValid: 'manifest_invalid' },
    },
    {
      id: 'profile-untrusted-signer',
      title: 'A signer that is not on the trust list is a warning: integrity and trust are two questions',
      rules: FULL,
      document,
      context: { manifest: { hasManifest: true, valid: true, signer: 'untrusted' } },
      profiles: [T, T, T],
      warnings: ['signer_untrusted'],
    },
    {
      id: 'profile-unsigned-hash',
      title: 'A proof without a hash ties no bytes to itself',
      rules: FULL,
      document: { ...bare, proof: { jwt: assetProof(issuer, { ...unhashed, uhash: undefined }) } },
      profiles: [T, T, U],
      checks: { imageBound: [null, 'image_unbound'] },
    },
    {
      id: 'profile-hash-no-text',
      title: 'A signed hash that is no text',
      rules: FULL,
      document: { ...bare, proof: { jwt: assetProof(issuer, { uhash: 7 }) } },
      profiles: [T, T, F],
      checks: { imageBound: 'claim_wrong_type' },
    },
    {
      id: 'profile-claims-unreadable',
      title: 'Signed, but no claims: nothing to compare, and no certificate',
      rules: FULL,
      document: {
        ...bare,
        proof: { jwt: compact(header(issuer, { typ: TYP.asset }), 'claims', rs256(issuer)) },
      },
      profiles: [F, F, F],
      checks: {
        certificateIntegrity: 'claims_unreadable',
        timestampValid: [null, 'claims_unreadable'],
        boundToDomain: [null, 'claims_unreadable'],
        productIdMatches: [null, 'claims_unreadable'],
        boundToUrl: [null, 'claims_unreadable'],
        imageBound: [null, 'claims_unreadable'],
      },
    },
  ];
}

/** The service signed a copy of the image; both hashes are in the proof. */
function sourceFiles({ issuer }: Keys): ProfileCase[] {
  const sourceUhash = createHash('sha256').update(OTHER_IMAGE).digest('hex');
  const stated = {
    'svc:contentCredentials': { hasC2PA: true, hasManifest: true, hashes: HASHES, sourceUhash },
  };
  const document = asset(assetProof(issuer, { sourceUhash }), stated);
  const bare = (claims: Claims) => ({ '@type': 'ImageObject', proof: { jwt: assetProof(issuer, claims) } });
  return [
    {
      id: 'profile-source-certified-file',
      title: 'The certified file, where the proof signs the file that it was made from too',
      rules: FULL,
      document,
      profiles: [T, T, T],
    },
    {
      id: 'profile-source-file',
      title: 'The file that the certified one was made from: bound, but its manifest is in the other',
      rules: FULL,
      document,
      image: OTHER_IMAGE,
      context: { manifest: { hasManifest: false, valid: false, signer: 'none' } },
      profiles: [T, T, U],
      checks: { imageBound: [true, 'image_source'], c2paValid: [null, 'manifest_in_certified_file'] },
      warnings: ['image_source'],
    },
    {
      id: 'profile-source-neither-file',
      title: 'Neither the certified file nor the one that it was made from',
      rules: FULL,
      document,
      image: Buffer.from('the bytes of a pan', 'utf8'),
      profiles: [T, T, F],
      checks: { imageBound: 'image_differs' },
    },
    {
      id: 'profile-source-hash-no-text',
      title: 'A signed hash of the source that is no text',
      rules: FULL,
      document: bare({ sourceUhash: 7 }),
      profiles: [T, T, F],
      checks: { imageBound: 'claim_wrong_type' },
    },
    {
      id: 'profile-source-repeats-other',
      title: 'A document that repeats another source than was signed',
      rules: ['AUTH-5-FULL'],
      document: asset(assetProof(issuer, { sourceUhash: HASHES.uhash }), stated),
      profiles: [F, F, F],
      checks: { certificateIntegrity: 'document_differs' },
    },
    {
      id: 'profile-source-repeats-unsigned',
      title: 'A document that states a source which was not signed',
      rules: ['AUTH-5-FULL'],
      document: asset(assetProof(issuer), stated),
      profiles: [F, F, F],
      checks: { certificateIntegrity: 'document_differs' },
    },
  ];
}

/** Our assertion in the image names the store for which the service signed it. */
function signedForStores({ issuer }: Keys): ProfileCase[] {
  const asserting = (data: unknown, label = 'org.touchstone.product', valid = true) => ({
    manifest: { hasManifest: true, valid, signer: 'trusted' as const, assertions: [{ label, data }] },
  });
  const victim = {
    productId: OTHER_PRODUCT_ID,
    productUrl: 'https://victim.example/products/kettle',
    storeUrl: 'https://victim.example',
  };
  const document = asset(assetProof(issuer));
  const stolen = { imageBound: 'image_issued_to_another_store' } as const;
  return [
    {
      id: 'profile-stolen-image',
      title: 'An image that the service signed for another store',
      rules: FULL,
      document,
      context: asserting(victim),
      profiles: [T, T, F],
      checks: stolen,
    },
    {
      id: 'profile-stolen-image-ingredient',
      title: 'The same, by the second assertion of that label',
      rules: FULL,
      document,
      context: asserting(victim, 'org.touchstone.product__1'),
      profiles: [T, T, F],
      checks: stolen,
    },
    {
      id: 'profile-own-image-other-product',
      title: 'An image that the service signed for this store, for another product of it',
      rules: FULL,
      document,
      context: asserting({ ...victim, storeUrl: 'https://shop.example/' }),
      profiles: [T, T, T],
    },
    {
      id: 'profile-own-image-moved-store',
      title: 'An image that the service signed for this product, when the store was elsewhere',
      rules: FULL,
      document,
      context: asserting({ ...victim, productId: PRODUCT_ID }),
      profiles: [T, T, T],
    },
    {
      id: 'profile-stolen-image-broken',
      title: 'An assertion in a manifest that does not validate says nothing',
      rules: FULL,
      document,
      context: asserting(victim, undefined, false),
      profiles: [T, T, F],
      checks: { c2paValid: 'manifest_invalid' },
    },
  ];
}

function proofs({ issuer, impostor, stranger }: Keys): ProfileCase[] {
  const nothing = [null, 'nothing_signed'] as const;
  const unsigned = {
    profiles: [U, F, F] as const,
    checks: {
      signatureValid: nothing,
      certificateIntegrity: nothing,
      timestampValid: nothing,
      boundToDomain: nothing,
      productIdMatches: nothing,
      boundToUrl: nothing,
      imageBound: nothing,
    },
  };
  const { proof: _, ...identity } = asset('');
  const rules = [...STANDARD, ...FULL];
  return [
    { id: 'profile-nothing', title: 'Nothing was found: no Standard, no Full', rules, ...unsigned },
    {
      id: 'profile-identity-only',
      title: 'A document without a proof, whatever it says of a verification',
      rules: [...rules, 'BOUND-C2PA'],
      document: { ...identity, verified: true, checks: { certificateConsistency: true } },
      warnings: ['proof_absent'],
      ...unsigned,
    },
    {
      id: 'profile-forged',
      title: 'A signature by somebody else under the name of the key',
      rules,
      document: asset(assetProof(impostor)),
      profiles: [F, F, F],
      checks: { signatureValid: 'signature_mismatch', certificateIntegrity: [null, 'document_not_compared'] },
    },
    {
      id: 'profile-unknown-key',
      title: 'A key that the issuer does not publish: unverifiable is untrusted',
      rules,
      document: asset(assetProof(stranger)),
      profiles: [F, F, F],
      checks: { signatureValid: 'key_unknown', certificateIntegrity: [null, 'document_not_compared'] },
    },
    {
      id: 'profile-expired',
      title: 'Past its seven days',
      rules,
      document: asset(assetProof(issuer)),
      context: { now: timestamp(NOW + WEEK) },
      profiles: [F, F, F],
      checks: { timestampValid: 'proof_expired' },
    },
    {
      id: 'profile-other-kind',
      title: 'The proof of a product in the certificate of an image',
      rules: [...rules, 'PROOF-KINDS'],
      document: asset(proof(issuer, HASHES)),
      profiles: [F, F, F],
      checks: { certificateIntegrity: 'proof_kind_wrong' },
    },
    {
      id: 'profile-other-issuer',
      title: 'An issuer that the verifier does not trust',
      rules,
      document: asset(assetProof(issuer)),
      context: { issuers: ['https://other.example'] },
      profiles: [F, F, F],
      checks: { certificateIntegrity: 'issuer_untrusted' },
    },
  ];
}

function repeated({ issuer }: Keys): ProfileCase[] {
  const jwt = assetProof(issuer);
  const changes: readonly (readonly [string, Claims])[] = [
    ['address', { contentUrl: 'https://shop.example/pot.jpg' }],
    ['asset', { 'svc:issuedFor': { assetId: OTHER_PRODUCT_ID } }],
    ['page', { 'svc:issuedFor': { url: 'https://shop.example/products/pot' } }],
    ['uhash', { 'svc:contentCredentials': { hashes: { ...HASHES, uhash: 'ff' } } }],
    ['phash', { 'svc:contentCredentials': { hashes: { ...HASHES, phash: null, uhash: ['ff'] } } }],
  ];
  return changes.map(([name, change]) => ({
    id: `profile-repeats-other-${name}`,
    title: `A document that repeats another ${name} than was signed`,
    rules: ['AUTH-5-FULL'],
    document: asset(jwt, change),
    profiles: [F, F, F],
    checks: { certificateIntegrity: 'document_differs' },
  }));
}
