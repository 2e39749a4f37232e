import { readBmff } from './bmff.ts';
import { viewBytes } from './byte-view.ts';
import { readGif, readJpeg, readPng, readWebp } from './formats.ts';
import type { ImageHeader } from './image-header.ts';

/** Each returns `null` for another format, and no size for a file that is truncated before it. */
const READERS = [readJpeg, readPng, readWebp, readBmff, readGif];

/**
 * Format and size of an image, from its own bytes: neither a name nor a Content-Type is consulted. Nothing is decoded, so the
 * data after the header may be damaged.
 *
 * @returns `null` for bytes in none of the six formats, or without a size
 * @example
 * ```ts
 * import { readHeader } from '@touchstone/image';
 *
 * readHeader(new Uint8Array()); // null
 * ```
 */
export function readHeader(bytes: Uint8Array): ImageHeader | null {
  const header = readBeginning(bytes);
  return header !== null && header.width > 0 && header.height > 0 ? header : null;
}

/** Whether a file begins like one of the six formats, with or without a size: an image, possibly truncated. */
export function beginsAsImage(bytes: Uint8Array): boolean {
  return readBeginning(bytes) !== null;
}

function readBeginning(bytes: Uint8Array): ImageHeader | null {
  const view = viewBytes(bytes);
  for (const read of READERS) {
    const header = read(view);
    if (header !== null) return header;
  }
  return null;
}
