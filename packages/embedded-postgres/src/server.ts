import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { lstatSync, mkdirSync } from 'node:fs';
import { open, rmdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { diskError, diskFault } from './disk-fault.ts';
import { minimalEnvironment } from './environment.ts';
import { EmbeddedPostgresError } from './error.ts';
import {
  clearStaleLocks,
  clusterProcesses,
  isAlive,
  isTaken,
  readPostmasterFile,
  servesCluster,
} from './postmaster.ts';
import type { Programs } from './programs.ts';

/** sockaddr_un holds 108 bytes on Linux, 104 on macOS; the name in it is `.s.PGSQL.5432`. */
const LONGEST_SOCKET_DIR = 103 - '/.s.PGSQL.5432'.length;
const LOG_LIMIT = 10_000_000;

export interface ServerOptions {
  readonly cluster: string;
  /** Of the database; begins the name of a socket folder in /tmp. */
  readonly name: string;
  readonly logFile: string;
  readonly programs: Programs;
  readonly durable: boolean;
  /** Milliseconds to wait for a server to come up, crash recovery included. */
  readonly patience: number;
  /** Asked while waiting: whether nobody wants the server any more. */
  readonly isUnwanted: () => boolean;
}

export interface RunningServer {
  readonly pid: number;
  readonly socketDir: string;
  readonly port: number;
  /** It was running already: a program that was killed left it behind, or another one started it. */
  readonly adopted: boolean;
}

/**
 * Makes the server of a cluster run, whatever it is found in: running (adopted), starting or stopping
 * (waited for), killed with children still leaving (waited for), killed long ago (recovers by itself).
 * `pg_ctl start` would wait for none of these but the first.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const deadline = Date.now() + options.patience;
  let started: number | undefined;
  while (Date.now() < deadline && !options.isUnwanted()) {
    const file = await readPostmasterFile(options.cluster);
    if (file !== undefined && (await servesCluster(file.pid, options.cluster))) {
      if (file.status === 'ready' || file.status === 'standby') {
        return { pid: file.pid, socketDir: file.socketDir, port: file.port, adopted: file.pid !== started };
      }
    } else if (started === undefined || !(await isAlive(started))) {
      // it ended at once, and would again
      const fault = started === undefined ? undefined : diskFault(options.cluster);
      if (fault !== undefined) throw diskError(dirname(options.cluster), fault);
      // one that ended at once (children of a killed one still there) is started again
      if (file !== undefined && isTaken(file.pid)) await clearStaleLocks(options.cluster, file);
      if ((await clusterProcesses(options.cluster)).length === 0) started = await spawnServer(options);
    }
    await delay(10);
  }
  if (options.isUnwanted()) {
    if (started !== undefined) await end(started, 'SIGINT', 20_000);
    throw new EmbeddedPostgresError('not_started', 'The database was closed while it was starting.');
  }
  throw new EmbeddedPostgresError(
    'not_started',
    `The database did not start within ${Math.round(options.patience / 1000)} s; see ${options.logFile}.`,
  );
}

async function spawnServer(options: ServerOptions): Promise<number | undefined> {
  const flushing = options.durable ? 'on' : 'off';
  const settings = {
    listen_addresses: '', // a socket file only: nothing to reach from elsewhere
    unix_socket_directories: socketFolder(options),
    unix_socket_permissions: '0700',
    port: '5432',
    max_connections: '100',
    timezone: 'UTC',
    log_timezone: 'UTC',
    fsync: flushing,
    synchronous_commit: flushing,
    full_page_writes: flushing,
  };
  const postgres = options.programs.command('postgres', [
    '-D',
    options.cluster,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]);
  const { size } = await stat(options.logFile).catch(() => ({ size: 0 }));
  // a file of its own: the server must be able to write when we are gone
  const log = await open(options.logFile, size > LOG_LIMIT ? 'w' : 'a', 0o600);
  try {
    const child = spawn(postgres.file, postgres.args, {
      ...postgres.options,
      env: minimalEnvironment(),
      cwd: '/',
      // a process group of its own: Ctrl-C at the terminal is for us, and we stop it when we are done
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    await once(child, 'spawn');
    child.unref();
    return child.pid;
  } finally {
    await log.close();
  }
}

/** Inside the cluster folder, which is private; where that path is too long, a private folder in /tmp. */
function socketFolder(options: ServerOptions): string {
  if (Buffer.byteLength(options.cluster) <= LONGEST_SOCKET_DIR) return options.cluster;
  const digest = createHash('sha256').update(options.cluster).digest('hex').slice(0, 16);
  const folder = join(tmpdir().length < 60 ? tmpdir() : '/tmp', `${options.name}-${digest}`);
  try {
    mkdirSync(folder, { mode: 0o700 });
    options.programs.give(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const { uid, mode } = lstatSync(folder);
  const owner = options.programs.owner?.uid ?? process.getuid?.();
  if (uid !== owner || (mode & 0o077) !== 0) {
    throw new EmbeddedPostgresError(
      'unusable_folder',
      `${folder} belongs to someone else: remove it and start again.`,
    );
  }
  return folder;
}

/** Stops a server and removes its socket folder: fast (SIGINT) first, at once (SIGQUIT) when it does not end in time. */
export async function stopServer(server: RunningServer, cluster: string): Promise<void> {
  if (!(await servesCluster(server.pid, cluster))) return;
  if (!(await end(server.pid, 'SIGINT', 20_000))) await end(server.pid, 'SIGQUIT', 5_000);
  // one in /tmp; whoever starts the server just then makes it again
  if (server.socketDir !== cluster) await rmdir(server.socketDir).catch(() => {});
}

/** Whether the process ended in time. */
async function end(pid: number, signal: NodeJS.Signals, patience: number): Promise<boolean> {
  const deadline = Date.now() + patience;
  try {
    process.kill(pid, signal);
  } catch {
    return true;
  }
  while (await isAlive(pid)) {
    if (Date.now() > deadline) return false;
    await delay(20);
  }
  return true;
}
