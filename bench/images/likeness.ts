/**
 * Measures which images are classified as the same picture: copies, altered copies and other pictures. `npm run bench:images -- likeness [folder
 * of photographs [at most so many]]`; without a folder it fetches photographs of food with npm. The limits were tuned on photographs whose
 * names hash to an even number; the goals are checked on the others. Exits with 1 if a goal is missed.
 */
import { createHash } from 'node:crypto';
import { compareImages, type Hashes, imageCodes, type Likeness } from '@touchstone/image';
import sharp, { type Sharp } from 'sharp';
import { hashOf, measureHalves, type Photo } from './photos.ts';

type Change = (photo: Photo, other: Photo) => Promise<Sharp> | Sharp;

const square = (background: string, side?: number): Change => {
  return ({ file, width, height }) => {
    const length = side ?? Math.max(width, height);
    return sharp(file).resize({ width: length, height: length, fit: 'contain', background });
  };
};

/** Overlays part of a picture, at a position derived from its name. */
async function laidOver(
  photo: Photo,
  share: number,
  patch: (width: number, height: number) => Promise<Buffer>,
) {
  const [w, h] = [photo.width, photo.height].map((side) => Math.round(side * Math.sqrt(share)));
  const at = hashOf(photo.name);
  const place = { left: at % (photo.width - (w ?? 0)), top: (at >>> 8) % (photo.height - (h ?? 0)) };
  return sharp(photo.file).composite([{ input: await patch(w ?? 1, h ?? 1), ...place }]);
}

/** A block of a colour that none of the photographs contains. */
const painted = (share: number): Change => {
  return (photo) =>
    laidOver(photo, share, (width, height) =>
      sharp({ create: { width, height, channels: 3, background: '#2a6' } })
        .png()
        .toBuffer(),
    );
};

/** By group: how many of it must be classified as the same picture, and the change of a photograph. */
const GROUPS: readonly (readonly [
  string,
  { readonly least?: number; readonly most?: number },
  Record<string, Change>,
])[] = [
  [
    'resized and recompressed',
    { least: 0.98 },
    {
      'half the size': ({ file, width }) => sharp(file).resize({ width: Math.round(width / 2) }),
      'twice the size': ({ file, width }) => sharp(file).resize({ width: width * 2 }),
      'JPEG of quality 40': ({ file }) => sharp(file).jpeg({ quality: 40 }),
      WebP: ({ file }) => sharp(file).webp({ quality: 60 }),
      AVIF: ({ file }) => sharp(file).avif({ quality: 50, effort: 1 }),
    },
  ],
  [
    'padded to a square',
    { least: 0.95 },
    { white: square('#fff'), black: square('#000'), 'white, 800 wide': square('#fff', 800) },
  ],
  [
    'painted over, or pasted into',
    { most: 0.05 },
    {
      'a block of 4 % painted': painted(0.04),
      'a block of 20 % painted': painted(0.2),
      '20 % of another pasted': (photo, other) =>
        laidOver(photo, 0.2, (width, height) =>
          sharp(other.file).resize(width, height, { fit: 'fill' }).toBuffer(),
        ),
    },
  ],
  [
    'recoloured',
    { most: 0.05 },
    {
      'hue turned by 120°': ({ file }) => sharp(file).modulate({ hue: 120 }),
      'hue turned by 60°': ({ file }) => sharp(file).modulate({ hue: 60 }),
    },
  ],
  // without a goal, for information
  [
    'other',
    {},
    {
      'a block of 1 % painted': painted(0.01),
      'a quarter of the size': ({ file, width }) => sharp(file).resize({ width: Math.round(width / 4) }),
      'cropped by 2 %': ({ file, width: w, height: h }) => {
        const [left, top] = [Math.round(w * 0.01), Math.round(h * 0.01)];
        return sharp(file).extract({ left, top, width: w - 2 * left, height: h - 2 * top });
      },
    },
  ],
];
/** Maximum share of pairs of different photographs that may be classified as the same picture. */
const MOST_OTHERS = 0.001;

async function hashesOf(picture: Sharp): Promise<Hashes> {
  // results without a format are saved as JPEG, as shop hosts do
  const { format } = await picture.metadata();
  const file = await (format === 'jpeg' ? picture : picture.jpeg()).toBuffer();
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const uhash = createHash('sha256').update(file).digest('hex');
  return { uhash, ...imageCodes({ width: info.width, height: info.height, data }) };
}

let missed = 0;

/** Prints the classification of each group; returns the number of missed goals. */
async function measure(title: string, photos: readonly Photo[], isChecked: boolean): Promise<void> {
  console.log(`\n${title}: ${photos.length} photographs; called the same picture, similar, different`);
  const judge = (
    what: string,
    { least = 0, most = 1 }: { least?: number; most?: number },
    found: Likeness[],
  ) => {
    const counts = (['same_picture', 'similar', 'different'] as const).map(
      (name) => found.filter((likeness) => likeness === name).length,
    );
    const share = (counts[0] ?? 0) / Math.max(1, found.length);
    const isMissed = share < least || share > most;
    if (isMissed && isChecked) missed += 1;
    const cells = counts.map((count) => String(count).padStart(8)).join('');
    console.log(`${what.padEnd(34)}${cells}  ${(share * 100).toFixed(2)} %${isMissed ? '  MISSED' : ''}`);
  };
  const originals = await Promise.all(photos.map(({ file }) => hashesOf(sharp(file))));
  for (const [group, goal, changes] of GROUPS) {
    const all: Likeness[] = [];
    for (const [name, change] of Object.entries(changes)) {
      const found: Likeness[] = [];
      for (const [i, photo] of photos.entries()) {
        const copy = await hashesOf(await change(photo, photos[(i + 7) % photos.length] ?? photo));
        found.push(compareImages(originals[i] ?? copy, copy).likeness);
      }
      judge(`  ${name}`, {}, found);
      all.push(...found);
    }
    judge(group, goal, all);
  }
  const others = originals.flatMap((one, i) =>
    originals
      .slice(i + 1)
      .filter(({ uhash }) => uhash !== one.uhash)
      .map((other) => compareImages(one, other).likeness),
  );
  judge('pairs of different photographs', { most: MOST_OTHERS }, others);
}

await measureHalves(measure);
console.log(`\n${missed} goals missed.`);
process.exitCode = missed > 0 ? 1 : 0;
