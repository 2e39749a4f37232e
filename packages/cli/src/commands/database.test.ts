import { afterAll, beforeAll, expect, test } from 'vitest';
import { useFolder } from '../../../../test/kit/folder.ts';
import { type TestDatabase, testDatabase } from '../../../server/src/platform/database/testing.ts';
import { databaseUrl } from '../../../server/src/testing.ts';
import { runCli } from '../testing.ts';

const folder = useFolder('database');
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const migrate = (url: string) =>
  runCli(['database', 'migrate'], {
    env: {
      TOUCHSTONE_DATABASE_URL: url,
      TOUCHSTONE_DATA_DIR: folder,
      TOUCHSTONE_LOG_LEVEL: 'silent',
    },
  });

test('database migrate makes the schema in an empty database, and ends without a service', async () => {
  await database.query('drop schema public cascade; create schema public');
  const url = databaseUrl(database);
  for (const _ of ['made', 'found']) {
    const { code, err } = await migrate(url);
    expect([code, err]).toEqual([0, 'The schema of the database is up to date.\n']);
  }
  const [row] = await database.query("select to_regclass('products') is not null as is_there");
  expect(row?.is_there).toBe(true);
});

test('database migrate says what is wrong with the settings or the database', async () => {
  const unreachable = await migrate('postgres://127.0.0.1:1/none');
  expect([unreachable.code, unreachable.err]).toEqual([
    3,
    expect.stringMatching(/not brought up to date\. The database of .* cannot be reached/),
  ]);
  expect((await migrate('mysql://127.0.0.1/none')).code).toBe(3);
});
