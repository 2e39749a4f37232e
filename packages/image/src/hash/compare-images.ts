/** What two images are to each other. */
export type Likeness = 'same' | 'resized_copy' | 'different';

/** Hashes of one image; `phash` where its pixels could be decoded. */
export interface Hashes {
  readonly uhash: string;
  readonly phash?: string;
}

/** Bits that may differ between an image and a copy of it; measured, see docs/image-likeness.md. */
export const LIKENESS_DISTANCE = 6;

/**
 * Compares by bytes, then by looks. A copy is one that was resized, recompressed, converted or slightly cropped.
 *
 * @returns with `distance`, the number of differing bits of 64, where both could be looked at
 * @example
 * compareImages({ uhash: 'a' }, { uhash: 'a' }); // { likeness: 'same' }
 */
export function compareImages(a: Hashes, b: Hashes): { likeness: Likeness; distance?: number } {
  if (a.uhash === b.uhash) return { likeness: 'same' };
  if (a.phash === undefined || b.phash === undefined || a.phash.length !== b.phash.length) {
    return { likeness: 'different' };
  }
  const distance = differingBits(BigInt(`0x${a.phash}`) ^ BigInt(`0x${b.phash}`));
  return {
    likeness: isPlain(a.phash) || distance > LIKENESS_DISTANCE ? 'different' : 'resized_copy',
    distance,
  };
}

/** Every picture of one colour has the same code: it says nothing of which one it is. */
function isPlain(phash: string): boolean {
  return /^0*$/.test(phash);
}

function differingBits(bits: bigint): number {
  return [...bits.toString(2)].filter((bit) => bit === '1').length;
}
