import { mkdir, realpath } from 'node:fs/promises';
import { ensureCluster } from './cluster.ts';
import { asDiskError } from './disk-fault.ts';
import type { EmbeddedPostgres, EmbeddedPostgresOptions } from './embedded-postgres.ts';
import { findPrograms } from './programs.ts';
import { Supervisor } from './supervisor.ts';

export { type DiskFault, diskFault } from './disk-fault.ts';
export type { EmbeddedPostgres, EmbeddedPostgresOptions } from './embedded-postgres.ts';
export { EmbeddedPostgresError, type EmbeddedPostgresFault } from './error.ts';

/**
 * Starts the PostgreSQL of a folder and locks the folder for this process. If the server is killed, it is restarted, and connection pools
 * reconnect by themselves.
 *
 * @throws EmbeddedPostgresError with the remedy, for example if another process has locked the folder
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    return await start(options);
  } catch (error) {
    throw asDiskError(error, options.folder);
  }
}

async function start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  // as root: PostgreSQL's user must be able to enter it; secret files in it have their own modes
  await mkdir(options.folder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const folder = await realpath(options.folder);
  const settings = {
    durable: true,
    grace: 10,
    patience: 120_000,
    ...options,
    folder,
    programs: await findPrograms(folder),
  };
  return new Supervisor({ ...settings, ...(await ensureCluster(settings)) }).start();
}
