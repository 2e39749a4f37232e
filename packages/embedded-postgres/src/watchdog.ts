import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { minimalEnvironment } from './environment.ts';

export interface WatchdogOptions {
  /** Where it is written down who watches. */
  readonly folder: string;
  readonly cluster: string;
  /** Of the postmaster. */
  readonly pid: number;
  /** Seconds that the server is left running for whoever starts next and adopts it. */
  readonly grace: number;
}

export interface Watchdog {
  /** The server is ours to stop again. */
  dismiss(): void;
}

const HOLDER = 'postgres-watched-by';

/*
 * A shell, since it must outlive us, and take up next to nothing. Its input ends with us, however we end. Then the one who
 * starts next has some time to adopt the server and to write down another watchdog. A server whose `postmaster.pid` is gone
 * or names another process has ended, or does within a minute.
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

/** Has the server stopped when this process ends without having stopped it: killed, or out of memory. */
export async function startWatchdog({ folder, cluster, pid, grace }: WatchdogOptions): Promise<Watchdog> {
  const name = randomBytes(8).toString('hex');
  await writeFile(join(folder, HOLDER), name, { mode: 0o600 });
  const args = ['-c', SCRIPT, 'sh', folder, cluster, String(pid), String(grace), name];
  const child = spawn('/bin/sh', args, {
    cwd: '/',
    env: minimalEnvironment(),
    // not of our process group, or Ctrl-C at the terminal would end it with us
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // without it, the server is left to whoever starts next
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.unref();
  (child.stdin as unknown as { unref(): void }).unref();
  return { dismiss: () => void child.kill() };
}
