import { isSamePicture } from './appearance.ts';

/**
 * The relation of two images: the same bytes; the same picture, recompressed, resized, or padded to a square; similar, with
 * differing colours or parts, or without an appearance to compare; or different.
 */
export type Likeness = 'same_bytes' | 'same_picture' | 'similar' | 'different';

/** Hashes of one image; `phash`, `frameCode` and `appearance` require decoded pixels. */
export interface Hashes {
  /** SHA-256 of the bytes. */
  readonly uhash: string;
  /** 16 hexadecimal digits. */
  readonly phash?: string;
  /** Compared instead of `phash` if both images have it. */
  readonly frameCode?: string;
  /** Colours of its parts. Only with it on both sides can two images be the same picture. */
  readonly appearance?: string;
}

/** Bits of 64 that may differ between similar images; measured, see docs/measurements.md. */
export const LIKENESS_DISTANCE = 8;

/**
 * Compares bytes, then the colours of parts, then the perceptual codes of brightness.
 *
 * @returns with `distance`, the number of differing bits of the codes, if both have one
 * @example
 * ```ts
 * import { compareImages } from '@touchstone/image';
 *
 * compareImages({ uhash: 'a' }, { uhash: 'a' }); // { likeness: 'same_bytes' }
 * ```
 */
export function compareImages(a: Hashes, b: Hashes): { likeness: Likeness; distance?: number } {
  if (a.uhash === b.uhash) return { likeness: 'same_bytes' };
  const compared = a.appearance !== undefined && b.appearance !== undefined;
  const isSame = compared && isSamePicture(a.appearance, b.appearance) === true;
  const name = a.frameCode !== undefined && b.frameCode !== undefined ? 'frameCode' : 'phash';
  const [one, other] = [a[name], b[name]];
  if (one === undefined || other === undefined || one.length !== other.length)
    return { likeness: isSame ? 'same_picture' : 'different' };
  const distance = ones(BigInt(`0x${one}`) ^ BigInt(`0x${other}`));
  if (isSame) return { likeness: 'same_picture', distance };
  const isSimilar = distance <= LIKENESS_DISTANCE && isDistinctive(one) && isDistinctive(other);
  return { likeness: isSimilar ? 'similar' : 'different', distance };
}

/**
 * Whether a code has enough information to distinguish pictures. Half of its bits are set, unless most frequencies are missing:
 * all plain pictures have the same code, and those that vary in one direction only, such as stripes, differ in 8 bits at most.
 */
function isDistinctive(code: string): boolean {
  return ones(BigInt(`0x${code}`)) > 8;
}

function ones(bits: bigint): number {
  return [...bits.toString(2)].filter((bit) => bit === '1').length;
}
