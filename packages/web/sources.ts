import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Root of the workspace. */
const ROOT = join(import.meta.dirname, '../..');

/** The packages that the pages are built from. */
export const BUNDLED = ['web', 'catalogue', 'certificate', 'contract', 'facts', 'image', 'page'] as const;

const SOURCES = [`packages/{${BUNDLED.join()}}/src/**/*.{ts,tsx,css,svg,webmanifest}`, 'packages/web/*.ts'];

/** A hash of everything that the pages are built from, except tests. */
export function sourceStamp(): string {
  const hash = createHash('sha256');
  for (const file of globSync(SOURCES, { cwd: ROOT }).toSorted()) {
    if (/\.test\.tsx?$/.test(file)) continue;
    hash.update(`${file}\n`).update(readFileSync(join(ROOT, file)));
  }
  // the versions of the bundled libraries
  for (const name of ['preact', 'uplot', 'vite']) {
    hash.update(readFileSync(join(ROOT, 'node_modules', name, 'package.json')));
  }
  return hash.digest('hex').slice(0, 16);
}
