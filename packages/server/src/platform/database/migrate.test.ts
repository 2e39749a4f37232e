import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useFolder } from '../../../../../test/kit/folder.ts';
import { migrate, SchemaError } from './migrate.ts';
import { type TestDatabase, testDatabase } from './testing.ts';

describe('schemas', () => {
  let database: TestDatabase;
  const folder = useFolder('schemas');
  const schemaOf = (capability: string) => ({ capability, folder: join(folder, capability) });
  const write = async (capability: string, name: string, sql: string) => {
    await mkdir(join(folder, capability, 'migrations'), { recursive: true });
    await writeFile(join(folder, capability, name), sql);
  };
  const run = (...capabilities: string[]) => migrate(database.connection, capabilities.map(schemaOf));
  const tablesThere = async (...names: string[]) => {
    const rows = await database.query(
      'select to_regclass(name) is not null as is_there from unnest($1::text[]) name',
      [names],
    );
    return rows.map((row) => row.is_there);
  };
  const refusalOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);
  beforeAll(async () => {
    database = await testDatabase();
    await database.query('drop schema public cascade; create schema public');
    await write('first', 'schema.sql', 'create table one (id integer)');
    await write('first', 'migrations/0002-more.sql', 'alter table one add column more integer');
    await write('second', 'schema.sql', 'create table two (id integer, more integer default 1)');
    await write('later', 'schema.sql', 'create table three (id integer)');
  });
  afterAll(async () => {
    await database.close();
  });

  it('run each file once, in order, however many nodes start concurrently', async () => {
    const results = await Promise.all([1, 2, 3, 4].map(() => run('first', 'second')));
    const all = ['first/schema.sql', 'first/migrations/0002-more.sql', 'second/schema.sql'];
    expect(results.flatMap(({ applied }) => applied).toSorted()).toEqual(all.toSorted());
    for (const { applied } of results) expect(applied).toEqual(all.filter((name) => applied.includes(name)));
  });

  it('leave no trace of a file that fails', async () => {
    await write('first', 'migrations/0003-third.sql', 'create table half (id integer); select 1 / 0;');
    await expect(run('first', 'second')).rejects.toThrow('division by zero');
    expect(await tablesThere('half')).toEqual([false]);
    await rm(join(folder, 'first/migrations/0003-third.sql'));
  });

  it('of a capability that is added later are applied then, and left alone while the service runs without it', async () => {
    expect(await run('first', 'second', 'later')).toEqual({ applied: ['later/schema.sql'] });
    expect(await run('first', 'second')).toEqual({ applied: [] });
    expect(await tablesThere('one', 'two', 'three')).toEqual([true, true, true]);
  });

  it('are refused where a number is missing', async () => {
    await write('second', 'migrations/0003-gap.sql', 'select 1');
    await expect(run('first', 'second')).rejects.toThrow('second/migrations/0003-gap.sql is out of sequence');
    await rm(join(folder, 'second/migrations/0003-gap.sql'));
  });

  it('of a newer version are refused, and the message says so', async () => {
    await database.query("insert into schema_migrations values ('second', 2, 'x')");
    const refusal = await refusalOf(run('first', 'second'));
    expect(refusal).toBeInstanceOf(SchemaError);
    expect(String(refusal)).toContain('schema 2 of "second", newer than this version');
    await database.query("delete from schema_migrations where capability = 'second' and number = 2");
  });

  it('are refused where they were made by a file that has changed since', async () => {
    await write('second', 'schema.sql', 'create table two (id bigint)');
    await expect(run('first', 'second')).rejects.toThrow('never changed once');
  });

  it('made by a version before the first release are refused with what to do', async () => {
    await database.query('drop table schema_migrations');
    await database.query(
      'create table schema_migrations (number integer primary key, name text, checksum text)',
    );
    const refusal = await refusalOf(run('first'));
    expect(refusal).toBeInstanceOf(SchemaError);
    expect(String(refusal)).toContain('Start with an empty database');
  });
});
