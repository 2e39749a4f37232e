import { isSamePicture } from './appearance.ts';

/**
 * What two images are to each other: the same bytes; the same picture, saved anew, resized, or padded to a square; similar
 * at a glance, of which nothing more is known or in which colours or parts differ; or neither.
 */
export type Likeness = 'same_bytes' | 'same_picture' | 'similar' | 'different';

/** Hashes of one image; the codes where its pixels could be decoded. */
export interface Hashes {
  /** SHA-256 of the bytes. */
  readonly uhash: string;
  /** 16 hexadecimal digits. */
  readonly phash?: string;
  /** Instead of `phash`, where both images have it. */
  readonly frameCode?: string;
  /** Colours part by part. Without it on both sides no two images are the same picture. */
  readonly appearance?: string;
}

/** Bits of 64 that may differ between similar images; measured, see docs/measurements.md. */
export const LIKENESS_DISTANCE = 8;

/**
 * Compares by bytes, then by colours part by part, then by a code of what is bright and dark.
 *
 * @returns with `distance`, the number of differing bits of the code, where both have one
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
 * Whether a code says enough to distinguish pictures. Half of its bits are set, unless most frequencies are missing: all
 * plain pictures have one code, and those that change in one direction only, like stripes, have 8 bits to differ in.
 */
function isDistinctive(code: string): boolean {
  return ones(BigInt(`0x${code}`)) > 8;
}

function ones(bits: bigint): number {
  return [...bits.toString(2)].filter((bit) => bit === '1').length;
}
