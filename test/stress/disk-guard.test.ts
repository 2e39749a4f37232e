import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { whyNoDisk } from './support/disks/small-disk.ts';

const run = promisify(execFile);
const why = await whyNoDisk();
const CHILD = join(import.meta.dirname, 'support/disks/freezing-child.ts');

it.skipIf(why !== null)(
  `a disk that is frozen when its test is killed is thawed, unmounted and removed${why === null ? '' : ` (skipped: ${why})`}`,
  async () => {
    const child = fork(CHILD);
    const [path] = (await once(child, 'message')) as [string];
    const isMounted = () => readFileSync('/proc/self/mounts', 'utf8').includes(` ${path} `);
    const image = join(path, '../image');
    expect(isMounted()).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await expect.poll(() => [isMounted(), existsSync(join(path, '..'))]).toEqual([false, false]);
    // a frozen file system keeps its device, even if it is unmounted
    const devices = async () => (await run('losetup', ['-a'])).stdout;
    await expect.poll(devices).not.toContain(image);
  },
);
