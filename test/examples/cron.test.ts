import { execFile } from 'node:child_process';
import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { useFolder } from '../kit/folder.ts';
import { ROOT } from '../kit/imports.ts';
import { useScene } from '../kit/service.ts';

const run = promisify(execFile);
/** The page of the test's product as the shop builds it. */
const BARE =
  '<!doctype html><html><head><title>Cup</title><link rel="canonical" href="http://shop.example/products/cup"></head></html>';
const folder = useFolder('cron');
/** The block that writes the environment, and the line, both of the guide. */

const scene = await useScene();
const store = await scene.store('shop.example');
await store.product('cup');
// an installed command: outside the search path that `sh` has by default
await mkdir(join(folder, 'bin'));
await symlink(join(ROOT, 'packages/cli/bin/touchstone.js'), join(folder, 'bin/touchstone'));
await mkdir(join(folder, 'dist/products'), { recursive: true });
const guide = await readFile(join(ROOT, 'docs/guides/embedding.md'), 'utf8');
const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) =>
  block.replaceAll('/srv/shop', folder).replace('<store-id>', store.id),
);
const setUp = blocks.find((block) => block.includes('touchstone.env) <<')) ?? '';
const line = blocks.find((block) => block.startsWith('0 */6')) ?? '';

/** As cron runs the command of a line: by `sh`, here with no environment at all. */
function runLine() {
  const command = line.trim().replace(/^(\S+\s+){5}/, '');
  return run('env', ['-i', '/bin/sh', '-c', command]).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
  );
}

it('the line for cron in the embedding guide renews pages as pasted, and fails loudly if the pull fails', async () => {
  const page = join(folder, 'dist/products/cup.html');
  await writeFile(page, BARE);
  await run('/bin/sh', ['-c', setUp], {
    env: {
      PATH: `${join(folder, 'bin')}:${dirname(process.execPath)}:/usr/bin:/bin`,
      TOUCHSTONE_SERVICE: scene.service.url,
      TOUCHSTONE_KEY: scene.service.operatorKey ?? '',
    },
  });
  expect((await stat(join(folder, 'touchstone.env'))).mode & 0o777).toBe(0o600);
  expect(await runLine()).toEqual({ code: 0, stdout: '' });
  expect(await readFile(page, 'utf8')).toContain('data-touchstone');

  const env = join(folder, 'touchstone.env');
  await writeFile(
    env,
    (await readFile(env, 'utf8')).replace(/TOUCHSTONE_KEY='.*'/, "TOUCHSTONE_KEY='sk_wrong'"),
  );
  await writeFile(page, BARE);
  const failed = await runLine();
  expect(failed).toEqual({ code: 1, stdout: expect.stringMatching(/key/i) });
  expect(await readFile(page, 'utf8'), 'with the certificates of before').toContain('data-touchstone');
});
