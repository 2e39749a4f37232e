import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { releasedVersion } from './packages/version.ts';

// Run by `npm version <new>`: the core reads no file, nor do the verifiers in other languages, so their version is written into them.

for (const path of ['packages/certificate/src/version.ts', 'sdk/php/src/Verifier.php']) {
  const file = join(import.meta.dirname, '..', path);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/(?<=(?:export|public) const VERSION = ')[^']+/, releasedVersion()));
}
