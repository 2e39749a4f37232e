import { createHash } from 'node:crypto';
import {
  compareImages,
  type Hashes,
  imageCodes,
  type PictureKeys,
  type PictureQuestion,
  pictureKeys,
  pictureQuestion,
} from '@touchstone/image';
import sharp from 'sharp';
import {
  BAND_SHIFT,
  MAX_DISTANCE,
  ones,
} from '../../packages/server/src/parts/picture-matches/find-codes.ts';

const KINDS = ['frame', 'square'] as const;

export async function hashesOf(file: Uint8Array): Promise<Hashes> {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const uhash = createHash('sha256').update(file).digest('hex');
  return { uhash, ...imageCodes({ width: info.width, height: info.height, data }) };
}

/** A picture with what it is found by, and what is asked about it. */
export interface Known {
  readonly hashes: Hashes;
  readonly keys: PictureKeys | null;
  readonly question: PictureQuestion | null;
}

export const knownOf = (hashes: Hashes): Known => ({
  hashes,
  keys: pictureKeys(hashes),
  question: pictureQuestion(hashes),
});

/** As the index finds it: a band with these bits, then the distance of the codes, then the appearance. */
export function isFound(asked: Known, certified: Known): boolean {
  const isClose = KINDS.some((kind) => {
    const [of, known] = [asked.question?.[kind], certified.keys?.[kind]];
    if (of === undefined || known === undefined) return false;
    if (ones(of.keys[0] ^ known[0]) > MAX_DISTANCE) return false;
    return of.probes.some((values, band) => values.includes(Number((known[band] ?? 0n) >> BAND_SHIFT)));
  });
  if (!isClose) return false;
  const { likeness } = compareImages(asked.hashes, certified.hashes);
  return likeness === 'same_picture' || likeness === 'same_bytes';
}

/** Where the index has a picture. */
export const bandValues = ({ keys }: Known): string[] =>
  KINDS.flatMap((kind) =>
    (keys?.[kind] ?? []).map((key, band) => `${kind} ${band} ${Number(key >> BAND_SHIFT)}`),
  );

/** Where a question looks. */
export const probedValues = ({ question }: Known): string[] =>
  KINDS.flatMap((kind) =>
    (question?.[kind]?.probes ?? []).flatMap((values, band) =>
      values.map((value) => `${kind} ${band} ${value}`),
    ),
  );
