import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, createWriteStream, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where Debian's postgresql-15 keeps its programs. */
export const POSTGRES_BIN = '/usr/lib/postgresql/15/bin';
const PROGRAMS: Readonly<Record<string, string>> = {
  patroni: '/usr/bin/patroni',
  'etcd-server': '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
  'postgresql-15': join(POSTGRES_BIN, 'postgres'),
  pgbouncer: '/usr/sbin/pgbouncer',
  pgbackrest: '/usr/bin/pgbackrest',
};

/** The Debian packages among these that are not installed; for titles of tests that are skipped without them. */
export function missingPackages(names: readonly string[]): string[] {
  return names.filter((name) => {
    try {
      accessSync(PROGRAMS[name] ?? name);
      return false;
    } catch {
      return true;
    }
  });
}

/** Neither PostgreSQL nor Patroni is run by root: then by the account that Debian's package makes. */
export function account(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** A program of a drill, with its output in a file of `folder`. */
export interface Program {
  readonly pid: number;
  readonly ended: Promise<unknown>;
  /** Of it and of all that it started, by their ids. */
  signal(signal: NodeJS.Signals): void;
  stop(): Promise<void>;
}

export function run(
  command: string,
  args: readonly string[],
  { folder, name, env = {} }: { folder: string; name: string; env?: Record<string, string> },
): Program {
  const child: ChildProcess = spawn(command, args, {
    ...account(),
    cwd: folder,
    env: { PATH: `${POSTGRES_BIN}:/usr/sbin:/usr/bin:/bin`, LANG: 'C.UTF-8', HOME: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = createWriteStream(join(folder, `${name}.log`), { flags: 'a' });
  child.stdout?.pipe(log, { end: false });
  child.stderr?.pipe(log, { end: false });
  const ended = once(child, 'exit');
  ended.catch(() => {});
  const pid = child.pid ?? -1;
  const signal = (which: NodeJS.Signals) => {
    for (const one of [pid, ...descendantsOf(pid)]) sendTo(one, which);
  };
  return {
    pid,
    ended,
    signal,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const timer = setTimeout(signal, 10_000, 'SIGKILL');
      child.kill('SIGTERM');
      await ended;
      clearTimeout(timer);
    },
  };
}

export function sendTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it has ended
  }
}

/** All processes that a process started, and those that these started. */
export function descendantsOf(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      parents.set(Number(entry), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // it has ended
    }
  }
  const found: number[] = [];
  for (let from = [pid]; from.length > 0; ) {
    from = [...parents].filter(([, parent]) => from.includes(parent)).map(([child]) => child);
    found.push(...from);
  }
  return found;
}
