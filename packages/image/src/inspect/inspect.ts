import type { Pixels } from '../hash/normalise.ts';
import { imageCodes } from '../hash/phash.ts';
import { uhash } from '../hash/uhash.ts';
import type { ImageHeader } from '../header/image-header.ts';
import { beginsAsImage, readHeader } from '../header/read-header.ts';
import type { ManifestEngine } from '../manifest/engine.ts';
import type { ManifestReport, TrustList } from '../manifest/manifest-report.ts';
import { ImageFault } from './fault.ts';
import { MAX_BYTES, MAX_PIXELS } from './limits.ts';

/** Why the pixels of an image have no codes. */
export const PIXEL_FINDINGS = {
  pixels_undecodable: 'The pixels cannot be decoded: the file is damaged, or would take too much.',
  pixels_unsupported: 'Images of this kind are not decoded here; another program may.',
  pixels_withheld: 'The browser alters the pixels that it gives out, to protect the privacy of who uses it.',
} as const;

/** A code of `PIXEL_FINDINGS`. */
export type PixelFinding = keyof typeof PIXEL_FINDINGS;

/** The result of inspecting an image. */
export interface ImageInspection {
  readonly header: ImageHeader;
  /** SHA-256 of the bytes, 64 hexadecimal digits. */
  readonly uhash: string;
  /** Absent if the pixels are not decoded; the manifest may still be valid. */
  readonly phash?: string;
  /** Present with `phash`, as is `appearance`; finds copies better (`compareImages`). */
  readonly frameCode?: string;
  readonly appearance?: string;
  /** Why there is no `phash`. */
  readonly pixelFinding?: PixelFinding;
  readonly manifest: ManifestReport;
}

/** Throws an ImageFault if decoding takes too long, any other error for a damaged file; returns a finding for reasons outside the file. */
export type DecodePixels = (bytes: Uint8Array, header: ImageHeader) => Promise<Pixels | PixelFinding>;

/** @throws ImageFault not_an_image, cut_off, too_large, too_many_pixels, timed_out */
export async function inspect(
  bytes: Uint8Array,
  trust: TrustList,
  { engine, decode }: { engine: ManifestEngine; decode: DecodePixels },
): Promise<ImageInspection> {
  const header = acceptedHeader(bytes);
  const pixels = await decode(bytes, header).catch((error: unknown) => {
    if (error instanceof ImageFault) throw error;
    return 'pixels_undecodable' as const;
  });
  return {
    header,
    uhash: await uhash(bytes),
    ...codesOf(pixels),
    manifest: await engine.read(bytes, header.mediaType, trust),
  };
}

function codesOf(pixels: Pixels | PixelFinding) {
  return typeof pixels === 'string' ? { pixelFinding: pixels } : imageCodes(pixels);
}

/** @throws ImageFault not_an_image, cut_off, too_large, too_many_pixels */
export function acceptedHeader(bytes: Uint8Array): ImageHeader {
  if (bytes.byteLength > MAX_BYTES) throw new ImageFault('too_large');
  const header = readHeader(bytes);
  if (header === null) throw new ImageFault(beginsAsImage(bytes) ? 'cut_off' : 'not_an_image');
  if (header.width * header.height > MAX_PIXELS) throw new ImageFault('too_many_pixels');
  return header;
}
