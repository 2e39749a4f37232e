import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import {
  freePort,
  OPERATOR_KEY,
  type ServeProcess,
  spawnServe,
  untilReady,
} from '../../../support/serve-process.ts';

/** Whose process is killed. `worker`: one that the service started; where it has none, the service itself. */
export const TARGETS = ['service', 'database', 'worker', 'both'] as const;
export type Target = (typeof TARGETS)[number];

export interface Answered {
  readonly status: number;
  readonly text: string;
}

/** A service with an embedded database, both of which are killed and come back on the same port and folder. */
export interface KillRig {
  readonly dataDir: string;
  service(): ServeProcess;
  /** What the service answered, whole; null where it could not be reached or broke off. */
  call(method: string, path: string, body?: { json: unknown } | { ndjson: string }): Promise<Answered | null>;
  /** Kills it at once, starts what does not come back by itself, and waits until the service is ready. */
  strike(target: Target): Promise<void>;
  databasePid(): Promise<number>;
  /** Past the service, to see what is recorded. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** Milliseconds for a start on a machine that is busy with something else. */
const START = 180_000;
/** Milliseconds for the whole of one answer. */
const PATIENCE = 60_000;

export async function openKillRig(env: Record<string, string> = {}): Promise<KillRig> {
  const dataDir = await mkdtemp(join(tmpdir(), 'touchstone-kill-'));
  const port = await freePort();
  const start = () => spawnServe({ port, dataDir, env: { TOUCHSTONE_IMAGE_CONCURRENT: '0', ...env } });
  let service = start();
  await untilReady(service, START);
  const databasePid = async () => {
    const file = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '');
    return Number.parseInt(file, 10) || 0;
  };
  return {
    dataDir,
    service: () => service,
    databasePid,
    call: (method, path, body) => call(`${service.url}/api/v1${path}`, method, body),
    async strike(target) {
      const database = await databasePid();
      const worker = target === 'worker' ? await workerOf(service.pid) : undefined;
      if (worker !== undefined) killNow(worker);
      else if (target !== 'database') service.kill('SIGKILL');
      if (target === 'database' || target === 'both') killNow(database);
      if (worker === undefined && target !== 'database') {
        await service.ended;
        service = start();
      } else {
        // what was killed is ready no more, and is asked only when that can have been noticed
        await delay(100);
      }
      await untilReady(service, START);
    },
    query: <Row extends pg.QueryResultRow>(sql: string, values?: unknown[]) =>
      queryDatabase<Row>(dataDir, sql, values),
    async close() {
      service.kill('SIGTERM');
      await Promise.race([service.ended, delay(20_000, undefined, { ref: false })]);
      service.kill('SIGKILL');
      killNow(await databasePid());
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function call(
  url: string,
  method: string,
  body: { json: unknown } | { ndjson: string } | undefined,
): Promise<Answered | null> {
  const [type, text] =
    body === undefined
      ? [undefined, undefined]
      : 'json' in body
        ? ['application/json', JSON.stringify(body.json)]
        : ['application/x-ndjson', body.ndjson];
  try {
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${OPERATOR_KEY}`,
        ...(type === undefined ? {} : { 'content-type': type }),
      },
      signal: AbortSignal.timeout(PATIENCE),
      ...(text === undefined ? {} : { body: text }),
    });
    return { status: response.status, text: await response.text() };
  } catch {
    return null;
  }
}

function killNow(pid: number): void {
  try {
    if (pid > 0) process.kill(pid, 'SIGKILL');
  } catch {
    // it had ended already
  }
}

/** A process that answers for the service, which is not always the one that was started (Linux only). */
async function workerOf(pid: number): Promise<number | undefined> {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const id of ids) {
    const stat = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '');
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    if (parent !== pid) continue;
    const environment = await readFile(`/proc/${id}/environ`, 'utf8').catch(() => '');
    // node:cluster numbers its processes
    if (environment.split('\0').some((setting) => setting.startsWith('NODE_UNIQUE_ID='))) return Number(id);
  }
  return undefined;
}

/** Asks the database of a data folder, past the service. */
export async function queryDatabase<Row extends pg.QueryResultRow>(
  dataDir: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = await connectTo(dataDir);
  // a server that is killed next is no fault of the one who asked
  client.on('error', () => {});
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

/** The database may be coming back while the service has not missed it yet. */
async function connectTo(dataDir: string): Promise<pg.Client> {
  const end = performance.now() + PATIENCE;
  for (;;) {
    try {
      return await connectOnce(dataDir);
    } catch (error) {
      if (performance.now() > end) throw error;
      await delay(100);
    }
  }
}

async function connectOnce(dataDir: string): Promise<pg.Client> {
  const file = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
  const password = (await readFile(join(dataDir, 'postgres-password'), 'utf8')).trim();
  const host = file.split('\n')[4] ?? '';
  const client = new pg.Client({ host, port: 5432, user: 'touchstone', password, database: 'touchstone' });
  await client.connect();
  return client;
}
