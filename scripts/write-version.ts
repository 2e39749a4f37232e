import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { releasedVersion } from './packages/version.ts';

// Run by `npm version <new>`: the core reads no file, so its version is written into it, and into the verifiers in other languages.

const FILES = {
  'packages/certificate/src/version.ts': /(?<=export const VERSION = ')[^']+/,
  'sdk/go/version.go': /(?<=const Version = ")[^"]+/,
  'sdk/php/src/Verifier.php': /(?<=public const VERSION = ')[^']+/,
  'sdk/python/touchstone_certificate/version.py': /(?<=VERSION = ")[^"]+/,
};

for (const [name, written] of Object.entries(FILES)) {
  const file = join(import.meta.dirname, '..', name);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(written, releasedVersion()));
}
