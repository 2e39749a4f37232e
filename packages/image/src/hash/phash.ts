import { appearanceOf } from './appearance.ts';
import { CODE_SIDE, imageCode } from './image-code.ts';
import { greyOf, overWhite, type Pixels, trimmed } from './normalise.ts';
import { resizeGrey } from './resize.ts';
import { toHex } from './uhash.ts';

/** What an image looks like: two codes of 16 hexadecimal digits each, of what is bright and dark, and its colours. */
export interface ImageCodes {
  /** The 64 bits of the ISO 24138 Image-Code, a uniform border cropped as its reference software does. */
  readonly phash: string;
  /**
   * The same code of the whole frame, a uniform border left on. Recompression makes a plain border uneven, so that the
   * next one to cut it off cuts elsewhere; this code hardly changes, and finds copies far better
   * (docs/measurements.md).
   */
  readonly frameCode: string;
  /** Colours of 16 x 16 parts, at most 3,200 characters: the only one that tells a recoloured or painted copy. */
  readonly appearance: string;
}

/**
 * Normalises as the standard asks: transparency over white, grey, 32 x 32 by bicubic interpolation.
 *
 * @example
 * ```ts
 * import { imageCodes } from '@touchstone/image';
 *
 * imageCodes({ width: 1, height: 1, data: Uint8Array.of(0, 0, 0, 255) }).frameCode; // '0000000000000000'
 * ```
 */
export function imageCodes(pixels: Pixels): ImageCodes {
  const frame = overWhite(pixels);
  const content = trimmed(frame);
  const frameCode = codeOf(frame);
  const appearance = appearanceOf(frame);
  return { phash: content === frame ? frameCode : codeOf(content), frameCode, appearance };
}

/**
 * The `phash` of an image.
 *
 * @example
 * ```ts
 * import { phash } from '@touchstone/image';
 *
 * phash({ width: 1, height: 1, data: Uint8Array.of(0, 0, 0, 255) }); // '0000000000000000'
 * ```
 */
export function phash(pixels: Pixels): string {
  return codeOf(trimmed(overWhite(pixels)));
}

function codeOf(pixels: Pixels): string {
  return toHex(imageCode(resizeGrey(greyOf(pixels), CODE_SIDE), 64));
}
