import { createHash } from 'node:crypto';
import { TEST_ISSUER, TEST_NOW, TEST_PRODUCT, type TestIssuer } from '@touchstone/certificate/testing';
import { assetClaims, imageClaims } from '../../packages/certificate/src/claims/build-claims.ts';
import { assetCertificate } from '../../packages/certificate/src/document/asset-certificate.ts';
import { fullImageCertificate } from '../../packages/certificate/src/document/image-certificate.ts';
import { PROOF_TYP } from '../../packages/certificate/src/proof/proof-rules.ts';

/** The service's certificate for an image of the test product with these bytes. */
export async function assetCertificateOf(bytes: Uint8Array, issuer: TestIssuer): Promise<object> {
  const image = {
    imageId: '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01',
    contentUrl: 'https://shop.example/cup-front.jpg',
    credentials: {
      hasC2PA: true,
      hasManifest: true,
      hashes: { uhash: createHash('sha256').update(bytes).digest('hex'), phash: '0123456789abcdef' },
    },
  };
  const claims = assetClaims(TEST_PRODUCT, image, { issuer: TEST_ISSUER, issuedAt: TEST_NOW });
  const proof = {
    jwt: await issuer.sign(claims, { typ: PROOF_TYP.asset }),
    kid: issuer.kid,
    issuedAt: TEST_NOW.toISOString(),
  };
  const addresses = { baseUrl: TEST_ISSUER, namespaceUrl: `${TEST_ISSUER}/ns#` };
  return assetCertificate(TEST_PRODUCT, image, proof, addresses);
}

/** The service's full image-keyed certificate for an image of the test product. */
export async function imageCertificateOf(issuer: TestIssuer): Promise<object> {
  const image = {
    imageId: '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01',
    contentUrl: 'https://shop.example/cup-front.jpg',
  };
  const claims = imageClaims(TEST_PRODUCT, image, { issuer: TEST_ISSUER, issuedAt: TEST_NOW });
  const jwt = await issuer.sign(claims, { typ: PROOF_TYP.image });
  const proof = {
    jwt,
    kid: issuer.kid,
    issuedAt: TEST_NOW.toISOString(),
    expiresAt: new Date(claims.exp * 1000).toISOString(),
  };
  const domains = { authorizedDomains: [claims.domain], domainVerified: true };
  const addresses = { baseUrl: TEST_ISSUER, namespaceUrl: `${TEST_ISSUER}/ns#` };
  return fullImageCertificate(TEST_PRODUCT, image, proof, domains, addresses);
}
