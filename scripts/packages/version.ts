import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/** The one version, in the root's package.json: all packages are released together. */
export function releasedVersion(): string {
  return (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version;
}

/**
 * The commit that the sources are, in hexadecimal; `undefined` if they are no checkout, or differ from every commit: nothing that is built
 * from them may then name one.
 */
export function sourceCommit(): string | undefined {
  // of a folder below another project's, git would tell the commit of that one
  if (!existsSync(join(ROOT, '.git'))) return undefined;
  if (git('--no-optional-locks', 'status', '--porcelain') !== '') return undefined;
  return git('rev-parse', 'HEAD');
}

/** What git prints; `undefined` if it fails, as it does for the folder of another user. */
export function git(...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
}
