import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { uhash } from '@touchstone/image';
import { afterAll, describe, expect, it } from 'vitest';
import { openImageScene, SHOP } from '../kit/image-scene.ts';
import { picture, servePicture } from '../kit/pictures.ts';
import type { Json } from '../kit/service.ts';

const world = await openImageScene();
const { scene, store, engine, productWith, settled, asset, askForSignatures, signedByMerchant, scanAgain } =
  world;
afterAll(() => world.close());

/** Serves a picture whose bytes are held back until they are released. */
async function holdPicture(url: string, bytes: Uint8Array) {
  const gate = Promise.withResolvers<void>();
  scene.shop.put(url, async (_request, response) => {
    await gate.promise;
    response.writeHead(200).end(bytes);
  });
  const at = new URL(url);
  const isAsked = () => scene.shop.asked.includes(`${at.host}${at.pathname}`);
  return {
    release: () => gate.resolve(),
    asked: () => expect.poll(isAsked).toBe(true),
  };
}

async function blobKeys(): Promise<string[]> {
  const folder = join(scene.service.dataDir, 'blobs');
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.map((name) => name.split('/').at(-1) ?? '').filter((name) => name.includes('.'));
}

describe('an image of a product', () => {
  it('whose own manifest validates is certified unchanged, and its bytes are served permanently', async () => {
    const bytes = await signedByMerchant('own');
    const { id, imageId } = await productWith('own', bytes);
    expect(await asset(imageId)).toMatchObject({
      encodingFormat: 'image/jpeg',
      width: 160,
      height: 160,
      'svc:contentCredentials': { hasC2PA: true, hasManifest: true, hashes: { uhash: await uhash(bytes) } },
    });
    const { 'svc:trust': trust } = await scene.certificate(id);
    expect(trust).toEqual({ certifiedAssets: 1, totalAssets: 1, coveragePercent: 100 });

    const full = await scene.call('GET', `/api/v1/mc4p/${imageId}/certificate?full=true`);
    const path = `/api/v1/mc4p/blobs/${await uhash(bytes)}.jpg`;
    expect(full.json.contentCredentials).toMatchObject({ asset: { url: scene.baseUrl + path } });
    const { verification } = await asset(imageId);
    expect(verification).toMatchObject({
      trustAnchor: {
        status: 'unknown',
        description: expect.stringMatching(/no trust list configured\.$/),
      },
    });

    const url = scene.service.url + path;
    const blob = await fetch(url);
    expect(Object.fromEntries(blob.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'content-length': String(bytes.length),
    });
    expect(new Uint8Array(await blob.arrayBuffer())).toEqual(new Uint8Array(bytes));
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
    const again = await fetch(url, { headers: { 'if-none-match': blob.headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
    const unknown = `${'0'.repeat(64)}.jpg`;
    for (const name of [unknown, 'x.jpg', '..%2f..%2fmaster.key', `${unknown}.part`]) {
      expect((await fetch(`${scene.service.url}/api/v1/mc4p/blobs/${name}`)).status).toBe(404);
    }
  });

  it('whose manifest does not validate is not certified, and not signed by us either', async () => {
    const bytes = Uint8Array.from(await signedByMerchant('tampered'));
    const last = bytes.length - 40;
    bytes[last] = (bytes[last] ?? 0) ^ 1;
    await askForSignatures(true);
    const { imageId } = await productWith('tampered', bytes);
    expect((await asset(imageId))['svc:contentCredentials']).toMatchObject({
      hasC2PA: false,
      hasManifest: true,
    });
    expect(await blobKeys()).not.toContain(`${await uhash(bytes)}.jpg`);
    await askForSignatures(false);
  });

  it('without a manifest is signed by us once its store asks for it, and only once', async () => {
    const { id, imageId } = await productWith('bare', await picture('bare'));
    expect((await asset(imageId))['svc:contentCredentials']).toMatchObject({
      hasC2PA: false,
      hasManifest: false,
    });
    await askForSignatures(true);
    await settled();
    const { 'svc:contentCredentials': credentials } = (await asset(imageId)) as Json;
    expect(credentials).toMatchObject({ hasC2PA: true, hasManifest: true });
    const { hashes } = credentials as { hashes: { uhash: string } };
    const blob = await fetch(`${scene.service.url}/api/v1/mc4p/blobs/${hashes.uhash}.jpg`);
    const report = await engine.inspect(new Uint8Array(await blob.arrayBuffer()));
    expect(report).toMatchObject({
      uhash: hashes.uhash,
      manifest: { valid: true, trust: { status: 'untrusted' } },
    });
    expect(JSON.stringify(report.manifest.assertions)).toContain(id);
    const rows = await scene.service.database.query('select trust, signed_by_us from images where id = $1', [
      imageId,
    ]);
    expect(rows[0]).toMatchObject({ signed_by_us: true, trust: { status: 'untrusted', list: 'none' } });
  });

  it('whose bytes change becomes a new version; bytes that come back are not signed again', async () => {
    const { imageId, url } = await productWith('changing', await picture('before'));
    const first = (await asset(imageId))['svc:contentCredentials'];
    const version = async () =>
      (await scene.service.database.query('select version from images where id = $1', [imageId]))[0]?.version;
    await scanAgain(imageId);
    expect([await version(), (await asset(imageId))['svc:contentCredentials']]).toEqual([1, first]);
    servePicture(scene.shop, url, await picture('after'));
    await scanAgain(imageId);
    expect(await version()).toBe(2);
    expect((await asset(imageId))['svc:contentCredentials']).not.toEqual(first);
    const held = (await blobKeys()).length;
    servePicture(scene.shop, url, await picture('before'));
    await scanAgain(imageId);
    expect([await version(), (await asset(imageId))['svc:contentCredentials']]).toEqual([3, first]);
    expect(await blobKeys()).toHaveLength(held);
  });

  it('that is not an image is refused as an asset, and reported with advice', async () => {
    const { imageId } = await productWith('page', Buffer.from('<!doctype html><title>Not an image</title>'));
    const answer = await scene.call('GET', `/api/v1/mc4p/assets/${imageId}/certificate`);
    expect([answer.status, answer.json.code]).toEqual([415, 'asset_not_image']);
    const { images } = await scene.operate('GET', `/stores/${store.id}/images/failed`);
    expect(images).toMatchObject([
      { id: imageId, code: 'image_format_unknown', nextStep: expect.stringMatching(/Put an image/) },
    ]);
  });

  it('that is truncated is reported as such, and not as something else than an image', async () => {
    const whole = await picture('cut off');
    const { imageId } = await productWith('cut-off', whole.subarray(0, 100));
    const { images } = await scene.operate('GET', `/stores/${store.id}/images/failed`);
    expect(images).toContainEqual(
      expect.objectContaining({
        id: imageId,
        code: 'image_cut_off',
        nextStep: 'Upload the whole file again.',
      }),
    );
    expect((await asset(imageId)).code).toBe('asset_unknown');
  });

  it('that is too damaged to be signed is reported as such: that is not a fault of ours', async () => {
    await askForSignatures(true);
    const whole = await picture('damaged', 'png');
    // the size is stated, and then the file is truncated
    const { imageId } = await productWith('damaged', whole.subarray(0, 60));
    const { images } = await scene.operate('GET', `/stores/${store.id}/images/failed`);
    expect(images).toContainEqual(expect.objectContaining({ id: imageId, code: 'image_damaged' }));
    expect((await asset(imageId))['svc:contentCredentials']).toMatchObject({ hasC2PA: false });
    expect(scene.service.log.join('')).not.toContain('"level":"error"');
    await askForSignatures(false);
  });

  it('that is truncated within the image data is neither signed nor certified, whoever signed it, and is reported', async () => {
    await askForSignatures(true);
    const whole = await picture('half', 'jpeg', 600);
    const half = whole.subarray(0, Math.floor(whole.length * 0.6));
    const signed = await signedByMerchant(half);
    expect((await engine.inspect(signed)).manifest.valid).toBe(true);
    for (const [name, bytes] of [
      ['half', half],
      ['half-signed', signed],
    ] as const) {
      const { id, imageId } = await productWith(name, bytes);
      expect((await asset(imageId))['svc:contentCredentials']).toEqual({
        hasC2PA: false,
        hasManifest: bytes === signed,
      });
      const { 'svc:trust': trust } = await scene.certificate(id);
      expect(trust).toEqual({ certifiedAssets: 0, totalAssets: 1, coveragePercent: 0 });
      const { images } = await scene.operate('GET', `/stores/${store.id}/images/failed`);
      expect(images).toContainEqual(
        expect.objectContaining({
          id: imageId,
          code: 'image_damaged',
          message: expect.stringMatching(/decoded/),
        }),
      );
      expect(await blobKeys()).not.toContain(`${await uhash(bytes)}.jpg`);
    }
    await askForSignatures(false);
  });

  it('that its host does not serve is retried, then reported; a retry request scans it again', async () => {
    const url = `${SHOP}/gone.img`;
    scene.shop.put(url, (_request, response) => response.writeHead(503).end());
    const { id } = await store.product('gone', { images: [{ url }] });
    await settled();
    const failed = async () =>
      (await scene.operate('GET', `/stores/${store.id}/images/failed`)).images as Json[];
    const failure = (await failed()).find((image) => image.productId === id);
    expect(failure).toMatchObject({
      code: 'image_http_status',
      message: expect.stringContaining('503'),
      attempts: 2,
    });
    expect(scene.shop.asked.filter((asked) => asked === 'shop.example/gone.img')).toHaveLength(2);
    servePicture(scene.shop, url, await picture('gone'));
    const { retried } = await scene.operate('POST', `/stores/${store.id}/images/retry`, {
      imageIds: [failure?.id],
    });
    expect(retried).toBe(1);
    await settled();
    expect((await failed()).some((image) => image.productId === id)).toBe(false);
  });

  it('that is being scanned when its store asks for signatures is signed too', async () => {
    await askForSignatures(false);
    const url = `${SHOP}/slow.img`;
    const held = await holdPicture(url, await picture('slow'));
    const { id } = await store.product('slow', { images: [{ url }] });
    await held.asked();
    await askForSignatures(true);
    held.release();
    await settled();
    await expect
      .poll(async () => (await scene.certificate(id))['svc:images'])
      .toMatchObject([{ certification: { 'svc:contentCredentials': { hasC2PA: true, served: 'source' } } }]);
  });

  it('whose bytes change while it is scheduled again is next revalidated with the validator of the new bytes', async () => {
    const { imageId, url } = await productWith('tagged', await signedByMerchant('tagged'));
    const [before, after] = [await signedByMerchant('tagged-1'), await signedByMerchant('tagged-2')];
    const asked: unknown[] = [];
    const gate = Promise.withResolvers<void>();
    scene.shop.put(url, async (request, response) => {
      asked.push(request.headers['if-none-match']);
      if (asked.length === 2) await gate.promise;
      const [tag, body] = asked.length === 1 ? ['"1"', before] : ['"2"', after];
      response.writeHead(200, { etag: tag }).end(body);
    });
    await scanAgain(imageId);
    const scanning = scanAgain(imageId);
    await expect.poll(() => asked.length).toBe(2);
    // as if the image left its product and came back
    await scene.service.database.query(
      'update jobs set due_at = now(), orders = orders + 1 where subject = $1',
      [imageId],
    );
    gate.resolve();
    await scanning;
    expect(asked.slice(1)).toEqual(['"1"', '"2"']);
  });

  it('that is removed from its product while it waits is skipped, and scanned when it is added again', async () => {
    const url = `${SHOP}/leaving.img`;
    const held = await holdPicture(url, await picture('leaving'));
    const { id } = await store.product('leaving', { images: [{ url }] });
    await held.asked();
    const [imageId = ''] = await scene.imagesOf(id);
    await scene.operate('DELETE', `/images/${imageId}`);
    held.release();
    await settled();
    await scene.operate('POST', `/products/${id}/images`, { images: [{ url }] });
    await settled();
    await expect.poll(async () => (await asset(imageId)).encodingFormat).toBe('image/jpeg');
  });
});
