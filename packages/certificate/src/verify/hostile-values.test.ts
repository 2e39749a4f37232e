import { beforeAll, describe, expect, it } from 'vitest';
import { createKeySet } from '../keys/key-set.ts';
import {
  createTestIssuer,
  TEST_ISSUER,
  TEST_NOW,
  TEST_PRODUCT,
  type TestIssuer,
  testClaims,
} from '../testing/issuer.ts';
import type { VerificationResult } from './result.ts';
import { CHECK_NAMES } from './types.ts';
import { verify } from './verify.ts';

let issuer: TestIssuer;

beforeAll(async () => {
  issuer = await createTestIssuer();
});

function verdictOn(document: unknown): Promise<VerificationResult> {
  return verify({
    document,
    pageUrl: TEST_PRODUCT.url,
    productId: TEST_PRODUCT.productId,
    keySet: createKeySet(issuer.jwks),
    issuers: [TEST_ISSUER],
    now: TEST_NOW,
    registry: {
      issuedFor: 'shop.example',
      domains: [{ hostname: 'shop.example', verified: true }],
      coverage: { certifiedAssets: 1, totalAssets: 2, coveragePercent: 50 },
      publishing: true,
    },
  });
}

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('values that would overflow the stack or cannot be converted to text', () => {
  it.each([
    ['productID', '"productID":'],
    ['url', '"url":'],
    ['svc:issuedFor', '"svc:issuedFor":'],
    ['svc:trust', '"svc:trust":'],
  ])('in %s of a document with a valid proof are described by their type', async (_, member) => {
    const proof = JSON.stringify({ jwt: await issuer.sign(testClaims()) });
    for (const value of [nested(100_000), '[{"toString":1,"valueOf":1}]']) {
      const { status, checkDetails, warnings } = await verdictOn(`{${member}${value},"proof":${proof}}`);
      expect(checkDetails.signatureValid.result).toBe(true);
      if (status === 'verified') expect(warnings).toEqual([expect.stringMatching(/^trust_block_differs: /)]);
      else
        expect(checkDetails.certificateIntegrity).toMatchObject({
          reason: 'document_differs',
          actual: 'a list',
        });
    }
  });

  it.each(Object.keys(testClaims()))(
    'in the claim %s of a proof that anyone could make fail it',
    async (name) => {
      for (const value of [{ toString: 1, valueOf: 1 }, JSON.parse(nested(2_000))]) {
        const jwt = await issuer.sign({ ...testClaims(), [name]: value });
        const { status, checkDetails } = await verdictOn({ proof: { jwt } });
        expect(status).toBe('failed');
        expect(checkDetails.certificateIntegrity.reason).toBe('claim_wrong_type');
        // what has nothing to compare with answers null, for the same reason
        for (const check of CHECK_NAMES.filter((one) => checkDetails[one].result === null)) {
          expect(checkDetails[check].reason).toBe('claim_wrong_type');
          expect(check).toMatch(/^bound|^product|^trustData/);
        }
      }
    },
  );

  it('in the header fail it too', async () => {
    const header = `{"alg":"RS256","kid":"${issuer.kid}","typ":${nested(2_000)}}`;
    const jwt = await issuer.signRaw(header, JSON.stringify(testClaims()));
    const { checkDetails } = await verdictOn({ proof: { jwt } });
    expect(checkDetails.certificateIntegrity).toMatchObject({ reason: 'proof_kind_wrong', actual: 'a list' });
  });
});
