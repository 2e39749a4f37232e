import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@touchstone/embedded-postgres';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { SCHEMAS } from '../../parts.ts';
import { distribute } from './distribute.ts';
import { migrate } from './migrate.ts';
import { type ServerAddress, TestDatabases } from './testing-databases.ts';

const TEMPLATE = 'touchstone_template';
/** What every connection reads when it meets tables and functions. */
const CATALOGUE = [
  'attrdef',
  'attribute',
  'class',
  'constraint',
  'depend',
  'description',
  'index',
  'operator',
  'proc',
  'trigger',
  'type',
].map((name) => `pg_${name}`);
/** A file system in memory, on Linux. */
const MEMORY = '/dev/shm';
/** Bytes: several times what the databases take at a time. */
const ROOM = 4_000_000_000;

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * Socket file of what makes databases for this test run: whoever connects is told of a new one (or why there is none), by
     * one line, and has it until the connection closes.
     */
    testDatabaseSocket: string;
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
  let running: Promise<Running> | undefined;
  const broker = createServer((socket) => {
    socket.on('error', () => {});
    running ??= start(join(folder, 'data'), process.env.TOUCHSTONE_TEST_DATABASE_URL);
    running
      .then(({ databases }) => lend(databases, socket))
      .catch((error: unknown) => tell(socket, { fault: String(error) }));
  });
  const socketPath = join(folder, 'broker');
  await listen(broker, socketPath);
  project.provide('testDatabaseSocket', socketPath);
  return async () => {
    broker.close();
    await running?.then(closeAll).catch(() => {});
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

interface Running {
  readonly databases: TestDatabases;
  readonly embedded?: EmbeddedPostgres;
}

async function closeAll({ databases, embedded }: Running): Promise<void> {
  await databases.close();
  await embedded?.close();
}

const tell = (socket: Socket, answer: object) => socket.write(`${JSON.stringify(answer)}\n`);

/** Of a test process that is killed, too, the databases are dropped. */
async function lend(databases: TestDatabases, socket: Socket): Promise<void> {
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()).resume());
  const connection = await databases.take();
  tell(socket, { connection });
  await closed;
  await databases.drop(connection.database);
}

async function start(dataDir: string, given: string | undefined): Promise<Running> {
  if (given !== undefined) {
    const workers = (process.env.TOUCHSTONE_TEST_CITUS_WORKERS ?? '').split(',').filter((url) => url !== '');
    const servers = [given, ...workers].map((url) => partsOf(new URL(url)));
    return { databases: await makeTemplate(servers[0] as ServerAddress, servers.slice(1)) };
  }
  const embedded = await startEmbeddedPostgres({ folder: dataDir, name: 'touchstone', durable: false });
  await stopWithUs(dataDir);
  // tests make databases, and harm them: the superuser may
  const password = (await readFile(join(dataDir, 'postgres-password'), 'utf8')).trim();
  const connection = { ...embedded.connection, user: 'touchstone', password };
  await spareEffort(connection, join(dataDir, 'postgres'));
  return { embedded, databases: await makeTemplate(connection) };
}

/**
 * Passwords are not checked: only this user may enter the folder of the socket, and checking took a tenth of what each of the
 * thousands of connections of a run costs. Databases are gone before a vacuum could be of use.
 */
async function spareEffort(connection: ServerAddress, cluster: string): Promise<void> {
  await writeFile(join(cluster, 'pg_hba.conf'), 'local all all trust\n');
  await run(connection, [
    'alter system set autovacuum = off',
    "alter system set checkpoint_timeout = '1h'",
    "alter system set max_wal_size = '2GB'",
    'select pg_reload_conf()',
  ]);
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
): Promise<TestDatabases> {
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
  } else await tidy(template);
  return new TestDatabases(servers, TEMPLATE);
}

/**
 * The catalogue is left as a database has it that has run for a while, and as otherwise the first connections to each copy leave
 * it: without what is dead, with what is known to be committed marked so, and with the file from which a connection begins. Our own
 * tables are not touched: a plan for a table that was vacuumed while it was empty is another one.
 */
async function tidy(template: ServerAddress): Promise<void> {
  await run(template, [`vacuum (freeze) ${CATALOGUE.join(', ')}`]);
  await run(template, ['select 1']);
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
