import { describe, expect, it } from 'vitest';
import { normalizePageUrl } from '../../binding/normalize-page-url.ts';
import type { ProofReading } from '../../proof/compact-jws.ts';
import { PROOF_TYP } from '../../proof/proof-rules.ts';
import { TEST_ISSUER, TEST_NOW, TEST_PRODUCT, testClaims } from '../../testing/issuer.ts';
import type { CheckContext } from '../check-context.ts';
import type { RegistryFacts } from '../types.ts';
import { boundToDomain } from './bound-to-domain.ts';
import { boundToUrl } from './bound-to-url.ts';
import { certificateIntegrity } from './certificate-integrity.ts';
import { domainKnown } from './domain-known.ts';
import { domainVerified } from './domain-verified.ts';
import { productIdMatches } from './product-id-matches.ts';
import { signatureValid } from './signature-valid.ts';
import { timestampValid } from './timestamp-valid.ts';
import { trustDataCurrent } from './trust-data-current.ts';

const registry: RegistryFacts = {
  issuedFor: 'shop.example',
  domains: [
    { hostname: 'shop.example', verified: true },
    { hostname: 'www.shop.example', verified: false },
  ],
  coverage: { certifiedAssets: 1, totalAssets: 2, coveragePercent: 50 },
  publishing: true,
};

function proofOf(
  claims: Readonly<Record<string, unknown>>,
  changes: Partial<ProofReading> = {},
): ProofReading {
  return { fault: 'ok', jws: null, claimsFault: 'ok', claims, typ: PROOF_TYP.product, ...changes };
}

/** A context in which every check passes, with changes. */
function contextOf(changes: Partial<CheckContext> = {}): CheckContext {
  return {
    proof: proofOf({ ...testClaims() }),
    signature: 'ok',
    kind: 'product',
    document: null,
    altered: null,
    isContextForeign: false,
    pageUrl: TEST_PRODUCT.url,
    pageHost: 'shop.example',
    productId: TEST_PRODUCT.productId,
    normalizePage: normalizePageUrl,
    issuers: [TEST_ISSUER],
    now: TEST_NOW.getTime() / 1000,
    registry,
    ...changes,
  };
}

const claiming = (claims: Readonly<Record<string, unknown>>) =>
  contextOf({ proof: proofOf({ ...testClaims(), ...claims }) });

const CHECKS = {
  domainKnown,
  domainVerified,
  boundToUrl,
  boundToDomain,
  productIdMatches,
  signatureValid,
  certificateIntegrity,
  trustDataCurrent,
  timestampValid,
};

describe('every check', () => {
  it.each(Object.entries(CHECKS))('%s passes with the reason ok and nothing else', (_, check) => {
    expect(check(contextOf())).toEqual({ result: true, reason: 'ok' });
  });

  it.each(Object.entries(CHECKS))('%s does not run without input, and says why', (name, check) => {
    const nothing = contextOf({ proof: null, signature: 'nothing_signed', registry: null });
    const reason = name.startsWith('domain') ? 'registry_not_asked' : 'nothing_signed';
    expect(check(nothing)).toEqual({ result: null, reason });
  });

  const OF_CLAIMS = Object.entries(CHECKS).filter(
    ([name]) => !/^domain|^signatureValid$|^trustDataCurrent$/.test(name),
  );

  it.each(OF_CLAIMS)('%s is not true of a proof without claims; comparisons do not run', (name, check) => {
    const proof = proofOf({}, { claims: null, claimsFault: 'claims_unreadable' });
    const result = name === 'certificateIntegrity' ? false : null;
    expect(check(contextOf({ proof }))).toEqual({ result, reason: 'claims_unreadable' });
  });
});

describe('certificateIntegrity reports', () => {
  it.each([
    [{ domain: 7 }, 'claim_wrong_type', 'domain: text', '7'],
    [{ totalAssets: 1.5 }, 'claim_wrong_type', 'totalAssets: count', '1.5'],
    [{ coveragePercent: -0.5 }, 'claim_wrong_type', 'coveragePercent: percent', '-0.5'],
    [{ coveragePercent: '5' }, 'claim_wrong_type', 'coveragePercent: percent', '5'],
    [{ exp: testClaims().exp + 1 }, 'lifetime_wrong', '604800 s', '604801 s'],
    [{ iss: 'https://evil.example' }, 'issuer_untrusted', TEST_ISSUER, 'https://evil.example'],
  ])('of the claims %j: %s', (claims, reason, expected, actual) => {
    expect(certificateIntegrity(claiming(claims))).toEqual({ result: false, reason, expected, actual });
  });

  it('all the issuers that would have been trusted', () => {
    const context = contextOf({ issuers: ['https://a.example', 'https://b.example'] });
    expect(certificateIntegrity(context).expected).toBe('https://a.example, https://b.example');
  });

  it('the expected and the actual kind of proof', () => {
    const proof = proofOf({ ...testClaims() }, { typ: PROOF_TYP.asset });
    expect(certificateIntegrity(contextOf({ proof }))).toMatchObject({
      reason: 'proof_kind_wrong',
      expected: 'product-certificate+jwt',
      actual: 'asset-certificate+jwt',
    });
  });

  it.each([
    [{ productID: 'x' }, `productID ${TEST_PRODUCT.productId}`, 'x'],
    [{ url: 'x' }, `url ${TEST_PRODUCT.url}`, 'x'],
    [{ url: [TEST_PRODUCT.url] }, `url ${TEST_PRODUCT.url}`, 'a list'],
    [{ 'svc:issuedFor': { domain: 'x' } }, 'svc:issuedFor.domain shop.example', 'x'],
    [{ 'svc:issuedFor': { productID: 'x' } }, `svc:issuedFor.productID ${TEST_PRODUCT.productId}`, 'x'],
    [{ 'svc:issuedFor': 'shop.example' }, 'svc:issuedFor', 'shop.example'],
    [{ 'svc:issuedFor': [] }, 'svc:issuedFor', 'a list'],
    [{ 'svc:issuedFor': 0 }, 'svc:issuedFor', '0'],
  ])('of the document %j what was signed and what it states', (document, expected, actual) => {
    const result = { result: false, reason: 'document_differs', expected, actual };
    expect(certificateIntegrity(contextOf({ document }))).toEqual(result);
  });

  it.each([
    [{}],
    [{ productID: null, url: null, 'svc:issuedFor': null }],
    [{ 'svc:issuedFor': { domain: null, productID: null } }],
    [{ 'svc:issuedFor': { domain: 'SHOP.example.', productID: TEST_PRODUCT.productId.toUpperCase() } }],
    [{ productID: TEST_PRODUCT.productId.toUpperCase(), url: `${TEST_PRODUCT.url}/?utm_source=x` }],
  ])('no difference if the document %j states nothing else', (document) => {
    expect(certificateIntegrity(contextOf({ document })).result).toBe(true);
  });

  it('no difference if both name the same domain, even one that can never be bound to', () => {
    const document = { 'svc:issuedFor': { domain: '127.0.0.1' } };
    const context = { ...claiming({ domain: '127.0.0.1' }), document };
    expect(certificateIntegrity(context).result).toBe(true);
    expect(certificateIntegrity({ ...context, ...claiming({ domain: '127.0.0.2' }), document }).result).toBe(
      false,
    );
  });

  it.each([
    { certifiedAssets: 0, totalAssets: 0, coveragePercent: 0 },
    { certifiedAssets: 2, totalAssets: 2, coveragePercent: 100 },
  ])('no fault in coverage at its limits: %j', (coverage) => {
    expect(certificateIntegrity(claiming(coverage)).result).toBe(true);
  });

  it('no fault if the caller does not say whom it trusts', () => {
    expect(certificateIntegrity({ ...claiming({ iss: 'https://any.example' }), issuers: null }).result).toBe(
      true,
    );
  });
});

describe('timestampValid reports', () => {
  it('a failure if the current time is invalid', () => {
    expect(timestampValid(contextOf({ now: Number.NaN }))).toMatchObject({ result: false });
  });

  const { iat, exp } = testClaims();

  it('issuance and the current time, if the proof was issued in the future', () => {
    expect(timestampValid(contextOf({ now: iat - 301 }))).toEqual({
      result: false,
      reason: 'proof_not_yet_valid',
      expected: '2026-03-01T11:54:59.000Z',
      actual: '2026-03-01T12:00:00.000Z',
    });
  });

  it('expiry and the current time, if the proof has expired', () => {
    expect(timestampValid(contextOf({ now: exp }))).toMatchObject({ result: true });
    expect(timestampValid(contextOf({ now: exp + 60 }))).toEqual({
      result: false,
      reason: 'proof_expired',
      expected: '2026-03-08T12:00:00.000Z',
      actual: '2026-03-08T12:01:00.000Z',
    });
  });

  it('a time beyond the range of dates as its number', () => {
    const far = Number.MAX_SAFE_INTEGER;
    expect(timestampValid(claiming({ iat: far, exp: far })).actual).toBe(String(far));
  });

  it.each([
    [{ iat: undefined }, 'claim_missing', 'iat', undefined],
    [{ exp: undefined }, 'claim_missing', 'exp', undefined],
    [{ iat: '1' }, 'claim_wrong_type', 'iat: time', '1'],
    [{ exp: 1.5 }, 'claim_wrong_type', 'exp: time', '1.5'],
    [{ exp: null }, 'claim_wrong_type', 'exp: time', 'null'],
  ])('which of the two it could not use: %j', (claims, reason, expected, actual) => {
    const result = { result: false, reason, expected, ...(actual === undefined ? {} : { actual }) };
    expect(timestampValid(claiming(claims))).toEqual(result);
  });
});

describe('signatureValid reports', () => {
  it('the kid, if the header could be read', () => {
    const jws = { kid: 'key-1', signature: new Uint8Array(1), signingInput: new Uint8Array(1) };
    const proof = proofOf({ ...testClaims() }, { jws });
    expect(signatureValid(contextOf({ proof, signature: 'key_unknown' }))).toEqual({
      result: false,
      reason: 'key_unknown',
      actual: 'kid key-1',
    });
  });

  it('no kid if there is none', () => {
    expect(signatureValid(contextOf({ signature: 'kid_missing' }))).toEqual({
      result: false,
      reason: 'kid_missing',
    });
  });
});

describe('the checks of what a proof is bound to report', () => {
  it.each(['domain', 'url', 'productId'] as const)(
    'that the claim %s is missing, or not a string',
    (name) => {
      const check = { domain: boundToDomain, url: boundToUrl, productId: productIdMatches }[name];
      const missing = { result: null, reason: 'claim_missing' };
      expect(check(claiming({ [name]: undefined }))).toEqual(missing);
      expect(check(claiming({ [name]: 7 }))).toEqual({ ...missing, reason: 'claim_wrong_type' });
      const integrity = certificateIntegrity(claiming({ [name]: undefined }));
      expect(integrity).toEqual({ result: false, reason: 'claim_missing', expected: name });
    },
  );

  it('a URL that is not a web page unchanged', () => {
    const nowhere = contextOf({ pageUrl: 'about:blank', pageHost: null });
    expect(boundToDomain(nowhere)).toEqual({
      result: false,
      reason: 'page_url_invalid',
      expected: 'shop.example',
      actual: 'about:blank',
    });
    expect(boundToUrl(nowhere)).toEqual({ result: false, reason: 'page_url_invalid', actual: 'about:blank' });
    for (const check of [domainKnown, domainVerified]) {
      expect(check(nowhere)).toMatchObject({ expected: 'shop.example', actual: 'about:blank' });
    }
  });

  it('both products', () => {
    expect(productIdMatches(claiming({ productId: 'another' }))).toEqual({
      result: false,
      reason: 'product_differs',
      expected: TEST_PRODUCT.productId,
      actual: 'another',
    });
  });

  it('both domains', () => {
    const copied = contextOf({ pageHost: 'evil.example', pageUrl: 'https://evil.example/' });
    const result = { result: false, expected: 'shop.example', actual: 'evil.example' };
    expect(boundToDomain(copied)).toEqual({ ...result, reason: 'domain_differs' });
    for (const check of [domainKnown, domainVerified]) {
      expect(check(copied)).toEqual({ ...result, reason: 'domain_unknown' });
    }
    expect(domainVerified(contextOf({ pageHost: 'www.shop.example' }))).toEqual({
      result: false,
      reason: 'domain_unverified',
      actual: 'www.shop.example',
    });
  });

  it('at most 200 characters of either side', () => {
    const long = `https://shop.example/${'a'.repeat(300)}`;
    const { expected, actual } = boundToUrl({ ...claiming({ url: `${long}b` }), pageUrl: long });
    expect([expected?.length, actual?.length]).toEqual([200, 200]);
    expect(actual).toBe(long.slice(0, 200));
  });
});

describe('trustDataCurrent reports', () => {
  it.each([
    [{ certifiedAssets: 0 }, '0 of 2'],
    [{ totalAssets: 3 }, '1 of 3'],
  ])('the current counts and the signed ones, if %j', (claims, actual) => {
    expect(trustDataCurrent(claiming(claims))).toEqual({
      result: false,
      reason: 'coverage_changed',
      expected: '1 of 2',
      actual,
    });
  });

  it.each([
    [
      'a proof that cannot be read',
      contextOf({ proof: proofOf({}, { claims: null, claimsFault: 'claims_unreadable' }) }),
      'claims_unreadable',
    ],
    [
      'a proof of another kind',
      contextOf({ proof: proofOf({ ...testClaims() }, { typ: PROOF_TYP.asset }) }),
      'proof_kind_wrong',
    ],
    [
      'a proof of another product',
      claiming({ productId: '16fd2706-8baf-433b-82eb-8c7fada847da' }),
      'product_differs',
    ],
    ['a proof that does not name its product', claiming({ productId: undefined }), 'claim_missing'],
    ['a count that is a text', claiming({ certifiedAssets: '1' }), 'claim_wrong_type'],
    ['a count that is missing', claiming({ totalAssets: undefined }), 'claim_missing'],
  ] as const)('no result for %s', (_, context, reason) => {
    expect(trustDataCurrent(context)).toEqual({ result: null, reason });
  });
});
