import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useFolder } from '../../../../../test/kit/folder.ts';
import { migrate, SchemaError } from './migrate.ts';
import { type TestDatabase, testDatabase } from './testing.ts';

describe('migrations', () => {
  let database: TestDatabase;
  const folder = useFolder('migrations');
  beforeAll(async () => {
    database = await testDatabase();
    await database.query('drop schema public cascade');
    await database.query('create schema public');
    await writeFile(join(folder, '0001-first.sql'), 'create table one (id integer)');
    await writeFile(join(folder, '0002-second.sql'), 'create table two (id integer)');
  });
  afterAll(async () => {
    await database.close();
  });

  it('runs each file once, however many nodes start concurrently', async () => {
    const results = await Promise.all([1, 2, 3, 4].map(() => migrate(database.connection, folder)));
    expect(results.map((result) => result.applied.length).toSorted()).toEqual([0, 0, 0, 2]);
    expect(results.every((result) => result.version === 2)).toBe(true);
    expect(await database.query('select number from schema_migrations order by 1')).toEqual([
      { number: 1 },
      { number: 2 },
    ]);
  });

  it('leaves no trace of a file that fails', async () => {
    await writeFile(join(folder, '0003-third.sql'), 'create table three (id integer); select 1 / 0;');
    await expect(migrate(database.connection, folder)).rejects.toThrow('division by zero');
    expect(await database.query("select to_regclass('three') as found")).toEqual([{ found: null }]);
    await rm(join(folder, '0003-third.sql'));
  });

  it('refuses a schema of a newer version, and says so', async () => {
    await database.query("insert into schema_migrations values (3, '0003-later.sql', 'x')");
    const refusal = await migrate(database.connection, folder).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(SchemaError);
    expect(String(refusal)).toContain('newer than this version');
    await database.query('delete from schema_migrations where number = 3');
  });

  it('refuses a schema made by a file that has changed since', async () => {
    await writeFile(join(folder, '0002-second.sql'), 'create table two (id bigint)');
    await expect(migrate(database.connection, folder)).rejects.toThrow('never changed once');
  });
});
