import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Kills (-9) an embedded PostgreSQL with all its processes, as they end when a machine does; what it had not written is lost. Linux only.
 *
 * @param cluster - the folder of its files
 * @returns whether it ran
 */
export function killServer(cluster: string): boolean {
  const pids = serverProcesses(cluster);
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // it had already ended
    }
  }
  return pids.length > 0;
}

function serverProcesses(cluster: string): number[] {
  try {
    const pid = Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
    return [pid, ...children.filter((text) => text !== '').map(Number)];
  } catch {
    return [];
  }
}
