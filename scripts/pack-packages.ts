import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildPackages, PUBLISHED } from './packages/build.ts';
import { makeDownloads } from './packages/downloads.ts';
import { neededWith } from './packages/needs.ts';
import { packPackages } from './packages/pack.ts';

// Builds and packs the published packages: dist/npm/<name>/ and dist/npm/*.tgz, or in the folder named by an argument. Prints the tarballs
// to standard output, and to standard error which of them must be installed together.

const target = resolve(process.argv[2] ?? join(import.meta.dirname, '../dist/npm'));
await buildPackages(target);
await makeDownloads(join(target, 'server/downloads'), target);
const files = packPackages(target, PUBLISHED, target);
const tarballs = new Map(PUBLISHED.map((name, index) => [`@touchstone/${name}`, files[index] ?? '']));
for (const file of files) process.stdout.write(`${join(target, file)}\n`);
for (const [name, tarball] of tarballs) {
  const others = neededWith(name, dependenciesOf).map((other) => tarballs.get(other));
  const words =
    others.length === 0 ? 'can be installed alone' : `install it together with ${others.join(' ')}`;
  process.stderr.write(`${tarball}: ${words}\n`);
}

function dependenciesOf(name: string): Record<string, string> {
  const file = join(target, name.replace('@touchstone/', ''), 'package.json');
  return (
    (JSON.parse(readFileSync(file, 'utf8')) as { dependencies?: Record<string, string> }).dependencies ?? {}
  );
}
