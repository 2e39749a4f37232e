import { randomBytes } from 'node:crypto';
import { verifyProof } from '@touchstone/certificate';
import { AssetCertificateSchema } from '@touchstone/certificate/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { BASE_URL, parse, type TestNode, type TestShop, testNode, testShop } from './testing.ts';

const now = new Date(Date.UTC(2026, 0, 1));
const masterKey = randomBytes(32);
let database: TestDatabase;
let shop: TestShop;
let node: TestNode;

beforeAll(async () => {
  database = await testDatabase();
  shop = await testShop(database);
  node = await testNode(database, { clock: () => now, masterKey });
});
afterAll(async () => {
  await node.close();
  await database.close();
});

const addImage = async (changes: Record<string, unknown> = {}) => {
  const { productId, imageIds, url } = await shop.addProduct({ images: 1 });
  const imageId = imageIds[0] ?? '';
  if (Object.keys(changes).length > 0) {
    await database.db.updateTable('images').set(changes).where('id', '=', imageId).execute();
    node.changes.publish('*');
  }
  return { productId, imageId, url };
};

test('of an authorised asset is full, valid by its schema, and has a proof of the asset kind', async () => {
  const { productId, imageId, url } = await addImage({ external_id: 'media-7', width: 640, height: 480 });
  const document = parse(await node.getAssetCertificate(imageId));
  expect(AssetCertificateSchema.safeParse(document).error).toBeUndefined();
  expect(document).toMatchObject({
    '@type': 'ImageObject',
    width: 640,
    'svc:issuedFor': {
      assetId: imageId,
      mediaID: 'media-7',
      productID: productId,
      url,
      domain: 'shop.example',
    },
    verification: { hasSignature: true, hasBlockchain: false },
    proof: { type: 'JsonWebSignature2020', proofPurpose: 'assertionMethod', algorithm: 'RS256' },
  });
  const jwks = parse(await node.getJwks());
  const kid = document.proof.verificationMethod.replace(`${BASE_URL}/api/v1/.well-known/jwks.json#`, '');
  expect(jwks.keys.map((key: { kid: string }) => key.kid)).toContain(kid);
  const options = { now, issuers: [BASE_URL] };
  const asAsset = await verifyProof(document.proof.jwt, jwks, { ...options, kind: 'asset' });
  expect(asAsset).toMatchObject({
    signatureValid: { result: true },
    certificateIntegrity: { result: true },
    timestampValid: { result: true },
    signed: { kind: 'asset' },
  });
  const asProduct = await verifyProof(document.proof.jwt, jwks, options);
  expect(asProduct.certificateIntegrity.result).toBe(false);
});

test('agrees with its entry in the product certificate on contentUrl', async () => {
  const { productId, imageId } = await addImage();
  const asset = parse(await node.getAssetCertificate(imageId));
  const product = parse(await node.getCertificate(productId));
  expect(product['svc:images']).toMatchObject([
    { contentUrl: asset.contentUrl, certification: { 'svc:assetId': imageId } },
  ]);
  expect(product['svc:images'][0].certification.url).toBe(asset['svc:status'].canonicalSource.url);
});

test('mentions content credentials only once the bytes have been scanned', async () => {
  const unseen = await addImage();
  expect(parse(await node.getAssetCertificate(unseen.imageId))).not.toHaveProperty('svc:contentCredentials');
  const credentials = { hasC2PA: true, hasManifest: true, hashes: { uhash: 'ab', phash: 'cd' } };
  const scanned = await addImage({ credentials: JSON.stringify(credentials) });
  const document = parse(await node.getAssetCertificate(scanned.imageId));
  expect(document['svc:contentCredentials']).toEqual(credentials);
});

test('keeps its proof when a sibling or an attribute changes, and gets a new one with its own image', async () => {
  const { productId, imageIds } = await shop.addProduct({ images: 2 });
  const [imageId = '', siblingId = ''] = imageIds;
  const first = await node.getAssetCertificate(imageId);
  await database.db.updateTable('images').set({ width: 9 }).where('id', '=', siblingId).execute();
  await database.db.updateTable('products').set({ sku: 'new' }).where('id', '=', productId).execute();
  node.changes.publish(`p:${productId}`);
  expect(await node.getAssetCertificate(imageId)).toEqual(first);
  await database.db.updateTable('images').set({ width: 10 }).where('id', '=', imageId).execute();
  node.changes.publish(`p:${productId}`);
  expect((await node.getAssetCertificate(imageId)).etag).not.toBe(first.etag);
});

test('is purged by its surrogate key with its product at a CDN', async () => {
  const { productId, imageId } = await addImage();
  expect((await node.getAssetCertificate(imageId)).headers).toMatchObject({
    'surrogate-key': `product-${productId}`,
    'cache-control': 'public, max-age=86400',
  });
});
