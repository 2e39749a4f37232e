import type { Pixels } from '../hash/phash.ts';
import type { ImageHeader } from '../header/read-header.ts';
import { FULL_SIZE } from '../limits.ts';

/**
 * Decodes the first picture of a file by the browser, upright where the browser heeds the orientation. Colours are left
 * as they are stored: what becomes of a colour profile depends on browser and screen (decision 79).
 *
 * @returns `null` for a kind of image that the browser says it does not decode
 * @throws DOMException by the browser, for what it cannot decode
 */
export async function decodePixels(bytes: Uint8Array, { mediaType }: ImageHeader): Promise<Pixels | null> {
  if (!(await isDecoded(mediaType))) return null;
  const file = new Blob([new Uint8Array(bytes)], { type: mediaType });
  const bitmap = await createImageBitmap(file, { colorSpaceConversion: 'none' });
  try {
    return shrunk(bitmap);
  } finally {
    bitmap.close();
  }
}

/** Not every browser can be asked; one that cannot has to try. */
async function isDecoded(mediaType: string): Promise<boolean> {
  return typeof ImageDecoder === 'undefined' || ImageDecoder.isTypeSupported(mediaType);
}

function shrunk(bitmap: ImageBitmap): Pixels {
  const scale = Math.min(1, Math.sqrt(FULL_SIZE / (bitmap.width * bitmap.height)));
  const width = Math.ceil(bitmap.width * scale);
  const height = Math.ceil(bitmap.height * scale);
  // read back at once, it is never handed to a graphics card, which may round otherwise
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('There is no canvas to be had.');
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  const { data } = context.getImageData(0, 0, width, height);
  return { width, height, data: new Uint8Array(data.buffer) };
}
