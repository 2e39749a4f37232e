import decodeHeic from 'heic-decode';
import sharp, { type Sharp } from 'sharp';
import type { Pixels } from '../hash/normalise.ts';
import type { ImageHeader } from '../header/image-header.ts';
import { FULL_SIZE, MAX_PIXELS } from '../inspect/limits.ts';

/**
 * Decodes the first picture of a file, upright.
 *
 * @param seconds after which the decoder gives up
 * @throws Error by the decoder, for what it cannot read
 */
export async function decodePixels(bytes: Uint8Array, header: ImageHeader, seconds: number): Promise<Pixels> {
  if (header.mediaType === 'image/heic') return shrunk(sharpOf(await heicPixels(bytes)), header, seconds);
  const source = sharp(bytes, {
    limitInputPixels: MAX_PIXELS,
    failOn: 'error',
    sequentialRead: true,
    pages: 1,
  });
  return shrunk(source.autoOrient(), header, seconds);
}

async function shrunk(source: Sharp, { width, height }: ImageHeader, seconds: number): Promise<Pixels> {
  const scale = Math.sqrt(FULL_SIZE / (width * height));
  const side = Math.ceil(Math.max(width, height) * scale);
  const sized = scale < 1 ? source.resize({ width: side, height: side, fit: 'inside' }) : source;
  const { data, info } = await sized
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .timeout({ seconds })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

function sharpOf({ width, height, data }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: MAX_PIXELS });
}

/** sharp cannot decode HEIC. The decoder turns the picture upright itself. */
async function heicPixels(bytes: Uint8Array): Promise<Pixels> {
  const { width, height, data } = await decodeHeic({ buffer: bytes });
  return { width, height, data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
}
