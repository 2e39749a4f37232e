import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testKeys } from './core/keys/testing.ts';
import { beginProof } from './core/registry/domains/hostname-claims.ts';
import type { Overrides, RunningService } from './core/running-service.ts';
import { emitterOf, readConfig } from './parts.ts';
import { inTransaction } from './platform/database/database.ts';
import { provenOwner } from './platform/database/hostname-owners.ts';
import { type TestDatabase, testDatabase } from './platform/database/testing.ts';
import { secretsOf } from './platform/secrets/testing.ts';
import { startService } from './start/start-service.ts';

/** Milliseconds; a timer with more would fire at once. */
const LONGEST_DELAY = 2 ** 31 - 1;

/** A whole service on a fresh database and a temporary data folder, on a free port of loopback. */
export interface TestService extends RunningService {
  readonly database: TestDatabase;
  readonly dataDir: string;
  readonly log: string[];
  /** Stops and starts it again on the same database and folder, on another port. */
  restart(settings?: Record<string, string>, overrides?: Overrides): Promise<TestService>;
  /** Calls it with the operator's key; the answer's JSON. */
  operate(method: string, path: string, body?: unknown): Promise<unknown>;
  dispose(): Promise<void>;
}

export interface TestServiceOptions {
  readonly settings?: Readonly<Record<string, string>>;
  readonly overrides?: Overrides;
  /** Where the database is reached instead (`throughProxy`). */
  readonly databaseUrl?: string;
}

export async function testService(options: TestServiceOptions = {}): Promise<TestService> {
  const database = await testDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'touchstone-service-'));
  try {
    return await start(database, dataDir, options);
  } catch (error) {
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
    throw error;
  }
}

async function start(
  database: TestDatabase,
  dataDir: string,
  options: TestServiceOptions,
): Promise<TestService> {
  const log: string[] = [];
  const config = readConfig({
    TOUCHSTONE_PORT: '0',
    TOUCHSTONE_DATA_DIR: dataDir,
    TOUCHSTONE_DATABASE_URL: options.databaseUrl ?? databaseUrl(database),
    TOUCHSTONE_DATABASE_CONNECTIONS: '4',
    // shops of most tests serve no images; those that do set it
    TOUCHSTONE_IMAGE_CONCURRENT: '0',
    // most tests count what requests cost
    TOUCHSTONE_CERTIFICATES_AHEAD: 'false',
    TOUCHSTONE_SWEEPS: 'false',
    TOUCHSTONE_WITHOUT: process.env.TOUCHSTONE_TEST_WITHOUT,
    ...options.settings,
  });
  const logDestination = { write: (line: string) => void log.push(line) };
  const service = await startService(config, {
    logDestination,
    durable: false,
    // few tests read pages, and each thread loads all that a page needs
    readersStartAfter: LONGEST_DELAY,
    newRsaKey: testKeys(),
    ...options.overrides,
  });
  return {
    ...service,
    database,
    dataDir,
    log,
    async restart(settings = {}, overrides = {}) {
      await service.close();
      return start(database, dataDir, { settings, overrides });
    },
    async operate(method, path, body) {
      const response = await fetch(`${service.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${service.operatorKey}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text === '' ? undefined : JSON.parse(text);
    },
    async dispose() {
      await service.close();
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export function databaseUrl({ connection }: TestDatabase): string {
  if (!('host' in connection)) return connection.connectionString;
  const { user, password, host, port, database } = connection;
  const credentials = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  return `postgres://${credentials}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

/** A way to the database that can be cut and restored, as a network is. */
export interface DatabaseProxy {
  readonly url: string;
  cut(): void;
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** Connects two sockets in both directions until either closes; until then both are in `open`. */
export function pipeTogether(client: Socket, upstream: Socket, open: Set<Socket>): void {
  for (const [from, to] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    open.add(from);
    from.on('error', () => to.destroy());
    from.on('close', () => {
      open.delete(from);
      to.destroy();
    });
    from.pipe(to);
  }
}

export async function throughProxy(database: TestDatabase): Promise<DatabaseProxy> {
  const { connection } = database;
  if (!('host' in connection)) throw new Error('the test server listens on a socket file');
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(`${connection.host}/.s.PGSQL.${connection.port}`);
    pipeTogether(client, upstream, open);
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const { user, password, database: name } = connection;
  const cut = () => {
    server.close();
    for (const socket of open) socket.destroy();
  };
  return {
    url: `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${name}`,
    cut,
    restore: () => listen(port),
    async close() {
      cut();
    },
  };
}

/** Records the proof of a host in the place of the service. */
export async function proveHost(service: TestService, hostname: string, merchantId: string): Promise<void> {
  const { rows } = await secretsOf(service);
  const now = new Date();
  const owner = provenOwner({ hostname, merchant_id: merchantId, method: 'dns_txt' }, now);
  await inTransaction(service.database.db, (trx) =>
    beginProof(
      { secrets: { rows }, emit: emitterOf({ without: [] }) },
      trx,
      owner,
      new Date(now.getTime() + 86_400_000),
    ),
  );
}
