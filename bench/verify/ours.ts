import { createPublicKey, verify as rsaVerify } from 'node:crypto';
import { createKeySet, type VerificationResult, verify } from '@touchstone/certificate';
import { createTestIssuer, TEST_ISSUER, TEST_NOW, TEST_PRODUCT } from '@touchstone/certificate/testing';
import { nodeRs256, nodeSha256 } from '../../packages/server/src/core/keys/rsa-keys.ts';
import type { Subject } from '../kit/subject.ts';

/** Our own verification of a full document, and the bare signature check in it, which is its lower limit. */
export async function ours(): Promise<{ bare: Subject; verification: Subject }> {
  const issuer = await createTestIssuer();
  const document = await issuer.certificate();
  const keySet = createKeySet(issuer.jwks, nodeRs256(), nodeSha256());
  const input = {
    document,
    pageUrl: TEST_PRODUCT.url,
    productId: TEST_PRODUCT.productId,
    keySet,
    issuers: [TEST_ISSUER],
    now: TEST_NOW,
  };
  const { jwt } = document.proof as { jwt: string };
  const [jwk] = issuer.jwks.keys;
  const key = createPublicKey({ key: { kty: 'RSA', n: jwk?.n ?? '', e: jwk?.e ?? '' }, format: 'jwk' });
  const data = new TextEncoder().encode(jwt.slice(0, jwt.lastIndexOf('.')));
  const signature = Buffer.from(jwt.slice(jwt.lastIndexOf('.') + 1), 'base64url');
  return {
    bare: {
      name: 'bare RSA-2048 verification (node:crypto)',
      // returns a promise, as verify() does: the cost of awaiting is not compared
      run: async () => rsaVerify('sha256', data, key, signature),
      isGood: (answer) => answer === true,
    },
    verification: {
      name: 'verify(): full document, nine checks',
      run: () => verify(input),
      isGood: (answer) => (answer as VerificationResult).status === 'verified',
    },
  };
}
