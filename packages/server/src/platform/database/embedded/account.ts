import { spawnSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { StorageStartError } from '../start-error.ts';

/** How programs of PostgreSQL are started: it refuses to run as root. */
export interface Account {
  /** The user whose files they are; absent: ourselves. */
  readonly owner?: { readonly uid: number; readonly gid: number };
  /** What to start, and how. */
  command(
    program: string,
    args: readonly string[],
  ): { file: string; args: string[]; options: { uid?: number; gid?: number } };
  /** Gives a file or folder of ours to that user. */
  give(path: string): void;
}

const OURSELVES: Account = {
  command: (file, args) => ({ file, args: [...args], options: {} }),
  give: () => {},
};

/**
 * The account for `program` working in `folder`. An ordinary user is that account; root becomes the system
 * user `postgres` (made if there is none). Where that user cannot enter the installation or the folder (a
 * clone in /root, a mktemp folder), `setpriv` carries over the one capability that is missing.
 */
export function chooseAccount(program: string, folder: string): Account {
  if (process.getuid?.() !== 0) return OURSELVES;
  const owner = findUser() ?? makeUser();
  const plain: Account = {
    owner,
    command: (file, args) => ({ file, args: [...args], options: owner }),
    give: (path) => chownSync(path, owner.uid, owner.gid),
  };
  if (works(plain, program, folder)) return plain;
  const privileged: Account = { ...plain, command: (file, args) => withSetpriv(owner, file, args) };
  if (works(privileged, program, folder)) return privileged;
  throw new StorageStartError(
    `PostgreSQL refuses to run as root, and the user "postgres" cannot enter ${program} or ${folder}. ` +
      'Start the service as an ordinary user, or move it to folders that others may enter (chmod o+x).',
  );
}

/** Whether that account may start the program and stand in the folder. */
function works(account: Account, program: string, folder: string): boolean {
  const version = account.command(program, ['--version']);
  const entering = account.command('/bin/sh', ['-c', 'cd "$1"', 'sh', folder]);
  return [version, entering].every(
    ({ file, args, options }) =>
      spawnSync(file, args, { ...options, cwd: '/', stdio: 'ignore' }).status === 0,
  );
}

function withSetpriv(owner: { uid: number; gid: number }, file: string, args: readonly string[]) {
  const switches = [
    `--reuid=${owner.uid}`,
    `--regid=${owner.gid}`,
    '--clear-groups',
    '--inh-caps=-all,+dac_override',
    '--ambient-caps=-all,+dac_override',
    '--bounding-set=-all,+dac_override',
    // else access(2), by which initdb looks for its own programs, would leave the capability out
    '--securebits=+no_setuid_fixup',
  ];
  return { file: 'setpriv', args: [...switches, '--', file, ...args], options: {} };
}

function findUser(): { uid: number; gid: number } | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => {
    const answer = spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' });
    return answer.status === 0 ? Number.parseInt(answer.stdout, 10) : Number.NaN;
  });
  return Number.isInteger(uid) && Number.isInteger(gid)
    ? { uid: uid as number, gid: gid as number }
    : undefined;
}

function makeUser(): { uid: number; gid: number } {
  spawnSync(
    'useradd',
    ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', 'postgres'],
    {
      stdio: 'ignore',
    },
  );
  const made = findUser();
  if (made !== undefined) return made;
  throw new StorageStartError(
    'PostgreSQL refuses to run as root, and the user "postgres" could not be made. Start the service as an ' +
      'ordinary user, add a system user "postgres", or set TOUCHSTONE_DATABASE_URL.',
  );
}
