import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { buildPackages, PUBLISHED } from './packages/build.ts';

// Builds the packages that are published and packs them: dist/npm/<name>/ and dist/npm/*.tgz, or below the folder named.

const target = resolve(process.argv[2] ?? join(import.meta.dirname, '../dist/npm'));
buildPackages(target);
for (const name of PUBLISHED) {
  const packed = execFileSync('npm', ['pack', '--silent', `./${name}`], { cwd: target, encoding: 'utf8' });
  process.stdout.write(`${join(target, packed.trim())}\n`);
}
