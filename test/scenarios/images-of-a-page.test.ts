import { Readable } from 'node:stream';
import sharp from 'sharp';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { openImageScene, SHOP } from '../kit/image-scene.ts';
import { PATIENT } from '../kit/patience.ts';
import { picture, servePicture } from '../kit/pictures.ts';
import type { Json } from '../kit/service.ts';
import { productPage } from '../kit/shop.ts';

const world = await openImageScene();
const { scene, productWith, asset, askForSignatures, signedByMerchant } = world;
afterAll(() => world.close());

/** The findings about the images of a page with these images. */
async function match(
  product: { id: string; url: string },
  live: readonly string[],
): Promise<Json & { images: string[] }> {
  const page = `${SHOP}/products/${product.id}`;
  scene.shop.put(
    page,
    productPage({ '@type': 'Product', name: 'Kettle', image: live }, await scene.certificate(product.id)),
  );
  const { json } = await scene.call('POST', '/api/v1/mc4p/page-checks', { url: page, images: 'match' });
  const findings = json.findings as string[];
  return { ...json, images: findings.filter((entry) => entry.startsWith('image')) };
}

describe('the images of a page', () => {
  it('are distinguished: certified ones, copies of them, altered ones, others, and unreadable ones', async () => {
    await askForSignatures(true);
    const product = await productWith('compared', await picture('compared', 'jpeg', 400));
    const { hashes } = (await asset(product.imageId))['svc:contentCredentials'] as {
      hashes: { uhash: string };
    };
    const signed = await fetch(`${scene.service.url}/api/v1/mc4p/blobs/${hashes.uhash}.jpg`);
    servePicture(scene.shop, `${SHOP}/live-signed.jpg`, new Uint8Array(await signed.arrayBuffer()));
    servePicture(scene.shop, `${SHOP}/live-small.webp`, await picture('compared', 'webp', 200));
    servePicture(scene.shop, `${SHOP}/live-other.jpg`, await picture('something else', 'jpeg', 400));
    const recoloured = sharp(await picture('compared', 'jpeg', 400)).modulate({ hue: 120 });
    servePicture(scene.shop, `${SHOP}/live-recoloured.jpg`, await recoloured.jpeg().toBuffer());
    const painted = sharp(await picture('compared', 'jpeg', 400)).composite([
      { input: { create: { width: 80, height: 80, channels: 3, background: '#0f0' } }, left: 60, top: 200 },
    ]);
    servePicture(scene.shop, `${SHOP}/live-painted.jpg`, await painted.jpeg().toBuffer());
    const live = [
      product.url,
      ...[
        'live-signed.jpg',
        'live-small.webp',
        'live-recoloured.jpg',
        'live-painted.jpg',
        'live-other.jpg',
        'gone.jpg',
      ].map((name) => `${SHOP}/${name}`),
    ];
    // what is not compared within 15 s, as on a busy machine, is unread, too
    const report = await vi.waitFor(async () => {
      const told = await match(product, live);
      expect(told.images.map((entry) => entry.split(':')[0])).toEqual([
        'image_source',
        'image_same',
        'image_copy',
        expect.stringMatching(/^image_(similar|not_certified)$/),
        'image_similar',
        'image_not_certified',
        'image_unread',
      ]);
      return told;
    }, PATIENT);
    expect(report.images[5]).toContain(`${SHOP}/live-other.jpg`);
    const plain = await scene.checkPage(String(report.url));
    expect([report.verdict, report.warnings, report.errors]).toEqual([
      plain.verdict,
      plain.warnings,
      plain.errors,
    ]);
    await askForSignatures(false);
  });

  it('are compared up to a number, each URL once', async () => {
    const product = await productWith('many', await signedByMerchant('many'));
    const other = Array.from({ length: 20 }, (_, i) => `${SHOP}/nothing-${i}.jpg`);
    const { images } = await match(product, [product.url, product.url, ...other]);
    expect(images).toHaveLength(13);
    expect(images.at(-1)).toMatch(/^images_capped: /);
    expect(scene.shop.asked.filter((asked) => asked.startsWith('shop.example/nothing-'))).toHaveLength(11);
  });

  it('are compared up to 40 MB, however many are fetched concurrently', async () => {
    const product = await productWith('heavy', await signedByMerchant('heavy'));
    const heavy = Buffer.concat([await picture('heavy and other'), Buffer.alloc(15_000_000)]);
    const urls = Array.from({ length: 5 }, (_, i) => `${SHOP}/heavy-${i}.jpg`);
    for (const url of urls) {
      // chunked, so that the length is unknown in advance
      scene.shop.put(url, (_request, response) => {
        response.writeHead(200);
        Readable.from(chunksOf(heavy)).pipe(response);
      });
    }
    const { images } = await match(product, urls);
    const read = images.filter((entry) => !entry.startsWith('image_unread'));
    expect([images.length, read.length * heavy.length <= 40_000_000]).toEqual([5, true]);
  });

  it('are not fetched if nothing is certified, nor unless it is requested', async () => {
    const product = await productWith('uncertified', await picture('uncertified'));
    const before = scene.shop.asked.length;
    const { images } = await match(product, [product.url]);
    expect(images).toEqual([expect.stringMatching(/^images_not_compared: /)]);
    await scene.checkPage(`${SHOP}/products/${product.id}`);
    expect(scene.shop.asked.slice(before)).toEqual(Array(2).fill(`shop.example/products/${product.id}`));
  });
});

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000);
}
