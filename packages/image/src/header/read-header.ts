import { readBmff } from './bmff.ts';
import { viewBytes } from './byte-view.ts';
import { readGif, readJpeg, readPng, readWebp } from './formats.ts';
import type { ImageHeader } from './image-header.ts';

/** Each answers `null` for what is not of its kind, and no size for what ends or breaks off before it. */
const READERS = [readJpeg, readPng, readWebp, readBmff, readGif];

/**
 * Kind and size of an image, from its own bytes. A name or a Content-Type is never asked, and nothing is decoded: what
 * follows the header may still be broken.
 *
 * @returns `null` for bytes that are none of the six kinds, or announce no size
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

/** Whether a file begins as one of the six kinds, announced size or not: an image, or what is left of one. */
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
