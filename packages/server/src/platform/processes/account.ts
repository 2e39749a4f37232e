import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findAccount, type Account as User } from '@touchstone/embedded-postgres/account';
import { StartError } from '../lifecycle/start-error.ts';

/** As whom processes run that a supervisor starts who is root. */
export interface Account extends User {
  /** They keep one capability of root's: to read files, and enter folders, that are not theirs. */
  readonly readsAll: boolean;
}

export interface Needs {
  /** What each process runs. */
  readonly entry: URL;
  /** Folders in which it opens files by their names. */
  readonly enters: readonly string[];
  /** Files, and folders that it lists, those that are there. */
  readonly reads: readonly string[];
  /** Folders that it writes to. */
  readonly writes: readonly string[];
}

/** Fails where one of the paths cannot be had in its way. */
const CHECK = `
mode=-r
for path do
  case "$path" in -x|-r|-w) mode=$path; continue;; esac
  [ "$mode" "$path" ] || { printf %s "$path"; exit 1; }
  [ ! -d "$path" ] || [ -x "$path" ] || { printf %s "$path"; exit 1; }
done`;

/**
 * The user that PostgreSQL runs as does for the service too: its socket is open to nobody else. Where that user may not
 * read what the service needs (a clone in /root, a key of root's), one capability is kept for it.
 *
 * @throws StartError naming what it cannot have even so; EmbeddedPostgresError where there is no such user
 */
export function accountFor({ entry, enters, reads, writes }: Needs): Account {
  const user = findAccount();
  const paths = ['-x', ...enters, '-r', process.execPath, fileURLToPath(entry), ...reads, '-w', ...writes];
  const check = ['-c', CHECK, 'sh', ...paths];
  if (spawnSync('/bin/sh', check, { ...user, cwd: '/' }).status === 0) return { ...user, readsAll: false };
  const { status, stdout } = spawnSync('setpriv', [...readingSwitches(user), '/bin/sh', ...check], {
    cwd: '/',
    encoding: 'utf8',
  });
  if (status === 0) return { ...user, readsAll: true };
  const what = stdout ? stdout : fileURLToPath(entry);
  throw new StartError(
    `Started by root, the service runs as user ${user.uid}, who cannot use ${what}. Give it to that user ` +
      `(chown ${user.uid} ${what}), or start the service as an ordinary user.`,
  );
}

/** Of setpriv(1): become this user, and keep nothing but the right to read. */
export function readingSwitches({ uid, gid }: User): string[] {
  return [
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--inh-caps=-all,+dac_read_search',
    '--ambient-caps=-all,+dac_read_search',
    '--bounding-set=-all,+dac_read_search',
    // else access(2) would leave the capability out
    '--securebits=+no_setuid_fixup',
    '--',
  ];
}
