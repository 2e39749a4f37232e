import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { lstatSync, mkdirSync } from 'node:fs';
import { lstat, open, rmdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { diskError, diskFault } from './disk-fault.ts';
import { EmbeddedPostgresError } from './error.ts';
import {
  clearStaleLocks,
  clusterProcesses,
  isAlive,
  isTaken,
  PORT,
  type PostmasterFile,
  readPostmasterFile,
  servesCluster,
  socketIn,
} from './postmaster.ts';
import type { Programs } from './programs.ts';

/** sockaddr_un holds 108 bytes on Linux, 104 on macOS; the socket's name is `.s.PGSQL.5432`. */
const LONGEST_SOCKET_DIR = 103 - '/.s.PGSQL.5432'.length;
const LOG_LIMIT = 10_000_000;

export interface ServerOptions {
  readonly folder: string;
  readonly cluster: string;
  /** Name of the database; also the prefix of a socket folder in /tmp. */
  readonly name: string;
  readonly programs: Programs;
  readonly durable: boolean;
  /** Milliseconds to wait for the server to start, including crash recovery. */
  readonly patience: number;
  /** Polled while waiting; true: startup is cancelled. */
  readonly isUnwanted: () => boolean;
}

export interface RunningServer {
  readonly pid: number;
  readonly socketDir: string;
  readonly port: number;
  /** Whether it was running already, left behind by a killed program or started by another one. */
  readonly adopted: boolean;
}

/**
 * Starts the server of a cluster, unless it already runs (then adopted). Waits for one that is starting or stopping, and for the remaining
 * children of a killed one; a server that was killed earlier recovers by itself. `pg_ctl start` would handle only the first of these cases.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const deadline = Date.now() + options.patience;
  let started: number | undefined;
  while (Date.now() < deadline && !options.isUnwanted()) {
    const file = await readPostmasterFile(options.cluster);
    if (file !== undefined && (await servesCluster(file.pid, options.cluster))) {
      if (file.isReady) {
        if (await isReachable(file, options)) {
          return {
            pid: file.pid,
            socketDir: socketPath(options),
            port: PORT,
            adopted: file.pid !== started,
          };
        }
        // its folder was moved, its socket deleted, or one of both forged
        await end(file.pid, 'SIGINT', 20_000);
      }
    } else if (started === undefined || !(await isAlive(started))) {
      // it ended at once, and would do so again
      const fault = started === undefined ? undefined : diskFault(options.cluster);
      if (fault !== undefined) throw diskError(options.folder, fault);
      // starts one again that ended at once, because children of a killed one still existed
      if (file !== undefined && isTaken(file.pid))
        await clearStaleLocks(options.cluster, socketPath(options), file);
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
    `The database did not start within ${Math.round(options.patience / 1000)} s; see ${logFile(options)}.`,
  );
}

function logFile({ folder }: ServerOptions): string {
  return join(folder, 'postgres.log');
}

async function spawnServer(options: ServerOptions): Promise<number | undefined> {
  const flushing = options.durable ? 'on' : 'off';
  const sockets = socketFolder(options);
  const settings = {
    listen_addresses: '', // a Unix socket only, unreachable from other machines
    unix_socket_directories: sockets === options.cluster ? options.programs.nameOf(sockets) : sockets,
    unix_socket_permissions: '0700',
    port: String(PORT),
    max_connections: '100',
    timezone: 'UTC',
    log_timezone: 'UTC',
    fsync: flushing,
    synchronous_commit: flushing,
    full_page_writes: flushing,
  };
  const postgres = options.programs.command('postgres', [
    '-D',
    options.programs.nameOf(options.cluster),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]);
  const file = logFile(options);
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  // a log file, not a pipe: the server must be able to write when this process has ended
  const log = await open(file, size > LOG_LIMIT ? 'w' : 'a', 0o600);
  try {
    const child = spawn(postgres.file, postgres.args, {
      ...postgres.options,
      cwd: options.cluster,
      // a separate process group: Ctrl-C at the terminal must not stop the server before this process does
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

/** Whether the socket is where we expect it, and belongs to PostgreSQL's user: this process connects to it as the superuser. */
async function isReachable({ socketDir }: PostmasterFile, options: ServerOptions): Promise<boolean> {
  const expected = socketPath(options);
  if (socketDir !== expected) return false;
  const socket = await lstat(socketIn(expected)).catch(() => undefined);
  return socket?.isSocket() === true && socket.uid === ownerOf(options);
}

function ownerOf({ programs }: ServerOptions): number | undefined {
  return programs.owner?.uid ?? process.getuid?.();
}

/** The cluster folder, which is private; if its path is too long, a private folder in /tmp. */
function socketPath({ cluster, name }: ServerOptions): string {
  if (Buffer.byteLength(cluster) <= LONGEST_SOCKET_DIR) return cluster;
  const digest = createHash('sha256').update(cluster).digest('hex').slice(0, 16);
  return join(tmpdir().length < 60 ? tmpdir() : '/tmp', `${name}-${digest}`);
}

/** Creates that folder if it is one in /tmp. */
function socketFolder(options: ServerOptions): string {
  const folder = socketPath(options);
  if (folder === options.cluster) return folder;
  try {
    mkdirSync(folder, { mode: 0o700 });
    options.programs.give(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const { uid, mode } = lstatSync(folder);
  if (uid !== ownerOf(options) || (mode & 0o077) !== 0) {
    throw new EmbeddedPostgresError(
      'unusable_folder',
      `${folder} belongs to someone else: remove it and start again.`,
    );
  }
  return folder;
}

/** Stops a server and removes its socket folder: a fast shutdown (SIGINT), then an immediate one (SIGQUIT) if it does not end in time. */
export async function stopServer(server: RunningServer, cluster: string): Promise<void> {
  if (!(await servesCluster(server.pid, cluster))) return;
  if (!(await end(server.pid, 'SIGINT', 20_000))) await end(server.pid, 'SIGQUIT', 5_000);
  // a folder in /tmp; a process that starts the server at this moment creates it again
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
