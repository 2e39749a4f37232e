import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { takeDue } from './take-due-products.ts';
import { testShop } from './testing.ts';

const LINES = 30_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

test('finding that nothing is due reads none of many rows', async () => {
  const { storeId, merchantId } = await testShop(database);
  await database.query(
    `insert into certificate_lines (merchant_id, product_id, store_id, position, proof_id, kid, renew_at)
       select $2, gen_random_uuid(), $1, n, n, 'present', now() + interval '3 days' from generate_series(1, ${LINES}) n`,
    [storeId, merchantId],
  );
  await database.query(
    `insert into signing_keys (kid, public_jwk, retired_at, revoked_at) values ('former', '{}', now(), now())`,
  );
  await database.query(
    `insert into certificate_due (merchant_id, product_id, store_id, due_at)
       select $2, gen_random_uuid(), $1, now() + interval '1 hour' from generate_series(1, ${LINES})`,
    [storeId, merchantId],
  );
  await database.query('analyze certificate_lines, certificate_due');
  const read = async () => {
    const [row] = await database.query<{ count: string }>(
      `select (select sum(seq_tup_read) from pg_stat_user_tables where relname like 'certificate\\_%')
         + (select sum(idx_tup_read) from pg_stat_user_indexes where relname like 'certificate\\_%') as count`,
    );
    return Number(row?.count);
  };
  const { db } = database.open({ max: 1 });
  const before = await read();
  // PostgreSQL makes a plan for any values after some with these
  for (let time = 0; time < 30; time += 1)
    expect(await takeDue(db, { id: storeId, merchantId }, 256, new Date())).toBeNull();
  await sql`select pg_stat_force_next_flush()`.execute(db);
  expect((await read()) - before).toBeLessThan(100);
});
