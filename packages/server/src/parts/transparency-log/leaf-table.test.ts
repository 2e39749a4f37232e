import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { assignPlaces } from './leaf-table.ts';
import { readOpenShard } from './shards.ts';

const LEAVES = 3_000;

let database: TestDatabase;
let db: Kysely<Tables>;
beforeAll(async () => {
  database = await testDatabase();
  // one connection, whose statistics are those of all statements
  db = database.open({ max: 1 }).db;
});
afterAll(() => database.close());

/** @param index - of the first, as SQL; `null`: they wait */
const insert = (from: number, index: string) =>
  database.query(
    `insert into log_leaves (proof, year, number, index, domain_key, leaf)
      select sha256(n::text::bytea), 2026, case when ${index} is not null then 1 end, ${index}, 'com.', '{}'
      from generate_series($1::int, $1 + $2 - 1) n`,
    [from, LEAVES],
  );

/** Rows of the log that the connection has read by now, also through an index that was read for nothing. */
async function rowsRead(): Promise<number> {
  await db.selectNoFrom(({ fn }) => fn('pg_stat_force_next_flush').as('flushed')).execute();
  const [row] = await database.query<{ read: number }>(
    "select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_user_tables where relname = 'log_leaves'",
  );
  return row?.read ?? 0;
}

it('Leaves that wait get their places without reading all of them for each, also where statistics say that none waits', async () => {
  await database.query(
    `insert into log_shards (year, origin, kid, opened_at, assigned, size) values (2026, 'a', 'a', now(), $1, $1)`,
    [LEAVES],
  );
  await insert(0, 'n');
  await database.query('analyze log_leaves', []);
  await insert(LEAVES, 'null::bigint');
  const before = await rowsRead();
  const assigned = await inTransaction(db, async (trx) => {
    const shard = await readOpenShard(trx, 2026);
    if (shard === undefined) throw new Error('there is no log');
    return assignPlaces(trx, shard, 4_096);
  });
  expect(assigned).toBe(LEAVES);
  // those that wait, and each again; at the most the whole table once more
  expect((await rowsRead()) - before).toBeLessThanOrEqual(4 * LEAVES);
  const [{ places } = { places: 0 }] = await database.query<{ places: number }>(
    'select count(distinct index)::int as places from log_leaves where index between $1 and $2',
    [LEAVES, 2 * LEAVES - 1],
  );
  expect(places).toBe(LEAVES);
});
