import type { PageReport } from '@touchstone/contract';
import type { ImageWorkers } from '@touchstone/image/node';
import type { ReadImages } from '../../core/page-checks/page-images.ts';
import type { PictureReading, ReadPicture } from './readings.ts';

export interface ReadPicturesOptions {
  readonly readImages: ReadImages;
  readonly imageWorkers: Pick<ImageWorkers, 'inspect'>;
}

/**
 * Fetches and decodes the pictures of a page, within the limits of `readImages`. What cannot be read is told, and fails nothing.
 *
 * @param caller - whose budgets the fetches are spent from
 */
export async function readPictures(
  report: PageReport,
  { caller, signal }: { readonly caller: string; readonly signal: AbortSignal },
  { readImages, imageWorkers }: ReadPicturesOptions,
): Promise<PictureReading> {
  const live = report.facts.images.map(({ value }) => value);
  const { images, capped } = await readImages({ live, caller, signal }, async (bytes) => {
    const { uhash, frameCode, appearance } = await imageWorkers.inspect(bytes);
    if (frameCode === undefined || appearance === undefined) return undefined;
    return { uhash, frameCode, appearance } satisfies ReadPicture;
  });
  return { pictures: images.map(({ url, result }) => ({ url, read: result ?? null })), leftOut: capped };
}
