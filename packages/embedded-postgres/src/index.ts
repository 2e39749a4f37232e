import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
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
  const { name, durable = true } = options;
  // as root: PostgreSQL's user must be able to enter it; secret files in it have their own modes
  await mkdir(options.folder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const folder = await realpath(options.folder);
  const programs = await findPrograms(folder);
  const { cluster, password } = await ensureCluster({ folder, name, programs, durable });
  const server = {
    cluster,
    name,
    logFile: join(folder, 'postgres.log'),
    programs,
    durable,
    patience: options.patience ?? 120_000,
  };
  return new Supervisor(options, folder, password, server).start();
}
