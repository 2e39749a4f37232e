import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { useFolder } from '../../../test/kit/folder.ts';
import { commitOfProgram } from './commit.ts';

const folder = useFolder('commit');
const COMMIT = '5a010e36'.repeat(5);
const hasGit = spawnSync('git', ['--version']).status === 0;

async function packageIn(root: string, manifest: object): Promise<URL> {
  const there = join(root, 'packages/cli');
  await mkdir(join(there, 'src'), { recursive: true });
  await writeFile(join(there, 'package.json'), JSON.stringify(manifest));
  return pathToFileURL(`${there}/`);
}

it('is the one that was packed, and none for files of which nothing says it', async () => {
  expect(await commitOfProgram(await packageIn(join(folder, 'packed'), { gitHead: COMMIT }))).toBe(COMMIT);
  expect(await commitOfProgram(await packageIn(join(folder, 'copied'), {}))).toBeUndefined();
});

it.skipIf(!hasGit)(
  'is that of the checkout, marked if files differ; never that of a project around it',
  async () => {
    const root = join(folder, 'checkout');
    const there = await packageIn(root, {});
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
        cwd: root,
        encoding: 'utf8',
      });
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--no-gpg-sign', '--message', 'test');
    const commit = git('rev-parse', 'HEAD').trim();
    expect(await commitOfProgram(there)).toBe(commit);
    expect(await commitOfProgram(await packageIn(join(root, 'below'), {}))).toBeUndefined();
    await packageIn(root, { changed: true });
    expect(await commitOfProgram(there)).toBe(`${commit}-dirty`);
  },
);
