import { appearanceOf } from './appearance.ts';
import { CODE_SIDE, imageCode } from './image-code.ts';
import { greyOf, overWhite, type Pixels, trimmed } from './normalise.ts';
import { resizeGrey } from './resize.ts';
import { toHex } from './uhash.ts';

/** Perceptual codes of an image: two of brightness, with 16 hexadecimal digits each, and one of colours. */
export interface ImageCodes {
  /** The 64 bits of the ISO 24138 Image-Code, a uniform border cropped as its reference software does. */
  readonly phash: string;
  /**
   * The same code of the whole frame, including a uniform border. Recompression makes a plain border uneven, so that cropping it
   * again gives another area; this code hardly changes, and finds copies far better (docs/measurements.md).
   */
  readonly frameCode: string;
  /** Colours of 16 x 16 parts, at most 3,200 characters: the only code that detects a recoloured or retouched copy. */
  readonly appearance: string;
}

/**
 * Computes the codes; normalises as the standard requires: transparency over white, grey, 32 x 32 by bicubic interpolation.
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
