import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { StorageStartError } from '../start-error.ts';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { isAlive } from './postmaster.ts';

const CLUSTER = 'postgres';
const PASSWORD_FILE = 'postgres-password';
const HALF_DONE = 'postgres-init.';
/** Milliseconds after which a half-done folder of another machine is taken for abandoned. */
const ABANDONED_AFTER = 3_600_000;

export interface ClusterOptions {
  readonly dataDir: string;
  readonly binaries: Binaries;
  readonly account: Account;
  /** False: nothing is flushed to disk. Tests only. */
  readonly durable: boolean;
}

/** How PostgreSQL tells ENOSPC and EDQUOT. */
const NO_ROOM = /No space left on device|Disk quota exceeded/;

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/**
 * Makes the cluster of a data folder unless it is there, and answers its folder and password.
 *
 * initdb works in a folder of its own that is renamed when done: what a kill leaves behind is never taken
 * for a cluster, and is cleared by the next start. Of two services that start at once, one wins the rename.
 */
export async function ensureCluster(options: ClusterOptions): Promise<{ cluster: string; password: string }> {
  const cluster = join(options.dataDir, CLUSTER);
  await clearHalfDone(options.dataDir);
  const present = await exists(join(cluster, 'PG_VERSION'));
  const password = await ensurePassword(options.dataDir, present);
  if (present) {
    await assertVersion(cluster);
    await assertOwner(cluster, options.account);
  } else await makeCluster(options, cluster, password);
  return { cluster, password };
}

async function makeCluster(options: ClusterOptions, cluster: string, password: string): Promise<void> {
  const name = `${HALF_DONE}${hostname()}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const folder = join(options.dataDir, name);
  const passwordFile = `${folder}.pw`;
  try {
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
    options.account.give(passwordFile);
    // initdb wants to own the folder; it cannot make one where only we may write
    await mkdir(folder, { mode: 0o700 });
    options.account.give(folder);
    await runInitdb(options, folder, passwordFile);
    await rename(folder, cluster);
    if (options.durable) await syncFolder(options.dataDir);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // another service made it meanwhile
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  } finally {
    await rm(passwordFile, { force: true });
    await rm(folder, { recursive: true, force: true });
  }
}

async function runInitdb(options: ClusterOptions, folder: string, passwordFile: string): Promise<void> {
  const {
    file,
    args,
    options: as,
  } = options.account.command(options.binaries.initdb, [
    `--pgdata=${folder}`,
    '--username=touchstone',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // the same sorting on every machine
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    ...(options.durable ? [] : ['--no-sync']),
  ]);
  const output: string[] = [];
  const child = spawn(file, args, { ...as, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => output.push(chunk));
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('close', resolve);
  });
  if (code === 0) return;
  const told = output.join('').trim();
  const full = NO_ROOM.exec(told)?.[0];
  throw new StorageStartError(
    full === undefined
      ? `The database could not be made (initdb):\n${told}`
      : `The data folder ${options.dataDir} has no room for a database (${full}). Make about 100 MB of room, or choose ` +
          'another one with TOUCHSTONE_DATA_DIR.',
  );
}

/** A password of the folder's own, made once; whole or absent, whenever we are killed. */
async function ensurePassword(dataDir: string, clusterPresent: boolean): Promise<string> {
  const file = join(dataDir, PASSWORD_FILE);
  const read = () => readFile(file, 'utf8').catch(() => undefined);
  const present = (await read())?.trim();
  if (present) return present;
  if (clusterPresent) {
    throw new StorageStartError(
      `${file} is missing: without it the database beside it cannot be opened. Put it back from a backup.`,
    );
  }
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`${randomBytes(24).toString('base64url')}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  // a link fails where the file is there already: then another service was quicker
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft, { force: true });
  const made = (await read())?.trim();
  if (!made) throw new StorageStartError(`${file} cannot be read.`);
  return made;
}

async function clearHalfDone(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(HALF_DONE)) continue;
    const path = join(dataDir, name);
    if (await isAbandoned(name.slice(HALF_DONE.length), path))
      await rm(path, { recursive: true, force: true });
  }
}

async function isAbandoned(rest: string, path: string): Promise<boolean> {
  const [, host, pid] = /^(.*)\.(\d+)\.[0-9a-f]{8}(?:\.pw)?$/.exec(rest) ?? [];
  // in a container we may have the number of the one that was killed
  if (host === hostname()) return Number(pid) === process.pid || !(await isAlive(Number(pid)));
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.NaN }));
  return Date.now() - mtimeMs > ABANDONED_AFTER;
}

async function assertVersion(cluster: string): Promise<void> {
  const version = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  if (version !== '18') {
    throw new StorageStartError(
      `${cluster} was made by PostgreSQL ${version}; this version of the service carries PostgreSQL 18. ` +
        'Dump it with the older version and restore the dump here.',
    );
  }
}

/** PostgreSQL serves its own user's files only; told here, it is no long wait for a server that ends each time. */
async function assertOwner(cluster: string, account: Account): Promise<void> {
  const { uid } = await stat(cluster);
  const expected = account.owner?.uid ?? process.getuid?.() ?? uid;
  if (uid === expected) return;
  throw new StorageStartError(
    `${cluster} belongs to user ${uid}, and the database runs as user ${expected}: it was copied without its owners, ` +
      `or the service is started by somebody else than before. If the former, run "chown -R ${expected} ${cluster}".`,
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
