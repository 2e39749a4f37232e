import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, statfs } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@touchstone/embedded-postgres';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { SCHEMAS } from '../../parts.ts';
import type { Connection } from './database.ts';
import { distribute } from './distribute.ts';
import { migrate } from './migrate.ts';

/** The database server that test files share, and the template of their databases. */
export interface TestServer {
  readonly connection: Connection;
  readonly template: string;
  /** Of a Citus cluster: its workers, which have a database of the same name for each of the coordinator's. */
  readonly workers: readonly ServerAddress[];
}

type ServerAddress = Extract<Connection, { readonly host: string }>;

const TEMPLATE = 'touchstone_template';
/** A file system in memory, on Linux. */
const MEMORY = '/dev/shm';
/** Bytes: several times what the databases take at a time. */
const ROOM = 4_000_000_000;

declare module 'vitest' {
  interface ProvidedContext {
    /** Socket file at which the database server of this test run can be had. */
    testServerSocket: string;
  }
}

/**
 * Global setup of vitest: one PostgreSQL for the whole run, started when the first test file asks for it and
 * stopped at the end. Runs that need no database start none. `TOUCHSTONE_TEST_DATABASE_URL` names another server to use, of another
 * version, say: by its superuser, since tests make databases and end connections. `TOUCHSTONE_TEST_CITUS_WORKERS` (URLs, separated
 * by commas) says that it is the coordinator of a Citus cluster, on which the tables are distributed.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(await roomyFolder(), 'touchstone-test-'));
  await chmod(folder, 0o711);
  let running: Promise<{ database?: EmbeddedPostgres; reply: string }> | undefined;
  const broker = createServer((socket) => {
    socket.on('error', () => {});
    running ??= start(join(folder, 'data'), process.env.TOUCHSTONE_TEST_DATABASE_URL);
    running.then(
      ({ reply }) => socket.end(reply),
      (error: unknown) => socket.end(JSON.stringify({ fault: String(error) })),
    );
  });
  const socketPath = join(folder, 'broker');
  await listen(broker, socketPath);
  project.provide('testServerSocket', socketPath);
  return async () => {
    broker.close();
    await running?.then(({ database }) => database?.close()).catch(() => {});
    await rm(folder, { recursive: true, force: true });
  };
}

/**
 * In memory where there is room. Each database is a copy of 560 files, which go with it: ext4 looks for an inode that was not freed
 * within five seconds, which took a fifth of the processor time of a run.
 */
async function roomyFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  const isChosen = process.env.TMPDIR !== undefined;
  return isChosen || bavail * bsize < ROOM ? tmpdir() : MEMORY;
}

const listen = (server: Server, path: string) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(path, resolve);
  });

async function start(dataDir: string, given: string | undefined) {
  if (given !== undefined) {
    const workers = (process.env.TOUCHSTONE_TEST_CITUS_WORKERS ?? '').split(',').filter((url) => url !== '');
    return {
      reply: await makeTemplate(
        partsOf(new URL(given)),
        workers.map((url) => partsOf(new URL(url))),
      ),
    };
  }
  const database = await startEmbeddedPostgres({ folder: dataDir, name: 'touchstone', durable: false });
  await stopWithUs(dataDir);
  // tests make databases, and harm them: the superuser may
  const password = (await readFile(join(dataDir, 'postgres-password'), 'utf8')).trim();
  const connection = { ...database.connection, user: 'touchstone', password };
  return { database, reply: await makeTemplate(connection) };
}

/** @param url - its host may be a folder with a socket, encoded */
const partsOf = ({ hostname, port, username, password, pathname }: URL) => ({
  host: decodeURIComponent(hostname),
  port: Number(port || 5432),
  user: decodeURIComponent(username),
  password: decodeURIComponent(password),
  database: pathname.slice(1),
});

async function makeTemplate(
  connection: ServerAddress,
  workers: readonly ServerAddress[] = [],
): Promise<string> {
  const servers = [connection, ...workers];
  for (const server of servers)
    await run(server, [`drop database if exists ${TEMPLATE} with (force)`, `create database ${TEMPLATE}`]);
  const template = { ...connection, database: TEMPLATE };
  await migrate(template, SCHEMAS);
  if (workers.length > 0) {
    for (const server of servers) await run({ ...server, database: TEMPLATE }, ['create extension citus']);
    await run(template, [
      `select citus_set_coordinator_host('${connection.host}', ${connection.port})`,
      ...workers.map(({ host, port }) => `select citus_add_node('${host}', ${port})`),
    ]);
    await distribute(template, false);
    // databases are copied from it, so nobody may be connected: Citus keeps a process in each of its databases
    for (const server of servers)
      await run(server, [
        `alter database ${TEMPLATE} allow_connections false`,
        `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${TEMPLATE}'`,
      ]);
  }
  return JSON.stringify({ connection, template: TEMPLATE, workers } satisfies TestServer);
}

async function run(connection: ServerAddress, statements: readonly string[]): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** A run that is killed leaves no server: a shell reads from us, and stops it when we are gone. */
async function stopWithUs(dataDir: string): Promise<void> {
  const pid = Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
  const script = 'read _; kill -INT "$1" 2>/dev/null; sleep 1; rm -rf "$2"';
  const watch = spawn('/bin/sh', ['-c', script, 'sh', String(pid), join(dataDir, '..')], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watch.unref();
  (watch.stdin as unknown as { unref(): void }).unref();
}
