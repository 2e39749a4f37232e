import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeImage } from '../certificates/testing.ts';
import { DOMAIN, type ImageScene, imageScene, PRODUCT, problem } from './testing.ts';

let scene: ImageScene;

beforeAll(async () => {
  scene = await imageScene();
});
afterAll(() => scene.close());

async function expectGone(imageId: string): Promise<void> {
  const answers = await Promise.all([
    scene.verify({ domain: DOMAIN }, imageId),
    scene.get(`/${imageId}/certificate`),
    scene.get(`/${imageId}/certificate?full=true`),
  ]);
  for (const answer of answers) {
    expect(answer.json).toEqual(problem(404, 'image_certificate_unknown'));
    expect(answer.status).toBe(404);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  }
}

const patch = (changes: object) => scene.operate('PATCH', `/products/${scene.productId}`, changes);

describe('404: no certificate', () => {
  it('for an unknown id', () => expectGone(randomUUID()));

  it('for a product or an asset in place of an image', () => expectGone(scene.productId));

  it('while its merchant hides the product, even if the plan would not cover it either', async () => {
    await patch({ visible: false });
    await expectGone(scene.imageId);
    await scene.operate('PATCH', `/merchants/${scene.merchantId}`, { paused: true });
    await expectGone(scene.imageId);
    await scene.operate('PATCH', `/merchants/${scene.merchantId}`, { paused: false });
    await patch({ visible: true });
    expect((await scene.verify({ domain: DOMAIN })).status).toBe(200);
  });

  it('while the operator disables the product', async () => {
    await patch({ disabled: true });
    await expectGone(scene.imageId);
    await patch({ disabled: false });
  });

  it('for bytes that turned out not to be an image', async () => {
    const url = `https://${DOMAIN}/film.mp4`;
    const { images } = (await scene.operate('POST', `/products/${scene.productId}/images`, {
      images: [{ url }],
    })) as { images: { id: string; url: string }[] };
    const film = images.find((image) => image.url === url)?.id ?? '';
    await changeImage(scene.service.database, film, { media_type: 'video/mp4' });
    await expectGone(film);
  });

  it('once the image has been removed from its product, and no longer when it is added again', async () => {
    await scene.operate('DELETE', `/images/${scene.imageId}`);
    await expectGone(scene.imageId);
    await scene.operate('POST', `/products/${scene.productId}/images`, { images: PRODUCT.images });
    expect((await scene.verify({ domain: DOMAIN })).status).toBe(200);
  });

  it('once the product is deleted', async () => {
    await scene.operate('DELETE', `/products/${scene.productId}`);
    await expectGone(scene.imageId);
  });
});
