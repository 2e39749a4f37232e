import { toHex } from './hex.ts';
import { CODE_SIDE, imageCode } from './image-code.ts';
import { greyOf, overWhite, trimmed } from './normalise.ts';
import { resizeGrey } from './resize.ts';

/** A decoded image, upright (its orientation applied). */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** RGBA, 8 bits each, not premultiplied, row after row: width x height x 4 bytes. */
  readonly data: Uint8Array;
}

/**
 * `phash` of an image: the 64 bits of its ISO 24138 Image-Code (decisions 20, 53). Normalised as the standard asks:
 * transparency over white, a uniform border cut off, grey, 32 x 32 by bicubic interpolation.
 *
 * @returns 16 hexadecimal digits
 * @example
 * phash({ width: 1, height: 1, data: Uint8Array.of(0, 0, 0, 255) }); // '0000000000000000'
 */
export function phash(pixels: Pixels): string {
  return codeOf(trimmed(overWhite(pixels)));
}

/**
 * The same code of the whole frame, its border left on. Recompression makes a plain border uneven, so that the next one to
 * cut it off cuts elsewhere; this code hardly changes, and tells copies by far better (docs/image-likeness.md).
 *
 * @returns 16 hexadecimal digits
 */
export function frameCode(pixels: Pixels): string {
  return codeOf(overWhite(pixels));
}

function codeOf(pixels: Pixels): string {
  return toHex(imageCode(resizeGrey(greyOf(pixels), CODE_SIDE), 64));
}
