import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/**
 * The commit that this program was made from, in hexadecimal, with `-dirty` where files of a checkout were changed since. Packing writes
 * it into package.json; in a checkout git tells it.
 *
 * @param folder - that of this package
 * @returns `undefined` where neither does: nothing is guessed
 */
export async function commitOfProgram(folder = new URL('../', import.meta.url)): Promise<string | undefined> {
  const manifest = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')) as { gitHead?: string };
  if (manifest.gitHead !== undefined) return manifest.gitHead;
  const root = new URL('../../', folder);
  // packed from no commit, and installed below another project, git would tell the commit of that one
  if (!existsSync(new URL('src', folder)) || !existsSync(new URL('.git', root))) return undefined;
  const describe = ['--no-optional-locks', 'describe', '--always', '--exclude=*', '--abbrev=40', '--dirty'];
  return promisify(execFile)('git', describe, { cwd: root }).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );
}
