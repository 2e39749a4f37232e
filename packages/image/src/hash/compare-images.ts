/** What two images are to each other. */
export type Likeness = 'same' | 'resized_copy' | 'different';

/** Hashes of one image; the codes where its pixels could be decoded. */
export interface Hashes {
  /** SHA-256 of the bytes. */
  readonly uhash: string;
  /** 16 hexadecimal digits. */
  readonly phash?: string;
  /** Decides, where both images have it; `phash` otherwise. */
  readonly frameCode?: string;
}

/** Bits of 64 that may differ between an image and a copy of it; measured, see docs/measurements.md. */
export const LIKENESS_DISTANCE = 8;

/**
 * Compares by bytes, then by what the pixels look like. A copy is one that was resized, recompressed, converted or
 * slightly cropped.
 *
 * @returns with `distance`, the number of differing bits of 64, where both have a code
 * @example
 * ```ts
 * import { compareImages } from '@touchstone/image';
 *
 * compareImages({ uhash: 'a' }, { uhash: 'a' }); // { likeness: 'same' }
 * ```
 */
export function compareImages(a: Hashes, b: Hashes): { likeness: Likeness; distance?: number } {
  if (a.uhash === b.uhash) return { likeness: 'same' };
  const name = a.frameCode !== undefined && b.frameCode !== undefined ? 'frameCode' : 'phash';
  const [one, other] = [a[name], b[name]];
  if (one === undefined || other === undefined || one.length !== other.length)
    return { likeness: 'different' };
  const distance = ones(BigInt(`0x${one}`) ^ BigInt(`0x${other}`));
  const isCopy = distance <= LIKENESS_DISTANCE && isDistinctive(one) && isDistinctive(other);
  return { likeness: isCopy ? 'resized_copy' : 'different', distance };
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
