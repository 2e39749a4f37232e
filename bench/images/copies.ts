/**
 * Measures which copies of certified pictures are found, and whether unrelated ones are: `npm run bench:images -- copies [folder of
 * photographs [at most so many]]`; without a folder it fetches photographs of food with npm. The limits were chosen on photographs whose
 * names hash to an even number; the goals are checked on the others. Exits with 1 if a goal is missed.
 */
import sharp, { type Sharp } from 'sharp';
import { hashesOf, isFound, knownOf } from './known.ts';
import { measureHalves, type Photo } from './photos.ts';

type Change = (photo: Photo) => Sharp;

const jpeg =
  (quality: number): Change =>
  ({ file }) =>
    sharp(file).jpeg({ quality });
const resized =
  (by: number, quality: number): Change =>
  ({ file, width }) =>
    sharp(file)
      .resize({ width: Math.round(width * by) })
      .jpeg({ quality });
const squared =
  (background: string): Change =>
  ({ file, width, height }) => {
    const side = Math.max(width, height);
    return sharp(file)
      .resize({ width: side, height: side, fit: 'contain', background })
      .jpeg({ quality: 75 });
  };
const framed =
  (background: string): Change =>
  ({ file, width, height }) => {
    const [x, y] = [Math.round(width / 10), Math.round(height / 10)];
    return sharp(file).extend({ left: x, right: x, top: y, bottom: y, background }).jpeg({ quality: 75 });
  };

const SAME_BYTES = 'the same bytes';
/** Copies that are to be found. */
const GOALS: Readonly<Record<string, Change>> = {
  [SAME_BYTES]: ({ file }) => sharp(file),
  'JPEG of quality 90': jpeg(90),
  'JPEG of quality 60': jpeg(60),
  'JPEG of quality 40': jpeg(40),
  WebP: ({ file }) => sharp(file).webp({ quality: 60 }),
  'twice the size': resized(2, 75),
  'half the size': resized(0.5, 75),
  'half the size, quality 40': resized(0.5, 40),
  'a third of the size': resized(1 / 3, 75),
  'padded to a square, white': squared('#fff'),
  'padded to a square, black': squared('#000'),
};
/** Without a goal, for information. */
const OTHERS: Readonly<Record<string, Change>> = {
  'a white frame of a tenth': framed('#fff'),
  'cropped by 5 %': ({ file, width, height }) =>
    sharp(file)
      .extract({
        left: Math.round(width * 0.025),
        top: Math.round(height * 0.025),
        width: Math.round(width * 0.95),
        height: Math.round(height * 0.95),
      })
      .jpeg({ quality: 75 }),
  mirrored: ({ file }) => sharp(file).flop().jpeg({ quality: 75 }),
  'a watermark across': ({ file, width, height }) =>
    sharp(file)
      .composite([
        {
          input: Buffer.from(
            `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><text x="50%" y="60%" text-anchor="middle" font-size="${Math.round(width / 8)}" fill="#fff" fill-opacity="0.5">shop.example</text></svg>`,
          ),
        },
      ])
      .jpeg({ quality: 75 }),
};
/** Share of pages with four pictures, and with two, of which two pictures are found; of single pictures with the same bytes. */
const LEAST = { page: 0.95, sameBytes: 0.99 };

let missed = 0;

async function measure(title: string, photos: readonly Photo[], isChecked: boolean): Promise<void> {
  console.log(`\n${title}: ${photos.length} photographs`);
  const originals = await Promise.all(photos.map(async ({ file }) => knownOf(await hashesOf(file))));
  for (const [name, change] of [...Object.entries(GOALS), ...Object.entries(OTHERS)]) {
    const found: boolean[] = [];
    for (const [nth, photo] of photos.entries()) {
      const copy = name === SAME_BYTES ? photo.file : await change(photo).toBuffer();
      found.push(isFound(knownOf(await hashesOf(copy)), originals[nth] ?? knownOf({ uhash: '' })));
    }
    const single = found.filter(Boolean).length / found.length;
    const [two, four] = [pagesFound(found, 2), pagesFound(found, 4)];
    const isMissed =
      isChecked &&
      name in GOALS &&
      (two < LEAST.page || four < LEAST.page || (name === SAME_BYTES && single < LEAST.sameBytes));
    if (isMissed) missed += 1;
    const percent = (share: number) => `${(share * 100).toFixed(1)} %`.padStart(8);
    console.log(
      `  ${name.padEnd(28)}${percent(single)} of pictures,${percent(two)} of pages with two,${percent(four)} with four${isMissed ? '  MISSED' : ''}`,
    );
  }
  let [pairs, alike] = [0, 0];
  for (const [nth, one] of originals.entries()) {
    for (const other of originals.slice(nth + 1)) {
      if (one.hashes.uhash === other.hashes.uhash) continue;
      pairs += 1;
      if (isFound(one, other)) alike += 1;
    }
  }
  if (isChecked && alike > 0) missed += 1;
  // without any, three in so many is the upper bound of the 95 % interval (rule of three)
  const bound = alike === 0 ? `; below 1 in ${Math.floor(pairs / 3)} with 95 %` : '';
  console.log(`  pairs of different photographs: ${alike} of ${pairs} told to be the same${bound}`);
}

/** Share of pages with so many pictures, one after another, of which at least two are found. */
function pagesFound(found: readonly boolean[], size: number): number {
  const pages = Array.from({ length: Math.floor(found.length / size) }, (_, page) =>
    found.slice(page * size, (page + 1) * size),
  );
  return pages.filter((page) => page.filter(Boolean).length >= 2).length / pages.length;
}

await measureHalves(measure);
console.log(`\n${missed} goals missed.`);
process.exitCode = missed > 0 ? 1 : 0;
