import type { Pixels } from '../hash/normalise.ts';
import type { ImageHeader } from '../header/image-header.ts';
import type { PixelFinding } from '../inspect/inspect.ts';
import { FULL_SIZE } from '../inspect/limits.ts';

/**
 * Decodes the first picture of a file by the browser, upright where the browser heeds the orientation. Colours are left
 * as they are stored: what becomes of a colour profile depends on browser and screen.
 *
 * @throws DOMException by the browser, for what it cannot decode
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
    return shrunk(bitmap);
  } finally {
    bitmap.close();
  }
}

/** Not every browser can be asked; one that cannot has to try. */
async function isDecoded(mediaType: string): Promise<boolean> {
  return typeof ImageDecoder === 'undefined' || ImageDecoder.isTypeSupported(mediaType);
}

/** Whether a canvas gives back what was drawn: some browsers put noise into it, against recognising visitors by it. */
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

function shrunk(bitmap: ImageBitmap): Pixels {
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
  // one that is read is not drawn by a graphics card, which may round otherwise
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('There is no canvas to draw on.');
  return context;
}
