import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const SOURCE = 'packages/server/src/main.ts';

/** A separate clone with this program, and with sources and a built service that only report which of the two runs. */
let clone: string;
beforeEach(async () => {
  clone = await mkdtemp(join(tmpdir(), 'touchstone-built-'));
  await cp(join(import.meta.dirname, '../bin'), join(clone, 'packages/cli/bin'), { recursive: true });
  await write('package.json', '{"type":"module"}');
  await write('packages/cli/src/index.ts', "process.stdout.write('sources' satisfies string);");
  await write('packages/cli/dist/service/serve.js', "process.stdout.write('built');");
  await write(SOURCE, 'export {};');
  const { size, mtimeMs } = await stat(join(clone, SOURCE));
  await write('packages/cli/dist/service/sources.json', JSON.stringify([[SOURCE, size, mtimeMs]]));
});
afterEach(() => rm(clone, { recursive: true, force: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(clone, path)), { recursive: true });
  await writeFile(join(clone, path), text);
}

async function runs(command: string): Promise<string> {
  const program = join(clone, 'packages/cli/bin/touchstone.js');
  const env = { PATH: process.env.PATH ?? '', TOUCHSTONE_DATA_DIR: join(clone, 'data') };
  return (await promisify(execFile)(process.execPath, [program, command], { env })).stdout;
}

describe('the built service', () => {
  it('runs if it was built from exactly the current sources; other commands run the sources', async () => {
    expect(await runs('serve')).toBe('built');
    expect(await runs('verify')).toBe('sources');
  });

  it('never runs if a source was edited, touched or removed since, or if nothing was built', async () => {
    const { mtime } = await stat(join(clone, SOURCE));
    await write(SOURCE, 'export { };');
    await utimes(join(clone, SOURCE), mtime, mtime);
    expect(await runs('serve')).toBe('sources');
    await write(SOURCE, 'export {};');
    expect(await runs('serve')).toBe('sources');
    await rm(join(clone, SOURCE));
    expect(await runs('serve')).toBe('sources');
    await rm(join(clone, 'packages/cli/dist'), { recursive: true });
    expect(await runs('serve')).toBe('sources');
  });

  it('names the sources in its stack traces, and lists every file that it was built from', async () => {
    const folder = join(clone, 'built');
    const root = join(import.meta.dirname, '../../..');
    const node = promisify(execFile);
    await node(process.execPath, [join(root, 'scripts/build-service.ts'), folder], { cwd: root });
    const text = `process.setSourceMapsEnabled(true);
      const { readInThread } = await import(${JSON.stringify(join(folder, 'read-in-thread.js'))});
      try { await readInThread({}); } catch (error) { console.log(error.stack); }`;
    const { stdout } = await node(process.execPath, ['--input-type=module', '-e', text]);
    expect(stdout).toContain(join(root, 'packages/server/src/core/page-checks/read-in-thread.ts:'));
    const sources = await readFile(join(folder, 'sources.json'), 'utf8');
    for (const path of ['packages/server/src/start/process.ts', 'node_modules/find-my-way/index.js'])
      expect(sources).toContain(`"${path}"`);
  });
});
