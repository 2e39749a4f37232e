import type { Pixels } from '../hash/normalise.ts';
import type { ImageHeader } from '../header/image-header.ts';
import type { PixelFinding } from '../inspect/inspect.ts';
import { FULL_SIZE } from '../inspect/limits.ts';

/**
 * Decodes the first picture of a file by the browser, upright if the browser applies the orientation. Colours are not converted:
 * the result of applying a colour profile depends on browser and screen.
 *
 * @throws DOMException of the browser, if it cannot decode the file
 */
export async function decodePixels(
  bytes: Uint8Array,
  { mediaType }: ImageHeader,
): Promise<Pixels | PixelFinding> {
  if (!(await isDecoded(mediaType))) return 'pixels_unsupported';
  if (!givesTruePixels()) return 'pixels_withheld';
  const file = new Blob([new Uint8Array(bytes)], { type: mediaType });
  const bitmap = await createImageBitmap(file, { colorSpaceConversion: 'none' });
  try {
    return scaledDown(bitmap);
  } finally {
    bitmap.close();
  }
}

/** Whether the browser decodes this format; true if it has no way to ask. */
async function isDecoded(mediaType: string): Promise<boolean> {
  return typeof ImageDecoder === 'undefined' || ImageDecoder.isTypeSupported(mediaType);
}

/** Whether a canvas returns the colours that were drawn: some browsers add noise as a protection against fingerprinting. */
function givesTruePixels(): boolean {
  const context = canvas(16, 1);
  const colours = Array.from({ length: 16 }, (_, x) => [x * 16, 255 - x * 3, x * 7, 255]);
  colours.forEach((colour, x) => {
    context.fillStyle = `rgb(${colour.slice(0, 3).join(' ')})`;
    context.fillRect(x, 0, 1, 1);
  });
  const { data } = context.getImageData(0, 0, 16, 1);
  return colours.flat().every((value, i) => data[i] === value);
}

function scaledDown(bitmap: ImageBitmap): Pixels {
  const scale = Math.min(1, Math.sqrt(FULL_SIZE / (bitmap.width * bitmap.height)));
  const width = Math.ceil(bitmap.width * scale);
  const height = Math.ceil(bitmap.height * scale);
  const context = canvas(width, height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  const { data } = context.getImageData(0, 0, width, height);
  return { width, height, data: new Uint8Array(data.buffer) };
}

function canvas(width: number, height: number): OffscreenCanvasRenderingContext2D {
  // `willReadFrequently` avoids graphics cards, which may round differently
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('There is no canvas to draw on.');
  return context;
}
