import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { EmbeddedPostgresError } from './error.ts';
import { isAlive } from './postmaster.ts';

/** Key of the advisory lock: an arbitrary number, the same for every process. */
const FOLDER_LOCK = 7_084_620_012;

export interface FolderLock {
  /** Records the address of this process, for the message to others that are refused. */
  setAddress(address: string): Promise<void>;
  /** Resolves when the lock is lost because its connection broke. */
  readonly lost: Promise<void>;
  release(): Promise<void>;
}

interface Holder {
  pid: number;
  host: string;
  started: Date;
  address: string | null;
}

/**
 * Locks the folder for this process by a session advisory lock on a separate connection, so that the lock is always released when the
 * process ends. The holder is recorded in a table, and named in the refusal.
 */
export async function takeFolderLock(connection: pg.ClientConfig, folder: string): Promise<FolderLock> {
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: 10_000,
    application_name: `${connection.user} folder lock`,
  });
  const lost = new Promise<void>((resolve) => {
    client.on('error', () => resolve());
    client.on('end', () => resolve());
  });
  await client.connect();
  try {
    await client.query(`create table if not exists folder_holder (
      one boolean primary key default true check (one), pid integer not null, host text not null,
      started timestamptz not null, address text, backend_pid integer not null)`);
    await acquire(client, folder);
    await client.query(
      `insert into folder_holder (pid, host, started, backend_pid) values ($1, $2, now(), pg_backend_pid())
       on conflict (one) do update set pid = excluded.pid, host = excluded.host,
         started = excluded.started, address = null, backend_pid = excluded.backend_pid`,
      [process.pid, hostname()],
    );
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
  return {
    lost,
    async setAddress(address) {
      await client.query('update folder_holder set address = $1', [address]);
    },
    release: () => client.end().catch(() => {}),
  };
}

async function acquire(client: pg.Client, folder: string): Promise<void> {
  // the server detects the closed connection of a killed holder within moments
  for (let attempt = 0; ; attempt += 1) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [FOLDER_LOCK]);
    if (rows[0]?.taken === true) return;
    const holder = await findHolder(client);
    const gone = holder === undefined || (holder.host === hostname() && !(await isAlive(holder.pid)));
    if (!gone || attempt === 100) throw new EmbeddedPostgresError('in_use', refusal(folder, holder));
    await delay(50);
  }
}

/** The record of the current holder; not one left by an earlier holder. */
async function findHolder(client: pg.Client): Promise<Holder | undefined> {
  const found = await client.query<Holder>(
    `select h.* from folder_holder h join pg_locks l on l.pid = h.backend_pid
     where l.locktype = 'advisory' and l.granted and (l.classid::bigint << 32) + l.objid::bigint = $1`,
    [FOLDER_LOCK],
  );
  return found.rows[0];
}

function refusal(folder: string, holder: Holder | undefined): string {
  const who =
    holder === undefined
      ? 'another process that is just starting'
      : `process ${holder.pid} on ${holder.host}, since ${holder.started.toISOString()}` +
        (holder.address === null ? '' : `, at ${holder.address}`);
  return `The data folder ${folder} is in use by ${who}. Stop that process, or choose another folder.`;
}
