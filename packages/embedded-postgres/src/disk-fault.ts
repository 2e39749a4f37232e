import { accessSync, constants, readFileSync, statfsSync, statSync } from 'node:fs';
import { EmbeddedPostgresError } from './error.ts';

/** PostgreSQL needs space for the next segment of its log (16 MB), or it stops. */
const MIN_FREE = 17 * 1024 * 1024;

/** Why PostgreSQL cannot write. */
export type DiskFault = 'no_space' | 'read_only';

/** Why the disk of a folder cannot be written; `undefined`: it can. */
export function diskFault(folder: string): DiskFault | undefined {
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EROFS') return 'read_only';
  }
  if (isReadOnlyAfterError(folder)) return 'read_only';
  try {
    const { bavail, bsize, blocks } = statfsSync(folder);
    // some file systems do not report their size
    return blocks > 0 && bavail * bsize < MIN_FREE ? 'no_space' : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether the disk of a folder has become read-only because of an error. Since Linux 6.12 access(2) does not report that for
 * ext4; the mount options do since 6.15. A test write could hang with the disk.
 */
function isReadOnlyAfterError(folder: string): boolean {
  try {
    const { dev } = statSync(folder);
    // makedev(3) of glibc
    const device = `${(dev >>> 8) & 0xfff}:${(dev & 0xff) | ((dev >>> 12) & 0xfff00)}`;
    const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
    return mounts.some((line) => line.split(' ')[2] === device && /[ ,]emergency_ro(,|$)/.test(line));
  } catch {
    // not Linux
    return false;
  }
}

/** The error for a disk fault, with what to do about it. */
export function diskError(folder: string, fault: DiskFault, cause?: unknown): EmbeddedPostgresError {
  const message =
    fault === 'no_space'
      ? `The disk of the data folder ${folder} is full, and the database needs room to start. Free about 100 MB.`
      : `The disk of the data folder ${folder} is read-only, and the database cannot write. Make it writable. If it became read-only by itself, the disk may be failing: see dmesg.`;
  return new EmbeddedPostgresError(fault, message, { cause });
}

const DISK_CODES: Readonly<Record<string, DiskFault>> = {
  ENOSPC: 'no_space',
  EDQUOT: 'no_space',
  EROFS: 'read_only',
};

export function isDiskError(error: unknown): error is EmbeddedPostgresError {
  return (
    error instanceof EmbeddedPostgresError && (error.fault === 'no_space' || error.fault === 'read_only')
  );
}

/** The error of the folder's disk, if that is the cause; else the same error. */
export function asDiskError(error: unknown, folder: string): unknown {
  if (error instanceof EmbeddedPostgresError && error.fault !== 'not_started') return error;
  const fault = DISK_CODES[String((error as NodeJS.ErrnoException | null)?.code)] ?? diskFault(folder);
  return fault === undefined ? error : diskError(folder, fault, error);
}
