import type { ByteView } from './byte-view.ts';
import type { ImageHeader, ImageMediaType } from './read-header.ts';

/** A header without a size: the file ends or breaks off before it. */
export function unsized(mediaType: ImageMediaType): ImageHeader {
  return { mediaType, width: 0, height: 0 };
}

/**
 * A header whose size ends before `end`. Where the file ends earlier there is none: half a number is another number.
 */
export function sized(view: ByteView, end: number, header: ImageHeader): ImageHeader {
  return view.length < end ? unsized(header.mediaType) : header;
}
