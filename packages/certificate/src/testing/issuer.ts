/**
 * A test issuer with a fresh key, a product, and certificates that are valid unless a test changes them. Signs with
 * WebCrypto, so it runs wherever the core runs.
 */
import { type ProductClaims, productClaims } from '../claims/build-claims.ts';
import type { ProductSnapshot } from '../claims/snapshot.ts';
import { productCertificate } from '../document/product-certificate.ts';
import { type Jwks, jwksOf } from '../keys/key-set.ts';
import type { RsaPublicJwk } from '../keys/rsa-key.ts';
import { webCryptoSha256 } from '../keys/web-crypto.ts';
import { encodeBase64url } from '../proof/base64url.ts';
import { bindMembers } from '../proof/members.ts';
import { PROOF_TYP } from '../proof/proof-rules.ts';

export { createTestLog, TEST_LOG, type TestLog, type TestNoteKey } from './log.ts';
export { type TestReceipts, testReceipts } from './receipt.ts';
export { type TestStatusList, testStatusList } from './status-list.ts';

const RS256 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as const;

/** Base address of the test issuer: the `iss` of its proofs. */
export const TEST_ISSUER = 'https://certificates.example';
/** Its default time of issue. */
export const TEST_NOW = new Date('2026-03-01T12:00:00Z');

/** The product of its certificates. */
export const TEST_PRODUCT: ProductSnapshot = {
  productId: '0b54ecb8-6a0c-4d43-a2ee-ae49e0c8a0a6',
  externalProductId: 'cup-1',
  name: 'Stoneware cup',
  url: 'https://shop.example/products/cup',
  domain: 'shop.example',
  storeName: 'The Shop',
  storeUrl: 'https://shop.example/',
  sku: 'CUP-1',
  attributes: [{ name: 'Material', value: 'stoneware' }],
  images: [
    {
      imageId: '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01',
      contentUrl: 'https://shop.example/cup-front.jpg',
      credentials: { hasC2PA: true, hasManifest: true },
    },
    { imageId: '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b02', contentUrl: 'https://shop.example/cup-back.jpg' },
  ],
};

/** An issuer with its own key. */
export interface TestIssuer {
  readonly jwks: Jwks;
  readonly kid: string;
  /** Signs these claims, or a string as the literal payload, with this header. */
  sign(claims: object | string, header?: Record<string, unknown>): Promise<string>;
  /** Signs exactly these two strings as header and payload. */
  signRaw(header: string, payload: string): Promise<string>;
  /** A valid certificate of the test product, with changes. */
  certificate(changes?: CertificateChanges): Promise<Record<string, unknown>>;
}

/** Changes of a test; members are merged over the valid ones. */
export interface CertificateChanges {
  /** Of the product itself: in the claims and in the document. */
  readonly product?: Partial<ProductSnapshot>;
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly document?: Readonly<Record<string, unknown>>;
  /** Default: `TEST_NOW`. */
  readonly issuedAt?: Date;
}

/**
 * Valid claims of the test product.
 *
 * @example
 * ```ts
 * import { testClaims } from '@touchstone/certificate/testing';
 *
 * testClaims().domain; // 'shop.example'
 * ```
 */
export function testClaims(issuedAt: Date = TEST_NOW): ProductClaims {
  return productClaims(TEST_PRODUCT, { issuer: TEST_ISSUER, issuedAt });
}

/**
 * Creates an issuer with a fresh 2048-bit key.
 *
 * @example
 * ```ts
 * import { createTestIssuer } from '@touchstone/certificate/testing';
 *
 * const issuer = await createTestIssuer();
 * const certificate = await issuer.certificate({ claims: { domain: 'other.example' } });
 * certificate['@type']; // 'Product'
 * ```
 */
export async function createTestIssuer(kid = 'key-1'): Promise<TestIssuer> {
  const pair = await crypto.subtle.generateKey(
    { ...RS256, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ['sign', 'verify'],
  );
  const { n = '', e = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey);
  const jwk: RsaPublicJwk = { kty: 'RSA', kid, use: 'sig', alg: 'RS256', n, e };

  const signRaw = async (header: string, payload: string): Promise<string> => {
    const input = `${base64urlText(header)}.${base64urlText(payload)}`;
    const signature = await crypto.subtle.sign(RS256.name, pair.privateKey, new TextEncoder().encode(input));
    return `${input}.${encodeBase64url(new Uint8Array(signature))}`;
  };
  const sign: TestIssuer['sign'] = (claims, header = {}) => {
    const full = { alg: 'RS256', kid, typ: PROOF_TYP.product, ...header };
    return signRaw(JSON.stringify(full), typeof claims === 'string' ? claims : JSON.stringify(claims));
  };
  return {
    jwks: jwksOf([jwk]),
    kid,
    sign,
    signRaw,
    certificate: async ({ product, claims, header, document, issuedAt = TEST_NOW } = {}) => {
      const snapshot = { ...TEST_PRODUCT, ...product };
      const addresses = { baseUrl: TEST_ISSUER, namespaceUrl: `${TEST_ISSUER}/ns#` };
      const withProof = (jwt: string) =>
        productCertificate(snapshot, { jwt, issuedAt: issuedAt.toISOString() }, addresses);
      const bound = await bindMembers('product', withProof(''), webCryptoSha256());
      const valid = productClaims(snapshot, { issuer: TEST_ISSUER, issuedAt });
      const jwt = await sign({ ...valid, ...bound, ...claims }, header);
      return { ...withProof(jwt), ...document };
    },
  };
}

function base64urlText(text: string): string {
  return encodeBase64url(new TextEncoder().encode(text));
}
