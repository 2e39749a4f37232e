import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { EmbeddedPostgresError } from './error.ts';

/** A user of the operating system, and its group. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The user as which PostgreSQL runs if root starts it; created if there is none.
 *
 * @throws EmbeddedPostgresError if it cannot be created
 */
export function findAccount(): Account {
  return findUser() ?? makeUser();
}

/** Reads /etc/passwd, which is fast; for users from other sources, runs a program. */
function findUser(): Account | undefined {
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(localUsers()) ?? idOf('postgres');
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

function localUsers(): string {
  try {
    return readFileSync('/etc/passwd', 'utf8');
  } catch {
    return '';
  }
}

function idOf(name: string): string[] {
  const { stdout } = spawnSync('id', [name], { encoding: 'utf8' });
  return /^uid=(\d+)\S* gid=(\d+)/.exec(stdout) ?? [];
}

function makeUser(): Account {
  const wanted = ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', 'postgres'];
  spawnSync('useradd', wanted, { stdio: 'ignore' });
  const made = findUser();
  if (made !== undefined) return made;
  throw new EmbeddedPostgresError(
    'no_account',
    'PostgreSQL refuses to run as root, and the user "postgres" could not be made. Start the program as an ' +
      'ordinary user, or add a system user "postgres".',
  );
}
