import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findAccount, type Account as User } from '@touchstone/embedded-postgres/account';
import { StartError } from '../lifecycle/start-error.ts';

/** The user as which processes run if root starts the supervisor. */
export interface Account extends User {
  /** Whether they keep the capability to read files and enter folders of other users. */
  readonly readsAll: boolean;
  /** Whether setpriv(1) starts them, so that they can get no other capability again either. */
  readonly bySetpriv: boolean;
}

export interface Needs {
  /** Programs that each process runs. */
  readonly entry: URL;
  /** Folders in which it opens files by name. */
  readonly enters: readonly string[];
  /** Existing files that it reads, and folders that it lists. */
  readonly reads: readonly string[];
  /** Folders to which it writes. */
  readonly writes: readonly string[];
}

/** Exits with an error if one of the paths cannot be used as required. */
const CHECK = `
mode=-r
for path do
  case "$path" in -x|-r|-w) mode=$path; continue;; esac
  [ "$mode" "$path" ] || { printf %s "$path"; exit 1; }
  [ ! -d "$path" ] || [ -x "$path" ] || { printf %s "$path"; exit 1; }
done`;

/**
 * Selects the user for the service: the one that PostgreSQL runs as, since only that user can open its socket. If it cannot
 * read files that the service needs (a clone in /root, a key of root's), one capability is kept for it.
 *
 * @throws StartError naming what is inaccessible even so; EmbeddedPostgresError if there is no such user
 */
export function accountFor({ entry, enters, reads, writes }: Needs): Account {
  const user = findAccount();
  const paths = ['-x', ...enters, '-r', process.execPath, fileURLToPath(entry), ...reads, '-w', ...writes];
  const check = ['-c', CHECK, 'sh', ...paths];
  const ways = [
    { ...user, readsAll: false, bySetpriv: true },
    { ...user, readsAll: false, bySetpriv: false },
    { ...user, readsAll: true, bySetpriv: true },
  ];
  let missing = '';
  for (const way of ways) {
    const { status, stdout } = way.bySetpriv
      ? spawnSync('setpriv', [...setprivSwitches(way), '/bin/sh', ...check], { cwd: '/', encoding: 'utf8' })
      : spawnSync('/bin/sh', check, { ...user, cwd: '/', encoding: 'utf8' });
    if (status === 0) return way;
    missing = stdout || missing;
  }
  const what = missing || fileURLToPath(entry);
  throw new StartError(
    `Started by root, the service runs as user ${user.uid}, who cannot use ${what}. Give it to that user ` +
      `(chown ${user.uid} ${what}), or start the service as an ordinary user.`,
  );
}

/** Options of setpriv(1): change to this user, and give up all capabilities for good, except perhaps the one to read. */
export function setprivSwitches({ uid, gid, readsAll }: Account): string[] {
  const limits = ['inh-caps', 'ambient-caps', 'bounding-set'].map(
    (set) => `--${set}=-all${readsAll ? ',+dac_read_search' : ''}`,
  );
  // without the bit, access(2) would ignore the capability
  const securebits = readsAll ? ['--securebits=+no_setuid_fixup'] : [];
  const user = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  return [...user, ...limits, ...securebits, '--no-new-privs', '--'];
}
