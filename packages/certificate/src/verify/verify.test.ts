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
import type { RegistryFacts, VerifyInput } from './types.ts';
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

describe('the submitted document', () => {
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
