import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../../kit/imports.ts';

/** Builds the pages once for all files, if they do not match the sources. */
export function setup(): void {
  execFileSync(process.execPath, [join(ROOT, 'packages/web/build.ts')], { stdio: 'inherit' });
}
