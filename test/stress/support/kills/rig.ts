import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { connectTo } from '../../../kit/database.ts';
import { processesOf } from '../../../kit/processes.ts';
import { callService, type Reply } from '../../../kit/registry.ts';
import { type ServeProcess, spawnServe, untilReady } from '../../../kit/serve-process.ts';
import { freePort } from '../../../kit/servers.ts';

/** Which process is killed. `worker`: one that the service started; without one, the service itself. */
export const TARGETS = ['service', 'database', 'worker', 'both'] as const;
export type Target = (typeof TARGETS)[number];

/** A service with an embedded database; both can be killed, and restart on the same port and folder. */
export interface KillRig {
  readonly dataDir: string;
  service(): ServeProcess;
  /** The service's complete response; null if it was unreachable or aborted. */
  call(method: string, path: string, body?: unknown): Promise<Reply | null>;
  /** Kills the target immediately, starts what does not restart by itself, and waits until the service is ready. */
  strike(target: Target): Promise<void>;
  databasePid(): Promise<number>;
  /** Queries the database directly, to see what is recorded. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** Timeout of a start in milliseconds, on a busy machine. */
const START = 180_000;
/** Timeout of a connection to the database in milliseconds. */
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
    call: (method, path, body) => callService(service, method, `/api/v1${path}`, body).catch(() => null),
    async strike(target) {
      const database = await databasePid();
      const worker = target === 'worker' ? processesOf(service.pid)[0] : undefined;
      if (worker !== undefined) killNow(worker);
      else if (target !== 'database') service.kill('SIGKILL');
      if (target === 'database' || target === 'both') killNow(database);
      if (worker === undefined && target !== 'database') {
        await service.ended;
        service = start();
      } else {
        // a killed process is not ready; readiness is polled only when that can have been noticed
        await delay(100);
      }
      await untilReady(service, START);
    },
    query: <Row extends pg.QueryResultRow>(sql: string, values?: unknown[]) =>
      queryDatabase<Row>(dataDir, sql, values),
    async close() {
      await service.stop();
      killNow(await databasePid());
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function killNow(pid: number): void {
  try {
    if (pid > 0) process.kill(pid, 'SIGKILL');
  } catch {
    // it had already ended
  }
}

/** Queries the database of a data folder directly. */
export async function queryDatabase<Row extends pg.QueryResultRow>(
  dataDir: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = await connectWhenUp(dataDir);
  // a server that is killed afterwards is no error of the query
  client.on('error', () => {});
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

/** The database may be restarting before the service has noticed. */
async function connectWhenUp(dataDir: string): Promise<pg.Client> {
  const end = performance.now() + PATIENCE;
  for (;;) {
    try {
      return await connectTo(dataDir);
    } catch (error) {
      if (performance.now() > end) throw error;
      await delay(100);
    }
  }
}
