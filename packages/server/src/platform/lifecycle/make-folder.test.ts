import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeFolder } from './make-folder.ts';

const root = await mkdtemp(join(tmpdir(), 'touchstone-folder-'));
afterAll(() => rm(root, { recursive: true }));

it('any number of calls make the same missing parents', async () => {
  for (let round = 0; round < 50; round++) {
    const paths = Array.from({ length: 16 }, (_, n) => join(root, `${round}`, 'a', 'b', `${n}`));
    await Promise.all(paths.map((path) => makeFolder(path, 0o755)));
    for (const path of paths) expect((await stat(path)).isDirectory()).toBe(true);
  }
});

it('a folder that cannot be made is an error', async () => {
  await writeFile(join(root, 'file'), '');
  await expect(makeFolder(join(root, 'file', 'a', 'b'), 0o755)).rejects.toThrow('ENOTDIR');
  await expect(makeFolder(join(root, 'file'), 0o755)).rejects.toThrow('EEXIST');
  await expect(makeFolder('/proc/no/such/folder', 0o755)).rejects.toThrow('ENOENT');
});
