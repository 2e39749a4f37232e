import { spawnSync } from 'node:child_process';
import { EmbeddedPostgresError } from './error.ts';

/** A user of the system, and its group. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The user that PostgreSQL runs as where root starts it, made if there is none.
 *
 * @throws EmbeddedPostgresError where it cannot be made
 */
export function findAccount(): Account {
  return findUser() ?? makeUser();
}

function findUser(): Account | undefined {
  const { stdout } = spawnSync('id', ['postgres'], { encoding: 'utf8' });
  const [, uid, gid] = /^uid=(\d+)\S* gid=(\d+)/.exec(stdout) ?? [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
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
