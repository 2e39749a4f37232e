import { uhash } from '@touchstone/image';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli } from '../../packages/cli/src/testing.ts';
import { openImageScene, SHOP } from '../kit/image-scene.ts';
import { picture, servePicture } from '../kit/pictures.ts';
import { hasPart } from '../kit/present-parts.ts';
import type { Json } from '../kit/service.ts';
import { productPage } from '../kit/shop.ts';

const world = await openImageScene();
const { scene, store, productWith, settled, asset, askForSignatures, signedByMerchant, scanAgain } = world;
afterAll(() => world.close());

const DOMAIN = { domain: 'shop.example' };

/** The responses of all endpoints for one image, and for its product. */
async function told(productId: string, imageId: string) {
  const base = `/api/v1/mc4p/${imageId}`;
  const [one, minimal, full, verified] = [
    await scene.call('GET', `/api/v1/mc4p/assets/${imageId}/certificate`),
    await scene.call('GET', `${base}/certificate`),
    await scene.call('GET', `${base}/certificate?full=true`),
    await scene.call('POST', `${base}/verify`, DOMAIN),
  ];
  const product = await scene.certificate(productId);
  const [entry] = (product['svc:images'] as Json[] | undefined) ?? [];
  const trust = product['svc:trust'] as Json | undefined;
  const { images } = (await scene.operate('GET', `/stores/${store.id}/images?limit=500`)) as {
    images: { id: string; state: string }[];
  };
  return {
    state: images.find(({ id }) => id === imageId)?.state,
    asset: one.status,
    minimal: minimal.status,
    full: full.status,
    verify: verified.status,
    listed: entry !== undefined,
    linked: (entry?.certification as Json | undefined)?.url !== undefined,
    counted: trust === undefined ? undefined : [trust.certifiedAssets, trust.totalAssets],
    credentials: one.json['svc:contentCredentials'] as Json | undefined,
  };
}

const SERVED = { asset: 200, minimal: 200, full: 200, verify: 200, listed: true, linked: true };
const NOT_SERVED = { asset: 404, minimal: 404, full: 404, verify: 404, listed: true, linked: false };

/** A file that we signed, with its bytes. */
async function signedFile(imageId: string): Promise<Uint8Array> {
  const full = await scene.call('GET', `/api/v1/mc4p/${imageId}/certificate?full=true`);
  const { url } = (full.json.contentCredentials as { asset: { url: string } }).asset;
  const file = await fetch(url.replace(scene.baseUrl, scene.service.url));
  return new Uint8Array(await file.arrayBuffer());
}

describe('an image', () => {
  it('that is waiting is served without credentials, and counts as not covered', async () => {
    const url = `${SHOP}/waiting.img`;
    const gate = Promise.withResolvers<void>();
    scene.shop.put(url, async (_request, response) => {
      await gate.promise;
      response.writeHead(404).end();
    });
    const { id } = await store.product('waiting', { images: [{ url }] });
    const [imageId = ''] = await scene.imagesOf(id);
    expect(await told(id, imageId)).toEqual({
      ...SERVED,
      state: 'waiting',
      counted: [0, 1],
      credentials: undefined,
    });
    gate.resolve();
    await settled();
  });

  it('whose fetch failed permanently has no certificate; it is listed without a link and counts as not covered', async () => {
    const url = `${SHOP}/failed.img`;
    scene.shop.put(url, (_request, response) => response.writeHead(404).end());
    const { id } = await store.product('failed', { images: [{ url }] });
    await settled();
    const [imageId = ''] = await scene.imagesOf(id);
    expect(await told(id, imageId)).toEqual({
      ...NOT_SERVED,
      state: 'failed',
      counted: [0, 1],
      credentials: undefined,
    });
    await scene.operate('PATCH', `/products/${id}`, { visible: false });
    expect((await asset(imageId)).code).toBe('asset_unknown');
    await scene.operate('PATCH', `/products/${id}`, { visible: true });
    // showing it again is not enough: there is still nothing to certify
    servePicture(scene.shop, url, await signedByMerchant('failed'));
    await scene.operate('POST', `/stores/${store.id}/images/retry`, { imageIds: [imageId] });
    await settled();
    expect(await told(id, imageId)).toMatchObject({ ...SERVED, state: 'certified', counted: [1, 1] });
    // a certified image stays certified, whatever happens to its source
    scene.shop.put(url, (_request, response) => response.writeHead(404).end());
    await scanAgain(imageId);
    expect(await told(id, imageId)).toMatchObject({ ...SERVED, state: 'certified', counted: [1, 1] });
  });

  it.each([
    ['a PDF', 'pdf', '%PDF-1.7\n', 'It is a PDF.'],
    ['an SVG', 'svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'It is an SVG drawing.'],
    ['a video', 'mp4', '\0\0\0\x18ftypisom\0\0\0\0', 'It is a video.'],
  ])(
    'that is %s is not an image: neither listed nor counted, and reported to the merchant',
    async (_, name, bytes, detail) => {
      const { id, imageId } = await productWith(name, Buffer.from(bytes, 'latin1'));
      expect(await told(id, imageId)).toEqual({
        ...NOT_SERVED,
        state: 'no_image',
        asset: 415,
        listed: false,
        counted: [0, 0],
        credentials: undefined,
      });
      const { images } = await scene.operate('GET', `/stores/${store.id}/images/failed`);
      expect(images).toContainEqual(
        expect.objectContaining({
          id: imageId,
          code: 'image_format_unknown',
          message: expect.stringContaining(detail),
        }),
      );
    },
  );

  it('of a hidden product is identified by its URL, and not by its own id', async () => {
    const { id, imageId } = await productWith('hidden', await signedByMerchant('hidden'));
    await scene.operate('PATCH', `/products/${id}`, { visible: false });
    expect(await told(id, imageId)).toEqual({
      ...NOT_SERVED,
      state: 'certified',
      asset: 200,
      listed: false,
      counted: undefined,
      credentials: undefined,
    });
  });

  it('without a manifest, or with a broken one, is served and not covered', async () => {
    const bare = await productWith('no manifest', await picture('no manifest'));
    const without = { hasC2PA: false, hasManifest: false };
    expect(await told(bare.id, bare.imageId)).toMatchObject({
      ...SERVED,
      state: 'no_manifest',
      counted: [0, 1],
      credentials: without,
    });
    const bytes = Uint8Array.from(await signedByMerchant('broken'));
    const last = bytes.length - 40;
    bytes[last] = (bytes[last] ?? 0) ^ 1;
    const broken = await productWith('broken', bytes);
    const credentials = { hasC2PA: false, hasManifest: true };
    expect(await told(broken.id, broken.imageId)).toMatchObject({
      ...SERVED,
      state: 'manifest_invalid',
      counted: [0, 1],
      credentials,
    });
  });

  it('that we signed is covered only once the shop serves the signed file', async () => {
    await askForSignatures(true);
    const source = await picture('uploaded');
    const { id, imageId, url } = await productWith('uploaded', source);
    const signed = await signedFile(imageId);
    const hashes = { uhash: await uhash(signed), phash: expect.any(String) };
    expect(await told(id, imageId)).toEqual({
      ...SERVED,
      state: 'not_served',
      counted: [0, 1],
      credentials: {
        hasC2PA: true,
        hasManifest: true,
        hashes,
        sourceUhash: await uhash(source),
        served: 'source',
      },
    });
    servePicture(scene.shop, url, signed);
    await scanAgain(imageId);
    expect(await told(id, imageId)).toEqual({
      ...SERVED,
      state: 'certified',
      counted: [1, 1],
      credentials: { hasC2PA: true, hasManifest: true, hashes, served: 'certified' },
    });
    expect(await scene.operate('GET', `/stores/${store.id}/images/progress`)).toMatchObject({
      signedByUs: 2,
    });
    servePicture(scene.shop, url, source);
    await scanAgain(imageId);
    expect(await told(id, imageId)).toMatchObject({ counted: [0, 1], credentials: { served: 'source' } });
    await askForSignatures(false);
  });

  it('of which the signed file was uploaded counts everywhere once its product is sent again, or that is requested', async () => {
    await askForSignatures(true);
    const params = `/stores/${store.id}/images`;
    const progress = () => scene.operate('GET', `${params}/progress`);
    const cli = async (...words: string[]) =>
      (
        await runCli(words, {
          env: { TOUCHSTONE_SERVICE: scene.service.url, TOUCHSTONE_KEY: scene.service.operatorKey ?? '' },
        })
      ).out;
    const uploaded = async (name: string) => {
      const { id, imageId, url } = await productWith(name, await picture(name));
      servePicture(scene.shop, url, await signedFile(imageId));
      return { id, imageId, name, url };
    };
    const [first, second] = [await uploaded('sent again'), await uploaded('rechecked')];
    const before = await progress();
    await store.product(first.name, { images: [{ url: first.url }] });
    await settled();
    expect((await told(first.id, first.imageId)).state).toBe('certified');
    expect((await told(second.id, second.imageId)).state).toBe('not_served');
    await cli('images', store.id, '--recheck', '--watch');
    expect((await told(second.id, second.imageId)).state).toBe('certified');

    const after = await progress();
    const [certified, notServed] = [Number(before.certified) + 2, Number(before.notServed) - 2];
    expect(after).toMatchObject({ certified, notServed, signedByUs: before.signedByUs });
    const { images } = (await scene.operate('GET', `${params}?state=certified&limit=500`)) as {
      images: Json[];
    };
    expect(images, 'the list counts the same').toHaveLength(certified);
    expect(await cli('images', store.id)).toContain(`${certified} certified: `);
    expect(await cli('status', store.id)).toContain(`${certified} of ${String(after.total)} certified`);
    if (hasPart('console')) {
      const setup = await scene.operate('GET', `/stores/${store.id}/setup`);
      expect(setup.images).toMatchObject({ certified, total: after.total });
    }
    await askForSignatures(false);
  });

  it('that we signed for another store is not covered, and a page check reports it', async () => {
    await askForSignatures(true);
    const { imageId } = await productWith('stolen', await picture('stolen'));
    const stolen = await signedFile(imageId);
    const thief = await scene.store('copy.example');
    const url = 'http://copy.example/cup.img';
    servePicture(scene.shop, url, stolen);
    const { id } = await thief.product('cup', { images: [{ url }] });
    const waiting = async () => (await scene.operate('GET', `/stores/${thief.id}/images/progress`)).waiting;
    await expect.poll(waiting).toBe(0);
    const [copy = ''] = await scene.imagesOf(id);
    const answer = await scene.call('GET', `/api/v1/mc4p/assets/${copy}/certificate`);
    expect(answer.json['svc:contentCredentials']).toMatchObject({
      hasC2PA: false,
      hasManifest: true,
      finding: 'image_issued_to_another_store',
    });
    const certificate = await scene.certificate(id);
    expect(certificate['svc:trust']).toMatchObject({ certifiedAssets: 0, totalAssets: 1 });
    const failed = await scene.operate('GET', `/stores/${thief.id}/images/failed`);
    expect(failed.images).toMatchObject([
      { code: 'image_issued_to_another_store', message: expect.stringContaining('shop.example') },
    ]);
    // scanned again, the result is the same
    await scanAgain(copy);
    expect((await scene.certificate(id))['svc:trust']).toMatchObject({ certifiedAssets: 0 });
    const page = 'http://copy.example/products/cup';
    scene.shop.put(page, productPage({ '@type': 'Product', name: 'Cup', image: [url] }, certificate));
    const { json } = await scene.call('POST', '/api/v1/mc4p/page-checks', { url: page, images: 'match' });
    expect(json.findings).toContainEqual(expect.stringMatching(/^image_issued_to_another_store: /));
    await askForSignatures(false);
  });

  it('of the same store may be shown with another of its products', async () => {
    await askForSignatures(true);
    const { imageId } = await productWith('shared', await picture('shared'));
    const other = await productWith('shared-too', await signedFile(imageId));
    expect(await told(other.id, other.imageId)).toMatchObject({ counted: [1, 1] });
    await askForSignatures(false);
  });

  it('reports why its manifest does not validate, and where the file that was signed for it is', async () => {
    const list = async (state: string) =>
      (await scene.operate('GET', `/stores/${store.id}/images?state=${state}`)).images as Json[];
    expect(await list('manifest_invalid')).toMatchObject([
      { manifestFailures: [expect.stringMatching(/^assertion\.dataHash\.mismatch$/)] },
    ]);
    const [signed] = await list('not_served');
    const { url, uhash: hash } = (signed as { signedFile: { url: string; uhash: string } }).signedFile;
    const file = await fetch(url.replace(scene.baseUrl, scene.service.url));
    expect(await uhash(new Uint8Array(await file.arrayBuffer()))).toBe(hash);
    expect(signed?.sourceUhash).not.toBe(hash);
    expect(await list('signed')).toEqual(expect.arrayContaining(await list('not_served')));
    const ofProduct = async (state: string) =>
      (
        await scene.operate(
          'GET',
          `/stores/${store.id}/images?productId=${String(signed?.productId)}${state}`,
        )
      ).images as Json[];
    expect((await ofProduct('')).map(({ id }) => id)).toEqual([signed?.id]);
    expect(await ofProduct('&state=signed')).toEqual([signed]);
    expect(await ofProduct('&state=failed')).toEqual([]);
    // without an authority there are no time stamps, and all signatures expire with the certificate
    expect(await list('unstamped')).toEqual(await list('signed'));
    expect(signed).toMatchObject({ signedFile: { timeStamp: 'none', validUntil: expect.any(String) } });
    const { query } = scene.service.database;
    await query("update image_certifications set signed_until = '9999-12-31' where image_id = $1", [
      signed?.id,
    ]);
    const [stamped] = (await list('not_served')).filter(({ id }) => id === signed?.id);
    expect(stamped).toMatchObject({ signedFile: { timeStamp: 'trusted' } });
    expect(stamped?.signedFile).not.toHaveProperty('validUntil');
    expect(await list('unstamped')).not.toContainEqual(expect.objectContaining({ id: signed?.id }));
  });

  it('with a remote manifest is reported, and signed over only if that was requested', async () => {
    const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:dcterms="http://purl.org/dc/terms/"
      dcterms:provenance="https://manifests.example/1"/></rdf:RDF></x:xmpmeta>`;
    for (const format of ['jpeg', 'webp', 'avif'] as const) {
      await askForSignatures(false);
      const bytes = await sharp(await picture(`remote ${format}`))
        .withXmp(xmp)
        .toFormat(format)
        .toBuffer();
      const { id, imageId } = await productWith(`remote-${format}`, bytes);
      const credentials = { hasC2PA: false, hasManifest: false, finding: 'image_manifest_remote' };
      const remote = { ...SERVED, state: 'manifest_remote', counted: [0, 1], credentials };
      expect(await told(id, imageId)).toMatchObject(remote);
      await askForSignatures(true);
      await settled();
      expect(await told(id, imageId)).toMatchObject(remote);
      const { images } = await scene.operate('GET', `/stores/${store.id}/images/failed`);
      expect(images).toContainEqual(expect.objectContaining({ id: imageId, code: 'image_manifest_remote' }));
      await scene.operate('PATCH', `/stores/${store.id}`, { signRemoteManifests: true });
      await settled();
      expect((await told(id, imageId)).state).toBe('not_served');
      await scene.operate('PATCH', `/stores/${store.id}`, { signRemoteManifests: false });
    }
    await askForSignatures(false);
  });

  it('that failed is scanned at once when its product or the image itself is sent again', async () => {
    const url = `${SHOP}/mended.img`;
    const gone = () => scene.shop.put(url, (_request, response) => response.writeHead(404).end());
    gone();
    const { id } = await store.product('mended', { images: [{ url }] });
    await settled();
    const [imageId = ''] = await scene.imagesOf(id);
    expect((await told(id, imageId)).state).toBe('failed');
    servePicture(scene.shop, url, await picture('mended'));
    // it is unchanged
    await store.product('mended', { images: [{ url }] });
    await settled();
    expect((await told(id, imageId)).state).toBe('no_manifest');
    gone();
    await scanAgain(imageId);
    servePicture(scene.shop, url, await signedByMerchant('mended'));
    await scene.operate('POST', `/products/${id}/images`, { images: [{ url }] });
    await settled();
    expect((await told(id, imageId)).state).toBe('certified');
  });

  it('whose host asks for a delay is not fetched sooner, and the merchant sees why and until when', async () => {
    const url = `${SHOP}/busy.img`;
    scene.shop.put(url, (_request, response) => response.writeHead(429, { 'retry-after': '600' }).end());
    const { id } = await store.product('busy', { images: [{ url }] });
    const retrying = async () =>
      (await scene.operate('GET', `/stores/${store.id}/images?state=retrying`)).images as Json[];
    await expect.poll(async () => (await retrying()).length).toBe(1);
    const [image] = await retrying();
    expect(image).toMatchObject({
      id: (await scene.imagesOf(id))[0],
      state: 'waiting',
      problem: { code: 'image_http_status', message: expect.stringContaining('429'), attempts: 1 },
    });
    const { nextAttemptAt } = (image as { problem: { nextAttemptAt: string } }).problem;
    expect(Date.parse(nextAttemptAt) - Date.now()).toBeGreaterThan(590_000);
    await scene.operate('DELETE', `/products/${id}`);
  });
});
