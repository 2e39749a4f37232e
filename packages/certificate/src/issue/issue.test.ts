import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { assetClaims, productClaims } from '../claims/build-claims.ts';
import { coverage } from '../claims/coverage.ts';
import type { ImageSnapshot } from '../claims/snapshot.ts';
import { assetCertificate, identityOnlyAsset } from '../document/asset-certificate.ts';
import { identityOnlyProduct, productCertificate } from '../document/product-certificate.ts';
import { createKeySet } from '../keys/key-set.ts';
import { decodeBase64url, encodeBase64url } from '../proof/base64url.ts';
import {
  AssetCertificateSchema,
  FullProductCertificateSchema,
  IdentityOnlyProductSchema,
  JwksSchema,
} from '../schema/index.ts';
import { createTestIssuer, TEST_ISSUER, TEST_NOW, TEST_PRODUCT, type TestIssuer } from '../testing/issuer.ts';
import { prepareProof } from './prepare.ts';
import { SelfVerificationError, type Signer, signProof } from './sign.ts';

const addresses = { baseUrl: TEST_ISSUER, namespaceUrl: `${TEST_ISSUER}/ns#` };
const issuance = { issuer: TEST_ISSUER, issuedAt: TEST_NOW };
const image = TEST_PRODUCT.images[0] as ImageSnapshot;
let issuer: TestIssuer;
let signer: Signer;

beforeAll(async () => {
  issuer = await createTestIssuer();
  signer = {
    kid: issuer.kid,
    sign: async (data) => {
      const jwt = await issuer.signRaw(...parts(data));
      return decodeBase64url(jwt.slice(jwt.lastIndexOf('.') + 1)) ?? new Uint8Array();
    },
  };
});

function parts(data: Uint8Array): [string, string] {
  const [header = '', payload = ''] = new TextDecoder().decode(data).split('.');
  const text = (part: string) => new TextDecoder().decode(decodeBase64url(part) ?? new Uint8Array());
  return [text(header), text(payload)];
}

describe('issuing', () => {
  it('signs what was prepared, and verifies what it signed', async () => {
    const intent = prepareProof('product', productClaims(TEST_PRODUCT, issuance), signer.kid);
    const jwt = await signProof(intent, signer, createKeySet(issuer.jwks), TEST_NOW);
    expect(jwt.startsWith(`${intent.header}.${intent.payload}.`)).toBe(true);
  });

  it('names the place in a status list between control and the bound members, and without one nothing', () => {
    const uri = `${TEST_ISSUER}/api/v1/mc4p/status/7`;
    const product = { ...TEST_PRODUCT, control: { method: 'none' } };
    const bound = { namespace: 'https://certificates.example/ns#', members: {} };
    const claims = productClaims(product, { ...issuance, status: { uri, index: 5 }, bound });
    expect(claims.status).toEqual({ status_list: { idx: 5, uri } });
    const names = Object.keys(claims);
    expect(names.slice(names.indexOf('control'), names.indexOf('members') + 1)).toEqual([
      'control',
      'status',
      'namespace',
      'members',
    ]);
    expect(productClaims(product, issuance)).not.toHaveProperty('status');
  });

  it('refuses a signature that the published key does not accept', async () => {
    const other = await createTestIssuer();
    const intent = prepareProof('product', productClaims(TEST_PRODUCT, issuance), signer.kid);
    await expect(signProof(intent, signer, createKeySet(other.jwks), TEST_NOW)).rejects.toThrow(
      SelfVerificationError,
    );
  });

  it('refuses to sign with another key than the recorded one', async () => {
    const intent = prepareProof('product', productClaims(TEST_PRODUCT, issuance), 'another');
    await expect(signProof(intent, signer, createKeySet(issuer.jwks), TEST_NOW)).rejects.toThrow(
      SelfVerificationError,
    );
  });

  it('refuses to prepare a proof that no verifier would accept', () => {
    const claims = productClaims({ ...TEST_PRODUCT, name: 'x'.repeat(8000) }, issuance);
    expect(() => prepareProof('product', claims, signer.kid)).toThrow(RangeError);
  });
});

describe('documents', () => {
  const proof = { jwt: 'a.b.c', issuedAt: TEST_NOW.toISOString(), kid: 'key-1' };

  it('of an active product are the full certificate, and contain its name nowhere', () => {
    const certificate = productCertificate(TEST_PRODUCT, proof, addresses);
    expect(FullProductCertificateSchema.parse(certificate)).toEqual(certificate);
    expect(certificate).not.toHaveProperty('name');
    expect(certificate).not.toHaveProperty('description');
    expect(JSON.stringify(certificate.additionalProperty)).not.toContain(TEST_PRODUCT.name);
    expect(certificate['svc:trust']).toEqual({ certifiedAssets: 1, totalAssets: 2, coveragePercent: 50 });
  });

  it('drop merchant attributes called name or description', () => {
    const attributes = [
      { name: 'Name', value: 'x' },
      { name: ' description', value: 'y' },
      { name: 'Colour', value: 'z' },
    ];
    const certificate = productCertificate({ ...TEST_PRODUCT, attributes }, proof, addresses);
    const names = certificate.additionalProperty.map(({ name }) => name);
    expect(names).toEqual(['externalProductId', 'sku', 'Colour']);
  });

  it('of an inactive product have only the members of identity', () => {
    const document = identityOnlyProduct(TEST_PRODUCT, addresses);
    expect(IdentityOnlyProductSchema.parse(document)).toEqual(document);
    expect(Object.keys(document)).toEqual([
      '@context',
      '@type',
      'productID',
      'url',
      'svc:issuedFor',
      'svc:status',
    ]);
  });

  it('of an asset expand its entry in the product certificate, with the same contentUrl', () => {
    const document = assetCertificate(TEST_PRODUCT, image, proof, addresses);
    expect(AssetCertificateSchema.parse(document)).toEqual(document);
    expect(document.contentUrl).toBe(image.contentUrl);
    expect(document.proof.verificationMethod).toBe(`${TEST_ISSUER}/api/v1/.well-known/jwks.json#key-1`);
  });

  it('of an unauthorised asset have no trust members, not even null ones', () => {
    const document = identityOnlyAsset(TEST_PRODUCT, image, addresses);
    expect(AssetCertificateSchema.parse(document)).toEqual(document);
    for (const key of ['svc:contentCredentials', 'svc:nft', 'verification', 'proof']) {
      expect(document).not.toHaveProperty(key);
    }
  });

  it('never contain null', () => {
    for (const document of [
      productCertificate(TEST_PRODUCT, proof, addresses),
      assetCertificate(TEST_PRODUCT, image, proof, addresses),
    ]) {
      expect(JSON.stringify(document)).not.toContain('null');
    }
  });
});

describe('claims', () => {
  it('expire exactly 7 days after issuance', () => {
    const { iat, exp } = productClaims(TEST_PRODUCT, issuance);
    expect(exp - iat).toBe(7 * 24 * 60 * 60);
  });

  it('of an asset contain the hashes of its bytes if there are any', () => {
    const hashes = { uhash: 'aa', phash: 'bb' };
    const scanned = { ...image, credentials: { hasC2PA: true, hasManifest: true, hashes } };
    expect(assetClaims(TEST_PRODUCT, scanned, issuance)).toMatchObject({ ...hashes, assetId: image.imageId });
    expect(assetClaims(TEST_PRODUCT, image, issuance)).not.toHaveProperty('uhash');
  });
});

describe('coverage', () => {
  it.each([
    [0, 0, 0],
    [0, 3, 0],
    [1, 3, 33.33],
    [2, 3, 66.67],
    [3, 3, 100],
  ])('of %i out of %i is %f percent', (certified, total, percent) => {
    expect(coverage(certified, total).coveragePercent).toBe(percent);
  });
});

describe('the published JWKS', () => {
  it('has the members that the specification requires', () => {
    expect(JwksSchema.parse(issuer.jwks)).toEqual(issuer.jwks);
  });
});

describe('base64url', () => {
  it('decodes what it encoded', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(decodeBase64url(encodeBase64url(bytes))).toEqual(new Uint8Array(bytes));
      }),
    );
  });

  it.each(['A', 'AB=', 'A+', 'A/', 'AB', ' AA', 'AAé'])('refuses %j', (text) => {
    expect(decodeBase64url(text)).toBeNull();
  });
});
