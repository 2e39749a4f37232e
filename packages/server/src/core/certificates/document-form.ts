import type { ProductSnapshot } from '@touchstone/certificate';
import {
  type Addresses,
  productCertificate,
  productClaims,
  type Sha256,
} from '@touchstone/certificate/issue';

/** A product with everything that a document can say of one. */
const EVERYTHING: ProductSnapshot = {
  productId: '00000000-0000-4000-8000-000000000000',
  externalProductId: 'id',
  name: 'name',
  url: 'https://shop.example/product',
  domain: 'shop.example',
  storeName: 'store',
  storeUrl: 'https://shop.example/',
  sku: 'sku',
  gtin: '4006381333931',
  brand: 'brand',
  attributes: [{ name: 'name', value: 'value' }],
  control: { method: 'dns_txt', checkedAt: '2026-01-01T00:00:00.000Z', provenAt: '2026-01-01T00:00:00.000Z' },
  images: [
    {
      imageId: '00000000-0000-4000-8000-000000000001',
      contentUrl: 'https://shop.example/image.jpg',
      encodingFormat: 'image/jpeg',
      width: 1,
      height: 1,
      uploadDate: '2026-01-01T00:00:00.000Z',
      externalId: 'id',
    },
  ],
};

/** Names the form in which this release, under these addresses, makes documents of products, and the claims of their proofs. */
export async function documentForm(addresses: Addresses, sha256: Sha256): Promise<string> {
  const proof = { jwt: '', issuedAt: '' };
  const claims = productClaims(EVERYTHING, { issuer: addresses.baseUrl, issuedAt: new Date(0) });
  return sha256(JSON.stringify([productCertificate(EVERYTHING, proof, addresses), claims]));
}
