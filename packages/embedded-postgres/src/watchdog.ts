import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { minimalEnvironment } from './environment.ts';

export interface WatchdogOptions {
  /** The folder that records the current watchdog. */
  readonly folder: string;
  readonly cluster: string;
  /** Process id of the postmaster. */
  readonly pid: number;
  /** Seconds that the server continues to run, so that the next process can adopt it. */
  readonly grace: number;
}

export interface Watchdog {
  /** Ends the watchdog: this process stops the server itself. */
  dismiss(): void;
}

const HOLDER = 'postgres-watched-by';

/*
 * A shell, since it must outlive this process and use almost no resources. Its input closes when this process ends for any reason. The next
 * process then has some time to adopt the server and to record its own watchdog. If `postmaster.pid` is gone or names another process, the
 * server has ended, or will within a minute.
 */
const SCRIPT = `
read -r _
waited=0
while :; do
  holder=$(cat "$1/${HOLDER}" 2>/dev/null)
  [ -z "$holder" ] || [ "$holder" = "$5" ] || exit 0
  [ "$(head -n 1 "$2/postmaster.pid" 2>/dev/null)" = "$3" ] || exit 0
  [ "$waited" -lt "$4" ] || break
  sleep 1
  waited=$((waited + 1))
done
kill -INT "$3"
`;

/** Starts a watchdog that stops the server if this process ends without stopping it: killed, or out of memory. */
export async function startWatchdog({ folder, cluster, pid, grace }: WatchdogOptions): Promise<Watchdog> {
  const name = randomBytes(8).toString('hex');
  await writeFile(join(folder, HOLDER), name, { mode: 0o600 });
  const args = ['-c', SCRIPT, 'sh', folder, cluster, String(pid), String(grace), name];
  const child = spawn('/bin/sh', args, {
    cwd: '/',
    env: minimalEnvironment(),
    // a separate process group: Ctrl-C at the terminal would end it with this process
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // without a watchdog, the server continues to run until the next process adopts it
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.unref();
  (child.stdin as unknown as { unref(): void }).unref();
  return { dismiss: () => void child.kill() };
}
