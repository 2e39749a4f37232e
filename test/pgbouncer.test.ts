import { randomBytes } from 'node:crypto';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningService, readConfig, startService } from '@touchstone/server';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../packages/server/src/platform/database/database.ts';
import { type TestDatabase, testDatabase } from '../packages/server/src/platform/database/testing.ts';
import { account, missingPackages, type Program, run } from './drills/support/programs.ts';
import { PATIENT } from './kit/patience.ts';
import { openStore, operate, putProducts } from './kit/registry.ts';
import { freePort } from './kit/servers.ts';

const missing = missingPackages(['pgbouncer']);
const without = missing.length === 0 ? '' : ` (skipped: ${missing.join(', ')} not installed)`;
const SHOP = 'https://shop.example';

/** The operator guide's section on PgBouncer, and nothing else that concerns us. */
const SETTINGS = ['pool_mode = session', 'default_pool_size = 40', 'max_client_conn = 200'];

describe.skipIf(missing.length > 0)(`two nodes behind PgBouncer in session mode${without}`, () => {
  let database: TestDatabase;
  let pooler: Program;
  let folder: string;
  let url: string;
  const nodes: RunningService[] = [];

  beforeAll(async () => {
    database = await testDatabase();
    folder = mkdtempSync(join(tmpdir(), 'touchstone-pgbouncer-'));
    const port = await freePort();
    const { host, port: at, user, password, database: name } = database.connection as Record<string, string>;
    url = `postgres://${user}:${password}@127.0.0.1:${port}/touchstone`;
    writeFileSync(join(folder, 'master.key'), randomBytes(32).toString('hex'), { mode: 0o600 });
    writeFileSync(join(folder, 'users'), `"${user}" "${password}"\n`);
    const lines = [
      '[databases]',
      `touchstone = host=${host} port=${at} dbname=${name}`,
      '[pgbouncer]',
      `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =`,
      `auth_type = scram-sha-256\nauth_file = ${join(folder, 'users')}`,
      ...SETTINGS,
    ];
    writeFileSync(join(folder, 'pgbouncer.ini'), `${lines.join('\n')}\n`);
    const { uid, gid } = account();
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
    pooler = run('/usr/sbin/pgbouncer', [join(folder, 'pgbouncer.ini')], { folder, name: 'pgbouncer' });
    await vi.waitFor(() => ask('select 1'), PATIENT);
    for (const node of ['first', 'second'])
      nodes.push(
        await startService(
          readConfig({
            TOUCHSTONE_PORT: '0',
            TOUCHSTONE_BASE_URL: 'https://certificates.example',
            TOUCHSTONE_LOG_LEVEL: 'silent',
            TOUCHSTONE_DATA_DIR: join(folder, node),
            TOUCHSTONE_MASTER_KEY_FILE: join(folder, 'master.key'),
            TOUCHSTONE_OPERATOR_KEY: 'operator-key-behind-a-pooler',
            TOUCHSTONE_DATABASE_URL: url,
            // as every node of one service has it
            TOUCHSTONE_BLOBS: join(folder, 'blobs'),
            TOUCHSTONE_IMAGE_CONCURRENT: '0',
          }),
        ),
      );
  });

  afterAll(async () => {
    for (const node of nodes) await node.close();
    await pooler?.stop();
    await database?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** One statement through the pooler. */
  async function ask(statement: string) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    try {
      await client.connect();
      return (await client.query(statement)).rows as Record<string, unknown>[];
    } finally {
      await client.end().catch(() => {});
    }
  }

  const certificate = async (node: RunningService | undefined, id: string) =>
    (await fetch(`${node?.url}/api/v1/mc4p/products/${id}/certificate`)).text();

  it('issue and verify, with one proof for all who ask first at the same time', async () => {
    const [first] = nodes;
    const { id: storeId } = await openStore(first as RunningService, SHOP);
    const rows = [{ externalProductId: 'cup', name: 'Cup', url: `${SHOP}/products/cup` }];
    const [id = ''] = await putProducts(first as RunningService, storeId, rows);
    const documents = await Promise.all(
      Array.from({ length: 12 }, (_, index) => certificate(nodes[index % 2], id)),
    );
    expect(new Set(documents).size).toBe(1);
    expect(await database.query('select id from proofs where subject_id = $1', [id])).toHaveLength(1);
    const body = { productUrl: `${SHOP}/products/cup`, document: JSON.parse(documents[0] ?? '') as unknown };
    const { status } = await operate(
      first as RunningService,
      'POST',
      `/api/v1/mc4p/products/${id}/verify`,
      body,
    );
    expect(status).toBe('verified');
  });

  it('hear of each other’s changes by LISTEN, and answer from memory meanwhile', async () => {
    const [first, second] = nodes;
    const { id: storeId } = await openStore(first as RunningService, 'https://other.example');
    const rows = [{ externalProductId: 'jug', name: 'Jug', url: 'https://other.example/products/jug' }];
    const [id = ''] = await putProducts(first as RunningService, storeId, rows);
    for (const visible of [false, true, false]) {
      await certificate(second, id);
      await operate(first as RunningService, 'PATCH', `/products/${id}`, { visible });
      await expect.poll(async () => (await certificate(second, id)).includes('"proof"')).toBe(visible);
    }
    const listening = await database.query(
      "select 1 from pg_stat_activity where datname = current_database() and query like '%pg_backend_pid%'",
    );
    expect(listening.length).toBeGreaterThanOrEqual(2);
  });

  it('have their timeouts, which PgBouncer would refuse as parameters of a connection, and leave none behind', async () => {
    const { db, close } = openDatabase({ connection: { connectionString: url } });
    const { rows } = await sql`show statement_timeout`.execute(db);
    await close();
    expect(rows).toEqual([{ statement_timeout: '15s' }]);
    expect(await ask('show statement_timeout')).toEqual([{ statement_timeout: '0' }]);
  });
});
