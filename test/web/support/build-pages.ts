import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../../support/imports.ts';

/** Builds the pages once for all files, where they are not of the present sources. */
export function setup(): void {
  execFileSync(process.execPath, [join(ROOT, 'packages/web/build.ts')], { stdio: 'inherit' });
}
