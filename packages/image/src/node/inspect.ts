import { imageCodes, type Pixels } from '../hash/phash.ts';
import { uhash } from '../hash/uhash.ts';
import { type ImageHeader, readHeader } from '../header/read-header.ts';
import { MAX_BYTES, MAX_PIXELS } from '../limits.ts';
import type { ManifestEngine } from '../manifest/engine.ts';
import type { ManifestReport, TrustList } from '../manifest/report.ts';
import { ImageFault } from './fault.ts';

/** All that is found out about an image. */
export interface ImageInspection {
  readonly header: ImageHeader;
  readonly uhash: string;
  /** Absent where the pixels cannot be decoded; the manifest may still be sound. */
  readonly phash?: string;
  /** There when `phash` is; tells copies better (`compareImages`). */
  readonly frameCode?: string;
  readonly manifest: ManifestReport;
}

export type DecodePixels = (bytes: Uint8Array, header: ImageHeader) => Promise<Pixels>;

/** @throws ImageFault not_an_image, too_large, too_many_pixels */
export async function inspect(
  bytes: Uint8Array,
  trust: TrustList,
  { engine, decode }: { engine: ManifestEngine; decode: DecodePixels },
): Promise<ImageInspection> {
  const header = acceptedHeader(bytes);
  const codes = await decode(bytes, header).then(imageCodes, () => ({}));
  return {
    header,
    uhash: await uhash(bytes),
    ...codes,
    manifest: await engine.read(bytes, header.mediaType, trust),
  };
}

/** @throws ImageFault not_an_image, too_large, too_many_pixels */
export function acceptedHeader(bytes: Uint8Array): ImageHeader {
  if (bytes.byteLength > MAX_BYTES) throw new ImageFault('too_large');
  const header = readHeader(bytes);
  if (header === null) throw new ImageFault('not_an_image');
  if (header.width * header.height > MAX_PIXELS) throw new ImageFault('too_many_pixels');
  return header;
}
