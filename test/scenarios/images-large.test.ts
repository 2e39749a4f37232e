import { expect, it } from 'vitest';
import { largeHeic } from '../images/large-heic.ts';
import { pictures } from '../images/pictures.ts';
import { useImageScene } from '../kit/image-scene.ts';
import type { Json } from '../kit/service.ts';

// one process, so that every image except the first is opened in a process that others have used
const world = await useImageScene({ TOUCHSTONE_IMAGE_PROCESSES: '1' });
await world.askForSignatures(true);
const small = (await pictures())['image/heic'];

const reportOf = async (imageId: string) => {
  const { images } = (await world.scene.operate('GET', `/stores/${world.store.id}/images`)) as {
    images: Json[];
  };
  return images.find(({ id }) => id === imageId);
};

it('a HEIC of 51 megapixels is signed with its hashes, in a fresh process and in a used one', async () => {
  for (const height of [5_700, 5_701, 5_702]) {
    const { imageId } = await world.productWith(`heic-${height}`, largeHeic(small, { width: 9_000, height }));
    expect(await reportOf(imageId)).toMatchObject({
      state: 'not_served',
      signedFile: { mediaType: 'image/heic' },
    });
    expect(await world.asset(imageId)).toMatchObject({
      encodingFormat: 'image/heic',
      width: 9_000,
      height,
      'svc:contentCredentials': { hasC2PA: true, hashes: { phash: expect.any(String) } },
    });
  }
});

it('one of over 100 megapixels is refused with the same code, the first time and again', async () => {
  for (const height of [11_200, 11_201]) {
    const { imageId } = await world.productWith(`heic-${height}`, largeHeic(small, { width: 9_000, height }));
    expect(await reportOf(imageId)).toMatchObject({
      state: 'failed',
      problem: { code: 'image_too_many_pixels' },
    });
  }
});
