import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { releasedVersion } from './packages/version.ts';

// Run by `npm version <new>`: the core reads no file, so its version is written into it, and into the verifiers in other languages.

/** Files, each with what precedes the version in it. */
const FILES = [
  ['packages/certificate/src/version.ts', /(?<=export const VERSION = ')[^']+/],
  ['sdk/go/version.go', /(?<=const Version = ")[^"]+/],
] as const;

for (const [name, version] of FILES) {
  const file = join(import.meta.dirname, '..', name);
  writeFileSync(file, readFileSync(file, 'utf8').replace(version, releasedVersion()));
}
