import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { EmbeddedPostgresError } from './error.ts';
import { isAlive } from './postmaster.ts';
import type { Programs } from './programs.ts';

const CLUSTER = 'postgres';
const PASSWORD_FILE = 'postgres-password';
const DRAFT_PREFIX = 'postgres-init.';
/** The major version of the binaries; files of another one are not compatible. */
const POSTGRES_VERSION = '18';
/** Milliseconds after which an incomplete folder of another machine counts as abandoned. */
const ABANDONED_AFTER = 3_600_000;
/** PostgreSQL's messages for ENOSPC and EDQUOT. */
const NO_SPACE = /No space left on device|Disk quota exceeded/;

export interface ClusterOptions {
  readonly folder: string;
  /** Name of the superuser. */
  readonly name: string;
  readonly programs: Programs;
  /** False: nothing is flushed to disk. For tests only. */
  readonly durable: boolean;
}

/**
 * Creates the cluster of a folder unless it exists, and returns its path and password.
 *
 * initdb works in a temporary folder that is renamed when it is complete: the folder of a killed process is never used as a cluster, and is
 * removed by the next start. If two processes start at once, one rename succeeds.
 */
export async function ensureCluster(options: ClusterOptions): Promise<{ cluster: string; password: string }> {
  const cluster = join(options.folder, CLUSTER);
  await removeAbandonedDrafts(options.folder);
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined);
  const password = await ensurePassword(options.folder, version !== undefined);
  if (version === undefined) await makeCluster(options, cluster, password);
  else await assertUsable(cluster, version.trim(), options.programs);
  return { cluster, password };
}

async function makeCluster(options: ClusterOptions, cluster: string, password: string): Promise<void> {
  const name = `${DRAFT_PREFIX}${hostname()}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const folder = join(options.folder, name);
  const passwordFile = `${folder}.pw`;
  try {
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
    options.programs.give(passwordFile);
    // initdb must own the folder, and cannot create it here, where only this process may write
    await mkdir(folder, { mode: 0o700 });
    options.programs.give(folder);
    await runInitdb(options, folder, passwordFile);
    await rename(folder, cluster);
    if (options.durable) await syncFolder(options.folder);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // another process created the cluster meanwhile
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  } finally {
    await rm(passwordFile, { force: true });
    await rm(folder, { recursive: true, force: true });
  }
}

async function runInitdb(options: ClusterOptions, folder: string, passwordFile: string): Promise<void> {
  const place = options.programs.nameOf(folder);
  const initdb = options.programs.command('initdb', [
    `--pgdata=${place}`,
    `--username=${options.name}`,
    // in a folder that initdb cannot enter, the file is handed over open
    `--pwfile=${place === folder ? passwordFile : '/proc/self/fd/3'}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // the same sort order on every machine
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    ...(options.durable ? [] : ['--no-sync']),
  ]);
  const opened = await open(passwordFile, 'r');
  const child = spawn(initdb.file, initdb.args, {
    ...initdb.options,
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe', opened.fd],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('close', resolve);
  });
  const [code, ...output] = await Promise.all([
    ended,
    text(child.stdout as Readable),
    text(child.stderr as Readable),
  ]).finally(() => opened.close());
  if (code === 0) return;
  const said = output.join('').trim();
  const full = NO_SPACE.exec(said)?.[0];
  throw full === undefined
    ? new EmbeddedPostgresError('not_started', `The database could not be made (initdb):\n${said}`)
    : new EmbeddedPostgresError(
        'no_space',
        `The data folder ${options.folder} has no room for a database (${full}). Free about 100 MB.`,
      );
}

/** The password of the folder, created once and atomically. */
async function ensurePassword(folder: string, clusterPresent: boolean): Promise<string> {
  const file = join(folder, PASSWORD_FILE);
  const read = async () => (await readFile(file, 'utf8').catch(() => '')).trim();
  const present = await read();
  if (present !== '') return present;
  if (clusterPresent) {
    throw new EmbeddedPostgresError(
      'unusable_folder',
      `${file} is missing: without it the database in the same folder cannot be opened. Restore it from a backup.`,
    );
  }
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const password = `${randomBytes(24).toString('base64url')}\n`;
  await writeFile(draft, password, { flag: 'wx', mode: 0o600, flush: true });
  // the link fails if the file exists: then another process was faster
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft, { force: true });
  const made = await read();
  if (made === '') throw new EmbeddedPostgresError('unusable_folder', `${file} cannot be read.`);
  return made;
}

async function removeAbandonedDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(DRAFT_PREFIX)) continue;
    const path = join(folder, name);
    if (await isAbandoned(name.slice(DRAFT_PREFIX.length), path))
      // the initdb of a killed program may still write there for a moment
      await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

async function isAbandoned(rest: string, path: string): Promise<boolean> {
  const [, host, pid] = /^(.*)\.(\d+)\.[0-9a-f]{8}(?:\.pw)?$/.exec(rest) ?? [];
  // in a container this process may have the id of the killed one
  if (host === hostname()) return Number(pid) === process.pid || !(await isAlive(Number(pid)));
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.NaN }));
  return Date.now() - mtimeMs > ABANDONED_AFTER;
}

/** Detects another version or owner, with which the server would end at every start. */
async function assertUsable(cluster: string, version: string, { owner }: Programs): Promise<void> {
  if (version !== POSTGRES_VERSION) {
    throw new EmbeddedPostgresError(
      'unusable_folder',
      `${cluster} was made by PostgreSQL ${version}; this program carries PostgreSQL ${POSTGRES_VERSION}. ` +
        'Dump it with the older version and restore the dump here.',
    );
  }
  const { uid } = await stat(cluster);
  const expected = owner?.uid ?? process.getuid?.() ?? uid;
  if (uid === expected) return;
  throw new EmbeddedPostgresError(
    'unusable_folder',
    `${cluster} belongs to user ${uid}, and the database runs as user ${expected}: it was copied without its owners, ` +
      `or the program is started by another user than before. If the former, run "chown -R ${expected} ${cluster}".`,
  );
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
