import { expect, it, onTestFinished } from 'vitest';
import { distribute, readTables, statementsFor } from './distribute.ts';
import { GLOBAL_TABLES } from './placement.ts';
import { testDatabase } from './testing.ts';

const isOnCitus = (process.env.TOUCHSTONE_TEST_CITUS_WORKERS ?? '') !== '';

async function ownDatabase() {
  const database = await testDatabase();
  onTestFinished(() => database.close());
  return database;
}

it('places each table of merchants once, behind those that it refers to, and empties those that hold copied rows', async () => {
  const database = await ownDatabase();
  await database.query(
    "insert into merchants (id, name, plan_capacity) values (gen_random_uuid(), 'Kiln House', 1)",
  );
  const tables = await readTables(database.query);
  const statements = statementsFor(tables, [], ['words_of(text)']);
  expect(statements.slice(0, 3)).toEqual([
    'set citus.enable_unsafe_triggers to on',
    "select create_distributed_function('words_of(text)')",
    "select create_distributed_table('merchants', 'id')",
  ]);
  const placed = statements.flatMap(
    (sql) => /^select create_distributed_table\('(\w+)'/.exec(sql)?.[1] ?? [],
  );
  expect(placed.toSorted()).toEqual(
    tables.map(({ name }) => name).filter((name) => !(name in GLOBAL_TABLES)),
  );
  for (const { name, refersTo } of tables)
    for (const other of refersTo) expect(placed.indexOf(other)).toBeLessThanOrEqual(placed.indexOf(name));
  expect(statements).toContain(
    "select create_distributed_table('images', 'merchant_id', colocate_with => 'merchants')",
  );
  if (!isOnCitus)
    expect(statements.at(-1)).toBe("select truncate_local_data_after_distributing_table('merchants')");

  const known = tables.map((table) => ({ ...table, hasRows: false }));
  expect(statementsFor(known, placed, [])).toEqual([]);
  expect(
    statementsFor(
      known,
      placed.filter((name) => name !== 'webhooks'),
      [],
    ),
  ).toEqual(["select create_distributed_table('webhooks', 'merchant_id', colocate_with => 'merchants')"]);
});

it.skipIf(isOnCitus)('refuses a database without Citus, saying what to do, and changes nothing', async () => {
  const database = await ownDatabase();
  await expect(distribute(database.connection, false)).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringContaining('create extension citus'),
  });
});
