import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { open, rmdir, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StorageStartError } from '../start-error.ts';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import {
  clearStaleLocks,
  clusterProcesses,
  isAlive,
  isTaken,
  readPostmasterFile,
  servesCluster,
} from './postmaster.ts';

/** sockaddr_un holds 108 bytes on Linux, 104 on macOS; the name in it is `.s.PGSQL.5432`. */
const LONGEST_SOCKET_DIR = 103 - '/.s.PGSQL.5432'.length;
const LOG_LIMIT = 10_000_000;

export interface ServerOptions {
  readonly cluster: string;
  readonly logFile: string;
  readonly binaries: Binaries;
  readonly account: Account;
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
  /** It was running already: a service that was killed left it behind, or another one started it. */
  readonly adopted: boolean;
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Brings up the server of a cluster, whatever it is found in: running (adopted), starting or stopping
 * (waited for), killed with children still leaving (waited for), killed long ago (recovers by itself).
 */
export async function bringUp(options: ServerOptions): Promise<RunningServer> {
  const deadline = Date.now() + options.patience;
  let started: number | undefined;
  while (Date.now() < deadline && !options.isUnwanted()) {
    const file = await readPostmasterFile(options.cluster);
    if (file !== undefined && (await servesCluster(file.pid, options.cluster))) {
      if (file.status === 'ready' || file.status === 'standby') {
        return { pid: file.pid, socketDir: file.socketDir, port: file.port, adopted: file.pid !== started };
      }
    } else if (started === undefined || !(await isAlive(started))) {
      // one that ended at once (children of a killed one still there) is started again
      if (file !== undefined && isTaken(file.pid)) await clearStaleLocks(options.cluster, file);
      if ((await clusterProcesses(options.cluster)).length === 0) started = await startServer(options);
    }
    await pause(25);
  }
  if (options.isUnwanted()) {
    if (started !== undefined) await end(started, 'SIGINT', 20_000);
    throw new StorageStartError('The service is being stopped.');
  }
  throw new StorageStartError(
    `The database did not start within ${Math.round(options.patience / 1000)} s; see ${options.logFile}.`,
  );
}

async function startServer(options: ServerOptions): Promise<number | undefined> {
  const socketDir = socketFolder(options);
  const settings: Record<string, string> = {
    listen_addresses: '', // a socket file only: nothing to reach from elsewhere
    unix_socket_directories: socketDir,
    unix_socket_permissions: '0700',
    port: '5432',
    max_connections: '100',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(options.durable
      ? { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }
      : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  const {
    file,
    args,
    options: as,
  } = options.account.command(options.binaries.postgres, [
    '-D',
    options.cluster,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]);
  if (
    await stat(options.logFile).then(
      ({ size }) => size > LOG_LIMIT,
      () => false,
    )
  ) {
    await truncate(options.logFile);
  }
  // a file of its own: the server must be able to write when we are gone
  const log = await open(options.logFile, 'a', 0o600);
  try {
    // a process group of its own: Ctrl-C at the terminal is for us, and we stop it when we are done
    const child = spawn(file, args, { ...as, cwd: '/', detached: true, stdio: ['ignore', log.fd, log.fd] });
    await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject));
    child.unref();
    return child.pid;
  } finally {
    await log.close();
  }
}

/** Inside the cluster folder, which is private; where that path is too long, a private folder in /tmp. */
function socketFolder(options: ServerOptions): string {
  if (Buffer.byteLength(options.cluster) <= LONGEST_SOCKET_DIR) return options.cluster;
  const name = createHash('sha256').update(options.cluster).digest('hex').slice(0, 16);
  const folder = join(tmpdir().length < 60 ? tmpdir() : '/tmp', `touchstone-${name}`);
  try {
    mkdirSync(folder, { mode: 0o700 });
    options.account.give(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const { uid, mode } = lstatSync(folder);
  const owner = options.account.owner?.uid ?? process.getuid?.();
  if (uid !== owner || (mode & 0o077) !== 0) {
    throw new StorageStartError(`${folder} belongs to someone else: remove it and start again.`);
  }
  return folder;
}

/** Stops a server, and clears its socket folder away: fast (SIGINT) first, at once (SIGQUIT) when it does not end in time. */
export async function bringDown(server: RunningServer, cluster: string): Promise<void> {
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
    await pause(20);
  }
  return true;
}
