import type { ImageInspection } from '@touchstone/image/node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { testShop } from '../certificates/testing.ts';
import { createCertify } from './certify.ts';

const DAY = 86_400_000;
const NOW = new Date('2026-11-21T10:00:00Z');
const SOURCE = '1'.repeat(64);
const SIGNED = '2'.repeat(64);

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.close());

function inspectionOf(uhash: string, valid: boolean): ImageInspection {
  const trust = { status: valid ? 'trusted' : 'none', list: 'test', listDate: '2026-11-21' } as const;
  const identity = { status: 'none', findings: [] } as const;
  const nothing = { failures: [], identity, actions: [], ingredients: [], assertions: [] };
  return {
    header: { mediaType: 'image/jpeg', width: 1, height: 1 },
    uhash,
    phash: '979c61c6032439ff',
    manifest: { hasManifest: valid, valid, trust, ...nothing },
  };
}

it('keeps a signature that expires soon while no other can be made, and reports it', async () => {
  const shop = await testShop(database);
  const { productId, url, imageIds } = await shop.addProduct({ images: 1 });
  const [imageId = ''] = imageIds;
  const signedUntil = new Date(NOW.getTime() + 5 * DAY);
  const times = { certified_at: NOW, first_certified_at: NOW };
  const { merchantId: merchant_id } = shop;
  const certification = { blob_key: `${SIGNED}.jpg`, signed_by_us: true, merchant_id, ...times };
  await database.db
    .insertInto('image_certifications')
    .values({ image_id: imageId, source_uhash: SOURCE, signed_until: signedUntil, ...certification })
    .execute();
  const faults: unknown[] = [];
  const certifyAt = (now: Date) =>
    createCertify({
      db: database.db,
      workers: {
        inspect: async () => inspectionOf(SIGNED, true),
        sign: async () => {
          throw new Error('the new chain does not fit');
        },
      },
      blobs: {
        put: async () => {},
        size: async () => 1,
        async *read() {
          yield new Uint8Array(1);
        },
      },
      signer: {
        credentials: { certificateChainPem: '', privateKeyPem: '', algorithm: 'es256' },
        validUntil: new Date(NOW.getTime() + 365 * DAY),
      },
      clock: () => now,
      onSigningFault: (error) => faults.push(error),
    })(
      {
        job: { subject: imageId, owner: shop.storeId, attempt: 1, orders: 1, lease: '' },
        merchantId: shop.merchantId,
        imageId,
        url: 'https://shop.example/1.jpg',
        product: { id: productId, name: 'Cup', url },
        store: { id: shop.storeId, name: 'Shop', url: 'https://shop.example' },
        hosts: ['shop.example'],
        sign: true,
        signRemote: false,
        before: { sourceUhash: SOURCE, credentials: null, signedByUs: true, signedUntil, trustList: null },
        validators: {},
      },
      new Uint8Array(1),
      inspectionOf(SOURCE, false),
    );
  expect(await certifyAt(NOW)).toMatchObject({
    certified: { blobKey: `${SIGNED}.jpg`, signedUntil },
    credentials: { hasC2PA: true },
    incomplete: { code: 'image_signing_failed' },
  });
  const ended = await certifyAt(new Date(signedUntil.getTime() + 1));
  expect(ended).toMatchObject({
    credentials: { hasC2PA: false },
    incomplete: { code: 'image_signing_failed' },
  });
  expect(ended.certified).toBeUndefined();
  expect(faults).toHaveLength(2);
});

it('certifies nothing that cannot be decoded: it neither signs such an image, nor accepts the merchant’s manifest', async () => {
  const touched: string[] = [];
  const touch = (what: string) => async () => {
    touched.push(what);
    throw new Error(what);
  };
  const certify = createCertify({
    db: database.db,
    workers: { inspect: touch('inspect'), sign: touch('sign') },
    blobs: { put: touch('put'), size: touch('size'), read: () => [] as never },
    signer: {
      credentials: { certificateChainPem: '', privateKeyPem: '', algorithm: 'es256' },
      validUntil: NOW,
    },
    clock: () => NOW,
    onSigningFault: () => touched.push('fault'),
  });
  const task = {
    job: { subject: '', owner: '', attempt: 1, orders: 1, lease: '' },
    merchantId: '',
    imageId: '',
    url: 'https://shop.example/1.jpg',
    product: { id: '', name: 'Cup', url: '' },
    store: { id: '', name: 'Shop', url: '' },
    hosts: [],
    sign: true,
    signRemote: false,
    validators: {},
  };
  for (const valid of [true, false]) {
    const { phash: _, ...undecoded } = inspectionOf(SOURCE, valid);
    const certification = await certify(task, new Uint8Array(1), {
      ...undecoded,
      pixelFinding: 'pixels_undecodable',
    });
    expect(certification).toEqual({
      credentials: { hasC2PA: false, hasManifest: valid },
      trust: { status: 'none', list: 'test', listDate: '2026-11-21' },
      incomplete: { code: 'image_damaged', detail: 'image/jpeg' },
    });
  }
  expect(touched).toEqual([]);
});
