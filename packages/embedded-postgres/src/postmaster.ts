import { readdir, readFile, readlink, realpath, rm } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';

/** The port of every server; it is only a part of the name of the socket. */
export const PORT = 5432;

/** The path of a server's socket. */
export function socketIn(folder: string): string {
  return join(folder, `.s.PGSQL.${PORT}`);
}

/**
 * The contents of `postmaster.pid` (PostgreSQL source, `miscadmin.h`, LOCK_FILE_LINE_*). PostgreSQL's user can change them: under
 * root, no path in it may be used.
 */
export interface PostmasterFile {
  readonly pid: number;
  readonly socketDir: string;
  /** Whether it accepts connections. */
  readonly isReady: boolean;
}

export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  let text: string;
  try {
    text = await readFile(join(cluster, 'postmaster.pid'), 'utf8');
  } catch {
    return undefined;
  }
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number.parseInt(lines[0] ?? '', 10);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return {
    pid,
    // `/proc/self/cwd` of the server is its cluster
    socketDir: lines[4] === '/proc/self/cwd' ? cluster : (lines[4] ?? ''),
    isReady: lines[7] === 'ready' || lines[7] === 'standby',
  };
}

/** Whether a process with this id exists, even a zombie. */
export function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a process with this id runs; a zombie does not. */
export async function isAlive(pid: number): Promise<boolean> {
  if (!isTaken(pid)) return false;
  if (platform() !== 'linux') return true;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return false;
  // "pid (name) state …": the name may contain spaces and parentheses
  const state = stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
  return state !== 'Z' && state !== 'X';
}

/**
 * Whether a process is the server of this cluster, not another process with the same id after a reboot. On Linux the working
 * directory of a server is its cluster; elsewhere only the id is checked.
 */
export async function servesCluster(pid: number, cluster: string): Promise<boolean> {
  if (!(await isAlive(pid))) return false;
  if (platform() !== 'linux') return true;
  return (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === (await realpath(cluster));
}

/** Ids of all processes of this cluster's server; the children of a killed server exist for a moment longer. Linux only. */
export async function clusterProcesses(cluster: string): Promise<number[]> {
  if (platform() !== 'linux') return [];
  const folder = await realpath(cluster);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const isOfCluster = await Promise.all(
    pids.map(async (pid) => (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === folder),
  );
  return pids.filter((_, index) => isOfCluster[index]);
}

/**
 * Removes lock files that name a process other than this cluster's server. PostgreSQL removes those of dead processes itself, but mistakes
 * a zombie, or another process with the same id, for a running server, and would then never start again.
 */
export async function clearStaleLocks(
  cluster: string,
  socketDir: string,
  file: PostmasterFile,
): Promise<void> {
  const present = await readPostmasterFile(cluster);
  if (present?.pid !== file.pid || (await clusterProcesses(cluster)).length > 0) return;
  await rm(join(cluster, 'postmaster.pid'), { force: true });
  await rm(`${socketIn(socketDir)}.lock`, { force: true });
}
