import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

const PACKAGE = new URL('../package.json', import.meta.url);
/** Of a checkout; a published package has none. */
const CHECKOUT = new URL('../../../', import.meta.url);

/**
 * The commit that this program was made from, in hexadecimal, with `-dirty` where files of a checkout were changed since. Packing writes
 * it into the package; in a checkout git tells it.
 *
 * @returns `undefined` where neither does: nothing is guessed
 */
export async function commitOfProgram(): Promise<string | undefined> {
  const { gitHead } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { readonly gitHead?: string };
  if (gitHead !== undefined) return gitHead;
  // of a folder below another project's, git would tell the commit of that one
  if (!existsSync(new URL('packages/cli/src', CHECKOUT)) || !existsSync(new URL('.git', CHECKOUT)))
    return undefined;
  const describe = ['--no-optional-locks', 'describe', '--always', '--exclude=*', '--abbrev=40', '--dirty'];
  return promisify(execFile)('git', describe, { cwd: CHECKOUT }).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );
}
