import type { Sharp } from 'sharp';
import type { Pixels } from '../hash/normalise.ts';
import type { ImageHeader } from '../header/image-header.ts';
import { ImageFault } from '../inspect/fault.ts';
import { FULL_SIZE, MAX_PIXELS } from '../inspect/limits.ts';

// Optional dependencies: they take 30 MB, and manifests and signatures do not need them.
const sharp = await installed(import('sharp'));
const decodeHeic = await installed(import('heic-decode'));
sharp?.cache(false);
sharp?.concurrency(1);

async function installed<T>(loading: Promise<{ readonly default: T }>): Promise<T | null> {
  try {
    return (await loading).default;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  }
}

/**
 * Decodes the first picture of a file, upright.
 *
 * @param seconds after which decoding is aborted
 * @throws ImageFault timed_out, which means nothing about the file
 * @throws Error of the decoder, for a file that it cannot read; or if no decoder is installed
 */
export async function decodePixels(bytes: Uint8Array, header: ImageHeader, seconds: number): Promise<Pixels> {
  if (sharp === null) throw new Error('sharp is not installed');
  if (header.mediaType === 'image/heic') {
    const { data, ...size } = await heicPixels(bytes);
    const raw = { ...size, channels: 4 } as const;
    return scaledDown(sharp(data, { raw, limitInputPixels: MAX_PIXELS }), header, seconds);
  }
  const source = sharp(bytes, {
    limitInputPixels: MAX_PIXELS,
    failOn: 'error',
    sequentialRead: true,
    pages: 1,
  });
  return scaledDown(source.autoOrient(), header, seconds);
}

async function scaledDown(source: Sharp, { width, height }: ImageHeader, seconds: number): Promise<Pixels> {
  const scale = Math.sqrt(FULL_SIZE / (width * height));
  const side = Math.ceil(Math.max(width, height) * scale);
  const sized = scale < 1 ? source.resize({ width: side, height: side, fit: 'inside' }) : source;
  const { data, info } = await sized
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .timeout({ seconds })
    .toBuffer({ resolveWithObject: true })
    .catch((error: Error) => {
      throw error.message.startsWith('timeout: ') ? new ImageFault('timed_out') : error;
    });
  return { width: info.width, height: info.height, data };
}

/** By `heic-decode`, since sharp cannot decode HEIC. It applies the orientation itself. */
async function heicPixels(bytes: Uint8Array): Promise<Pixels> {
  if (decodeHeic === null) throw new Error('heic-decode is not installed');
  const { width, height, data } = await decodeHeic({ buffer: bytes });
  return { width, height, data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
}
