import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { listedSettings } from '../../scripts/settings-page.ts';
import { useFolder } from '../kit/folder.ts';
import { ROOT } from '../kit/imports.ts';

const run = promisify(execFile);
const isThere = (...words: string[]) =>
  run(words[0] ?? '', words.slice(1)).then(
    () => true,
    () => false,
  );
const hasDpkg = await isThere('dpkg-deb', '--version');
const hasLintian = await isThere('lintian', '--version');
const isOffline = !(await isThere('npm', 'view', 'zod', 'version', '--fetch-retries=0'));
const missing = hasDpkg
  ? isOffline
    ? ' (skipped: no registry can be reached)'
    : ''
  : ' (skipped: no dpkg-deb)';

const NO_COMPRESSION = 'uses-no-compression-for-control-tarball,uses-no-compression-for-data-tarball';

describe.skipIf(missing !== '')(`the Debian package${missing}`, () => {
  const folder = useFolder('debian');
  const packages: string[] = [];
  const fields = join(folder, 'fields');

  beforeAll(async () => {
    await run(process.execPath, [join(ROOT, 'scripts/pack-packages.ts'), join(folder, 'npm')]);
    // one after the other, as on two days
    for (const name of ['first', 'second']) {
      const target = join(folder, name);
      const words = [join(ROOT, 'scripts/packages/debian.ts'), join(folder, 'npm'), target, 'none'];
      const { stdout } = await run(process.execPath, words, {
        env: { ...process.env, SOURCE_DATE_EPOCH: '1790000000' },
      });
      packages.push(stdout.trim());
    }
    await run('dpkg-deb', ['--control', packages[0] ?? '', fields]);
    await run('dpkg-deb', ['--extract', packages[0] ?? '', join(folder, 'root')]);
  }, 1_800_000);

  it('is the same bytes when it is built again', async () => {
    const [first, second] = await Promise.all(
      packages.map(async (file) =>
        createHash('sha256')
          .update(await readFile(file))
          .digest('hex'),
      ),
    );
    expect(second).toBe(first);
  });

  it('carries the Node of the project, which runs the command line from the installed place', async () => {
    const lib = join(folder, 'root/usr/lib/touchstone');
    const program = join(lib, 'node_modules/@touchstone/cli/bin/touchstone.js');
    const { stdout } = await run(join(lib, 'bin/node'), [program, '--version'], { env: {} });
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(stdout).toContain(version);
    expect(await readdir(join(lib, 'node_modules/@touchstone/cli/dist/service'))).toContain('serve.js');
    // of the tools that build and test the project, none
    const installed = await readdir(join(lib, 'node_modules'));
    for (const name of ['typescript', 'vitest', 'vite', 'esbuild']) expect(installed).not.toContain(name);
  });

  it('has every setting as a comment with its description, in a file that dpkg keeps', async () => {
    const settings = await readFile(join(folder, 'root/etc/touchstone/touchstone.env'), 'utf8');
    for (const { name, description } of listedSettings())
      expect(settings).toContain(`\n# ${description}\n#${name}=`);
    expect(settings.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([]);
    expect(await readFile(join(fields, 'conffiles'), 'utf8')).toBe('/etc/touchstone/touchstone.env\n');
  });

  it.skipIf(!hasLintian)(`is clean by lintian${hasLintian ? '' : ' (skipped: no lintian)'}`, async () => {
    // the package of the test is not compressed, to save time
    const words = ['--fail-on', 'error,warning', '--suppress-tags', NO_COMPRESSION];
    const told = run('lintian', [...words, packages[0] ?? '']).then(
      ({ stdout }) => stdout,
      ({ stdout }) => stdout as string,
    );
    expect(await told).toBe('');
  });
});
