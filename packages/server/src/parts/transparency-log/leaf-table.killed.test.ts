import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@touchstone/embedded-postgres';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { useFolder } from '../../../../../test/kit/folder.ts';
import { PATIENT } from '../../../../../test/kit/patience.ts';
import { SCHEMAS } from '../../parts.ts';
import { type OpenDatabase, openDatabase } from '../../platform/database/database.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { createDatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import { insertLeaves, readLeaves } from './leaf-table.ts';
import { leafOf } from './leaves.ts';
import { killServer } from './testing/kill-server.ts';
import { testProof } from './testing/log-node.ts';
import { TransparencyLog } from './transparency-log.ts';

const folder = useFolder('leaf-table');
const secrets = createDatabaseSecrets(randomBytes(32));
let server: EmbeddedPostgres;
let database: OpenDatabase;

beforeAll(async () => {
  server = await startEmbeddedPostgres({ folder, name: 'touchstone' });
  await migrate(server.connection, SCHEMAS);
  database = openDatabase({ connection: server.connection });
});
afterAll(async () => {
  await database?.close();
  await server?.close();
});

async function restartDatabase(): Promise<void> {
  expect(killServer(join(folder, 'postgres'))).toBe(true);
  await vi.waitFor(() => database.pool.query('select'), PATIENT);
}

test('a proof that may be published will be logged, even if PostgreSQL is killed (-9) while it waits for its inclusion', async () => {
  const log = new TransparencyLog({ db: database.db, secrets, overrides: { logPatience: 120_000 } });
  log.start({
    isFailing: () => false,
    findings: () => [],
    async include() {
      await restartDatabase();
      throw new Error('the connection was lost');
    },
  });
  const proof = testProof();
  expect(await log.enter([proof], { isAhead: false })).toEqual([null]);
  expect(await readLeaves(database.db, [leafOf(proof, secrets, false).proof])).toHaveLength(1);
});

test('a leaf that another node had entered without waiting for the disk is durable once one has waited', async () => {
  const leaf = leafOf(testProof(), secrets, false);
  await insertLeaves(database.db, [leaf], { isDurable: false });
  await insertLeaves(database.db, [leaf], { isDurable: true });
  await restartDatabase();
  expect(await readLeaves(database.db, [leaf.proof])).toHaveLength(1);
});
