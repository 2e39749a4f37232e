import { createPublicKey, verify as cryptoVerify, hash } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createKeySet, type KeySet } from '../keys/key-set.ts';
import type { VerifyRs256 } from '../keys/rsa-key.ts';
import {
  createTestIssuer,
  TEST_ISSUER,
  TEST_NOW,
  TEST_PRODUCT,
  type TestIssuer,
  testClaims,
} from '../testing/issuer.ts';
import { CHECK_NAMES, type CheckName, type RegistryFacts, type VerifyInput } from './types.ts';
import { LOAD_BEARING_CHECKS } from './verdict.ts';
import { verify } from './verify.ts';
import { verifyProof } from './verify-proof.ts';

let issuer: TestIssuer;
let sound: Record<string, unknown>;

const registry: RegistryFacts = {
  issuedFor: 'shop.example',
  domains: [
    { hostname: 'shop.example', verified: true },
    { hostname: 'www.shop.example', verified: false },
  ],
  coverage: { certifiedAssets: 1, totalAssets: 2, coveragePercent: 50 },
  publishing: true,
};

beforeAll(async () => {
  issuer = await createTestIssuer();
  sound = await issuer.certificate();
});

function check(changes: Partial<VerifyInput> = {}) {
  return verify({
    document: sound,
    pageUrl: TEST_PRODUCT.url,
    productId: TEST_PRODUCT.productId,
    keySet: createKeySet(issuer.jwks),
    issuers: [TEST_ISSUER],
    now: TEST_NOW,
    registry,
    ...changes,
  });
}

function failing(checks: Readonly<Record<CheckName, boolean | null>>): CheckName[] {
  return CHECK_NAMES.filter((name) => checks[name] !== true);
}

const after = (seconds: number) => new Date(TEST_NOW.getTime() + seconds * 1000);
const WEEK = 604_800;

describe('the verdict', () => {
  it('is verified when a signed document passes all nine checks', async () => {
    const result = await check();
    expect(failing(result.checks)).toEqual([]);
    expect(result).toMatchObject({ status: 'verified', issuedFor: 'shop.example', warnings: [], errors: [] });
  });

  it('is verified without a registry: advisory checks do not run', async () => {
    const { registry: _, ...offline } = { registry };
    const result = await verify({
      ...offline,
      document: sound,
      pageUrl: TEST_PRODUCT.url,
      productId: TEST_PRODUCT.productId,
      keySet: createKeySet(issuer.jwks),
      issuers: [TEST_ISSUER],
      now: TEST_NOW,
    });
    expect(result.status).toBe('verified');
    expect(result.checks).toMatchObject({ domainKnown: null, domainVerified: null, trustDataCurrent: null });
    expect(result).not.toHaveProperty('issuedFor');
  });

  it.each([undefined, null])(
    'is unverified without a document (%s): only domain checks run',
    async (document) => {
      const result = await check({ document });
      expect(result).toMatchObject({ status: 'unverified', errors: [], warnings: [] });
      for (const name of CHECK_NAMES) {
        expect(result.checks[name], name).toBe(name.startsWith('domain') ? true : null);
      }
    },
  );
});

describe('each check, failed alone', () => {
  const cases: [CheckName, string, () => Promise<Partial<VerifyInput>>][] = [
    [
      'signatureValid',
      'signature_mismatch',
      async () => {
        const other = await createTestIssuer();
        return { document: { proof: (await other.certificate()).proof } };
      },
    ],
    [
      'certificateIntegrity',
      'document_differs',
      async () => ({ document: { ...sound, productID: '00000000-0000-4000-8000-000000000000' } }),
    ],
    ['timestampValid', 'proof_expired', async () => ({ now: after(WEEK + 60) })],
    [
      'boundToDomain',
      'another_address_of_shop',
      async () => ({
        document: await issuer.certificate({
          claims: { domain: 'other.example' },
          document: { 'svc:issuedFor': undefined },
        }),
      }),
    ],
    [
      'productIdMatches',
      'product_differs',
      async () => ({ productId: '11111111-1111-4111-8111-111111111111' }),
    ],
    ['boundToUrl', 'url_differs', async () => ({ pageUrl: 'https://shop.example/products/copy' })],
    [
      'domainVerified',
      'domain_unverified',
      async () => ({ registry: { ...registry, domains: [{ hostname: 'shop.example', verified: false }] } }),
    ],
    [
      'trustDataCurrent',
      'coverage_changed',
      async () => ({
        registry: { ...registry, coverage: { certifiedAssets: 2, totalAssets: 2, coveragePercent: 100 } },
      }),
    ],
  ];

  it.each(cases)('%s (%s)', async (name, reason, changes) => {
    const result = await check(await changes());
    const loadBearing = (LOAD_BEARING_CHECKS as readonly string[]).includes(name);
    // counts of another product are not compared
    expect(failing(result.checks)).toEqual(name === 'productIdMatches' ? [name, 'trustDataCurrent'] : [name]);
    expect(result.checks[name]).toBe(false);
    expect(result.checkDetails[name].reason).toBe(reason);
    expect(result.status).toBe(loadBearing ? 'failed' : 'verified');
    expect(loadBearing ? result.errors : result.warnings).toEqual([
      expect.stringMatching(new RegExp(`^${reason}: `)),
    ]);
  });

  it('domainKnown (with domainVerified, which a foreign host cannot pass either)', async () => {
    const result = await check({ registry: { ...registry, domains: [] } });
    expect(failing(result.checks)).toEqual(['domainKnown', 'domainVerified']);
    expect(result.status).toBe('verified');
    expect(result.warnings).toEqual([expect.stringMatching(/^domain_unknown: /)]);
  });
});

describe('a signature primitive', () => {
  it.each([
    ['at once', true, 'ok'],
    ['at once', false, 'signature_mismatch'],
    ['later', Promise.resolve(true), 'ok'],
    ['later', Promise.resolve(false), 'signature_mismatch'],
  ])('may return %s: %s', async (_, answer, reason) => {
    const { checkDetails } = await check({ keySet: createKeySet(issuer.jwks, () => answer) });
    expect(checkDetails.signatureValid.reason).toBe(reason);
  });
});

describe('a copied page', () => {
  it('is distinguished from another address of the same shop', async () => {
    const copied = await check({ pageUrl: 'https://evil.example/products/cup' });
    expect(copied.checkDetails.boundToDomain).toMatchObject({
      result: false,
      reason: 'domain_differs',
      expected: 'shop.example',
      actual: 'evil.example',
    });
    const ours = await check({ pageUrl: 'https://www.shop.example/products/cup' });
    expect(ours.checkDetails.boundToDomain.reason).toBe('another_address_of_shop');
    expect(ours.status).toBe('failed');
  });

  it("with the proof of another shop's product is not reported as a page of that shop", async () => {
    const claims = { productId: '11111111-1111-4111-8111-111111111111', domain: 'other.example' };
    const foreign = await check({ document: await issuer.certificate({ claims }) });
    expect(foreign.checks).toMatchObject({
      domainKnown: true,
      productIdMatches: false,
      boundToDomain: false,
    });
    expect(foreign.checkDetails.boundToDomain.reason).toBe('domain_differs');
  });
});

describe('time', () => {
  it.each([
    [-300, true],
    [-301, false],
    [0, true],
    [WEEK + 59, true],
    [WEEK + 60, false],
  ])('%i seconds after issuance is %s', async (seconds, valid) => {
    expect((await check({ now: after(seconds) })).checks.timestampValid).toBe(valid);
  });
});

describe('claims', () => {
  it.each(Object.keys(testClaims()))('without %s are not intact', async (name) => {
    const document = await issuer.certificate({ claims: { [name]: undefined } });
    const { checkDetails } = await check({ document });
    expect(checkDetails.certificateIntegrity).toMatchObject({ reason: 'claim_missing', expected: name });
  });

  it.each([
    ['iss', 7],
    ['domain', null],
    ['iat', '1772366400'],
    ['exp', 1772971200.5],
    ['exp', -1],
    ['certifiedAssets', 1.5],
    ['coveragePercent', 101],
    ['coveragePercent', '50'],
  ])('with %s = %j have a wrong type', async (name, value) => {
    const { checkDetails } = await check({
      document: await issuer.certificate({ claims: { [name]: value } }),
    });
    expect(checkDetails.certificateIntegrity.reason).toBe('claim_wrong_type');
    expect(checkDetails.signatureValid.result).toBe(true);
  });

  it('with a lifetime over 7 days are not intact', async () => {
    const exp = testClaims().exp + 1;
    const { checkDetails } = await check({ document: await issuer.certificate({ claims: { exp } }) });
    expect(checkDetails.certificateIntegrity.reason).toBe('lifetime_wrong');
  });

  it('of an issuer that the caller does not trust are not intact, however valid the signature', async () => {
    const { checkDetails } = await check({ issuers: ['https://other.example'] });
    expect(checkDetails.certificateIntegrity.reason).toBe('issuer_untrusted');
    expect(checkDetails.signatureValid.result).toBe(true);
    expect((await check({ issuers: [] })).status).toBe('failed');
  });

  it('of another kind of proof are not intact', async () => {
    for (const typ of ['asset-certificate+jwt', 'image-certificate+jwt', 'JWT', undefined]) {
      const { checkDetails } = await check({ document: await issuer.certificate({ header: { typ } }) });
      expect(checkDetails.certificateIntegrity.reason).toBe('proof_kind_wrong');
      expect(checkDetails.signatureValid.result).toBe(true);
    }
  });
});

describe('the submitted document', () => {
  it('may be a string that contains the node', async () => {
    expect((await check({ document: JSON.stringify(sound) })).status).toBe('verified');
  });

  it.each([
    ['a graph', { '@graph': [] }, 'document_not_single_node'],
    ['an array', [], 'document_not_single_node'],
    ['a number', 7, 'document_not_single_node'],
    ['a string of an array', '[]', 'document_not_single_node'],
    ['a string of null', 'null', 'document_not_single_node'],
    ['a text', 'hello', 'document_not_json'],
    ['an empty string', '', 'document_not_json'],
    ['no proof', {}, 'proof_absent'],
    ['a proof that is a string', { proof: 'x' }, 'proof_absent'],
    ['a proof that is null', { proof: null }, 'proof_absent'],
    ['a proof in a list', { proof: [{ jwt: 'x' }] }, 'proof_absent'],
    ['a jwt that is not a string', { proof: { jwt: 7 } }, 'proof_absent'],
  ])('is dropped with a warning when it is %s', async (_, document, code) => {
    const result = await check({ document });
    expect(result.status).toBe('unverified');
    expect(result.warnings).toEqual([expect.stringMatching(new RegExp(`^${code}: `))]);
    expect(result.checks.signatureValid).toBeNull();
  });

  it('may state other coverage than was signed: a warning, since unknown members are ignored', async () => {
    const document = { ...sound, 'svc:trust': { certifiedAssets: 2 } };
    const result = await check({ document });
    expect(result.status).toBe('verified');
    expect(result.warnings).toEqual([expect.stringMatching(/^trust_block_differs: /)]);
  });

  it('of an inactive product is checked as usual, with a warning', async () => {
    const result = await check({ registry: { ...registry, publishing: false } });
    expect(result.status).toBe('verified');
    expect(result.warnings).toEqual([expect.stringMatching(/^product_not_publishing: /)]);
  });

  it.each([
    ['half of a surrogate pair', '\ud800'],
    ['a pair where its text is truncated', `${'a'.repeat(199)}😀`],
  ])('is reported in JSON that every parser accepts: %s', async (_, productID) => {
    const result = await check({ document: { ...sound, productID } });
    expect(result.checkDetails.certificateIntegrity.reason).toBe('document_differs');
    expect(JSON.stringify(result)).not.toMatch(/\\ud[89a-f]/);
  });

  it('never throws and never verifies, whatever it is', async () => {
    const keySet = createKeySet(issuer.jwks);
    const anything = fc.oneof(fc.anything(), fc.record({ proof: fc.record({ jwt: fc.string() }) }));
    await fc.assert(
      fc.asyncProperty(anything, async (document) => {
        expect((await check({ document, keySet })).status).not.toBe('verified');
      }),
    );
  });
});

describe('a proof alone', () => {
  it('is valid if it is signed, intact and within its lifetime', async () => {
    const proof = await issuer.sign(testClaims());
    const { signed: _, ...checks } = await verifyProof(proof, issuer.jwks, { now: TEST_NOW });
    expect(Object.values(checks).map(({ result }) => result)).toEqual([true, true, true]);
  });

  it('with any one character changed never verifies', async () => {
    const proof = await issuer.sign(testClaims());
    const keySet = createKeySet(issuer.jwks);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(proof.length - 1),
        fc.constantFrom('A', 'B', '-', '.', '=', ' '),
        async (at, by) => {
          const changed = proof.slice(0, at) + by + proof.slice(at + 1);
          if (changed === proof) return;
          const { signatureValid } = await verifyProof(changed, keySet, { now: TEST_NOW });
          expect(signatureValid.result).toBe(false);
        },
      ),
    );
  });

  it.each([
    ['alg none', { alg: 'none' }, 'algorithm_not_allowed'],
    ['alg NonE', { alg: 'NonE' }, 'algorithm_not_allowed'],
    ['alg HS256', { alg: 'HS256' }, 'algorithm_not_allowed'],
    ['alg PS256', { alg: 'PS256' }, 'algorithm_not_allowed'],
    ['an embedded jwk', { jwk: {} }, 'header_not_allowed'],
    ['jku', { jku: 'https://evil.example/jwks' }, 'header_not_allowed'],
    ['crit', { crit: ['exp'] }, 'header_not_allowed'],
    ['b64', { b64: false }, 'header_not_allowed'],
    ['no kid', { kid: undefined }, 'kid_missing'],
    ['an unknown kid', { kid: '../../etc/passwd' }, 'key_unknown'],
  ])('with %s is refused, even if its signature is valid', async (_, header, reason) => {
    const proof = await issuer.sign(testClaims(), header);
    const { signatureValid } = await verifyProof(proof, issuer.jwks, { now: TEST_NOW });
    expect(signatureValid).toMatchObject({ result: false, reason });
  });

  it('with a duplicate name is refused: in the header as malformed, in the claims as unreadable', async () => {
    const header = `{"alg":"RS256","kid":"${issuer.kid}","typ":"product-certificate+jwt"}`;
    const claims = JSON.stringify(testClaims());
    const twice = await issuer.signRaw(header.replace('{', '{"\\u006bid":"x",'), claims);
    const malformed = await verifyProof(twice, issuer.jwks, { now: TEST_NOW });
    expect(malformed.signatureValid.reason).toBe('proof_malformed');
    expect(malformed.certificateIntegrity.reason).toBe('proof_malformed');
    const doubled = await issuer.signRaw(header, claims.replace('{', '{"domain":"evil.example",'));
    const checks = await verifyProof(doubled, issuer.jwks, { now: TEST_NOW });
    expect(checks.certificateIntegrity.reason).toBe('claims_unreadable');
    expect(checks.timestampValid.result).toBeNull();
  });

  it('of 8,192 characters is read and of 8,193 is not', async () => {
    const padding = async (length: number) => issuer.sign({ ...testClaims(), pad: 'x'.repeat(length) });
    const short = await padding(1);
    const space = Math.floor(((8192 - short.length) * 3) / 4);
    let largest = short;
    for (let pad = space - 6; pad < space + 4; pad++) {
      const proof = await padding(pad);
      const expected = proof.length <= 8192;
      if (expected) largest = proof;
      const { signatureValid } = await verifyProof(proof, issuer.jwks, { now: TEST_NOW });
      expect(signatureValid.result, `${proof.length}`).toBe(expected);
    }
    expect(largest.length).toBeGreaterThan(8188);
  });

  it('finds no key in anything that is not a JWKS', async () => {
    const proof = await issuer.sign(testClaims());
    for (const keys of [
      issuer.jwks.keys,
      [...issuer.jwks.keys, null],
      new Map(),
      null,
      undefined,
      7,
      'keys',
    ]) {
      const { signatureValid } = await verifyProof(proof, keys, { now: TEST_NOW });
      expect(signatureValid).toMatchObject({ result: false, reason: 'key_unknown' });
    }
  });

  it('never throws on any text or any JWKS', async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), fc.anything(), async (proof, jwks) => {
        const { signatureValid } = await verifyProof(proof, jwks, { now: TEST_NOW });
        expect(signatureValid.result).toBe(false);
      }),
    );
  });
});

describe('the verdict with primitives of the caller', () => {
  const verifyWith = (keySet: KeySet, document: unknown) =>
    verify({
      document,
      pageUrl: TEST_PRODUCT.url,
      productId: TEST_PRODUCT.productId,
      keySet,
      issuers: [TEST_ISSUER],
      now: TEST_NOW,
      registry,
    });
  const rs256: VerifyRs256 = ({ kty, n, e }, signature, data) =>
    cryptoVerify('sha256', data, createPublicKey({ key: { kty, n, e }, format: 'jwk' }), signature);
  const sha256 = (text: string) => hash('sha256', text, 'base64url');

  it('is the same whether they are synchronous or not, for any document', async () => {
    const keySet = createKeySet(issuer.jwks, rs256, sha256);
    const changed = { ...sound, 'svc:status': 'other' };
    for (const document of [sound, changed, { proof: { jwt: 'x' } }, 7, undefined])
      expect(await verifyWith(keySet, document)).toEqual(
        await verifyWith(createKeySet(issuer.jwks), document),
      );
  });

  it('needs none of them if nothing is signed, and throws what one throws that cannot work', async () => {
    const broken = createKeySet(issuer.jwks, async () => Promise.reject(new Error('no crypto here')));
    expect((await verifyWith(broken, undefined)).status).toBe('unverified');
    await expect(verifyWith(broken, sound)).rejects.toThrow('no crypto here');
  });
});
