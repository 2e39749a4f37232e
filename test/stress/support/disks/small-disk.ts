import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { guardDisk } from './guard.ts';

const run = promisify(execFile);

const MB = 1024 * 1024;

/** A separate ext4 file system in a file, which can be filled or made read-only without affecting the machine. */
export interface SmallDisk {
  /** Path of its root. */
  readonly path: string;
  /** Writes a file that leaves this number of bytes free. */
  fill(leave?: number): Promise<void>;
  /** Removes the file of `fill`. */
  makeRoom(): Promise<void>;
  free(): Promise<number>;
  /** Makes the disk read-only, as the kernel does when writes fail, even for open files. */
  breakWrites(): Promise<void>;
  /** Blocks all writes until `thaw`, or for 90 seconds, whatever happens to this process. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Repairs and remounts it. Nothing may use it meanwhile. */
  repair(): Promise<void>;
  close(): Promise<void>;
}

/** Why tests cannot mount a disk here, for the test's name; null: they can. */
export async function whyNoDisk(): Promise<string | null> {
  if (process.env.TOUCHSTONE_DISK_TESTS === undefined)
    return 'they mount and stall a disk: TOUCHSTONE_DISK_TESTS=1 runs them';
  const because = (error: unknown) => `no disk can be mounted here: ${String(error).split('\n')[0]}`;
  const disk = await openSmallDisk(16).catch(because);
  if (typeof disk === 'string') return disk;
  try {
    await disk.freeze();
    await disk.thaw();
    return null;
  } catch (error) {
    return because(error);
  } finally {
    await disk.close();
  }
}

/** @throws if this user may not mount */
export async function openSmallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-disk-'));
  const [path, image] = [join(folder, 'disk'), join(folder, 'image')];
  const ballast = join(path, 'ballast');
  await run('mkdir', ['-m', '755', path]);
  await run('chmod', ['755', folder]);
  const mount = () => run('mount', ['-o', 'loop,errors=remount-ro', image, path]);
  // before there is anything to clean up
  const guard = guardDisk(path, folder);
  try {
    await run('truncate', ['-s', `${megabytes}M`, image]);
    // no blocks reserved for root, since PostgreSQL does not run as root
    await run('mkfs.ext4', ['-q', '-F', '-m', '0', image]);
    await mount();
  } catch (error) {
    guard.dismiss();
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  const free = async () => {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  };
  return {
    path,
    free,
    async fill(leave = 0) {
      const file = await open(ballast, 'a');
      try {
        for (let left = await free(); left > leave; left = await free()) {
          await file.appendFile(Buffer.alloc(Math.min(MB, left - leave)));
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        await file.close();
      }
    },
    makeRoom: () => rm(ballast, { force: true }),
    async breakWrites() {
      const { stdout } = await run('findmnt', ['-n', '-o', 'SOURCE', path]);
      const device = stdout.trim().replace('/dev/', '');
      await run('sh', ['-c', 'echo 1 > "$0"', `/sys/fs/ext4/${device}/trigger_fs_error`]);
    },
    async freeze() {
      await guard.beforeFreeze();
      await run('fsfreeze', ['-f', path]);
    },
    async thaw() {
      await run('fsfreeze', ['-u', path]);
      guard.afterThaw();
    },
    async repair() {
      // stopped processes may still be ending
      for (let attempt = 1; ; attempt += 1) {
        const busy = await run('umount', [path]).then(
          () => undefined,
          (error: unknown) => error,
        );
        if (busy === undefined) break;
        if (attempt === 100) throw busy;
        await delay(200);
      }
      // it exits with 1 if it has repaired something
      await run('fsck.ext4', ['-f', '-p', image]).catch(() => {});
      await mount();
    },
    async close() {
      await run('fsfreeze', ['-u', path]).catch(() => {});
      await run('umount', ['-l', path]).catch(() => {});
      guard.dismiss();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
