import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { releasedVersion } from './packages/version.ts';

// Run by `npm version <new>`: the core reads no file, so its version is written into it.

const file = join(import.meta.dirname, '../packages/certificate/src/version.ts');
const text = readFileSync(file, 'utf8');
writeFileSync(file, text.replace(/(?<=export const VERSION = ')[^']+/, releasedVersion()));
