import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useFolder } from '../../../../../test/kit/folder.ts';
import { type MigrateOptions, migrate, SchemaError } from './migrate.ts';
import type { Releases } from './releases.ts';
import { type TestDatabase, testDatabase } from './testing.ts';

describe.each(['advisory', 'rows'] as const)('schemas, locked by %s,', (locksBy) => {
  let database: TestDatabase;
  const folder = useFolder('schemas');
  const schemaOf = (capability: string) => ({ capability, folder: join(folder, capability) });
  const write = async (capability: string, name: string, sql: string) => {
    await mkdir(join(folder, capability, 'migrations'), { recursive: true });
    await writeFile(join(folder, capability, name), sql);
  };
  const run = (...capabilities: string[]) =>
    migrate(database.connection, capabilities.map(schemaOf), { locksBy });
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
    expect(results.map(({ applied }) => [...applied]).toSorted((a, b) => a.length - b.length)).toEqual([
      [],
      [],
      [],
      all,
    ]);
  });

  it('leave no trace of a file that fails', async () => {
    await write('first', 'migrations/0003-third.sql', 'create table half (id integer); select 1 / 0;');
    await expect(run('first', 'second')).rejects.toThrow('division by zero');
    expect(await tablesThere('half')).toEqual([false]);
    await rm(join(folder, 'first/migrations/0003-third.sql'));
  });

  it('of a capability that is added later are applied then, and left alone while the service runs without it', async () => {
    expect((await run('first', 'second', 'later')).applied).toEqual(['later/schema.sql']);
    expect(await run('first', 'second')).toEqual({ applied: [], newer: ['later 1'] });
    expect(await tablesThere('one', 'two', 'three')).toEqual([true, true, true]);
  });

  it('are refused where a number is missing', async () => {
    await write('second', 'migrations/0003-gap.sql', 'select 1');
    await expect(run('first', 'second')).rejects.toThrow('second/migrations/0003-gap.sql is out of sequence');
    await rm(join(folder, 'second/migrations/0003-gap.sql'));
  });

  it('of a newer version are refused, and the message says so', async () => {
    await database.query(
      "insert into schema_migrations (capability, number, checksum) values ('second', 2, 'x')",
    );
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

describe.each(['advisory', 'rows'] as const)('releases on one database, locked by %s:', (locksBy) => {
  let database: TestDatabase;
  const folder = useFolder('releases');
  const names = ['schema.sql', 'migrations/0002-colour.sql', 'migrations/0003-size.sql'];
  /** The files of a release: 1.0.0 has the first, 1.1.0 two, 1.2.0 all. */
  const FILES = [
    'create table cups (id integer, size text)',
    '-- expand\nalter table cups add column colour text',
    '-- contract of 0002\nalter table cups drop column size',
  ];
  const releaseOf = (minor: number) => ({
    version: `1.${minor}.0`,
    files: { [`cups/${names[minor]}`]: 'as recorded' },
  });
  const releasesOf = (minor: number): Releases => ({
    version: `1.${minor}.0`,
    schemas: [releaseOf(0), releaseOf(1), releaseOf(2)].slice(0, minor + 1),
  });
  const schemaOf = (minor: number) => ({ capability: 'cups', folder: join(folder, `1.${minor}.0`) });
  const start = (minor: number, options: MigrateOptions = {}) =>
    migrate(database.connection, [schemaOf(minor)], { releases: releasesOf(minor), locksBy, ...options });
  const heartbeat = (version: string, secondsAgo: number) =>
    database.query(
      `insert into nodes (id, version, processes, started_at, seen_at, problems)
        values (gen_random_uuid(), $1, 1, now(), now() - make_interval(secs => $2), '[]')`,
      [version, secondsAgo],
    );
  beforeAll(async () => {
    database = await testDatabase();
    // with none of the service's own files
    await database.query('delete from schema_migrations');
    for (const minor of [0, 1, 2]) {
      await mkdir(join(schemaOf(minor).folder, 'migrations'), { recursive: true });
      for (const nth of [0, 1, 2].slice(0, minor + 1))
        await writeFile(join(schemaOf(minor).folder, names[nth] ?? ''), FILES[nth] ?? '');
    }
  });
  afterAll(() => database.close());

  it('a release runs on the schema of the next one, forward and back', async () => {
    expect((await start(0)).applied).toEqual(['cups/schema.sql']);
    expect(await start(1)).toEqual({ applied: ['cups/migrations/0002-colour.sql'], newer: [] });
    expect(await start(0)).toEqual({ applied: [], newer: ['cups 2'] });
    expect(await start(1)).toEqual({ applied: [], newer: [] });
  });

  it('the schema of a release is refused while nodes of the one before the last are running', async () => {
    await heartbeat('1.0.0', 20);
    const refusal = await start(2).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(SchemaError);
    expect(String(refusal)).toContain(
      'Nodes of 1.0.0 are running on this database, and do not run with the schema of 1.2.0. Replace them by 1.1.0 first',
    );
    await database.query('delete from nodes');
  });

  it('and applied beside nodes of the last release, and those that have been silent for a minute', async () => {
    await heartbeat('1.1.0', 1);
    await heartbeat('1.0.0', 61);
    expect((await start(2)).applied).toEqual(['cups/migrations/0003-size.sql']);
  });

  it('a release two behind is refused, and told which version to start', async () => {
    expect((await start(1)).newer).toEqual(['cups 3']);
    const refusal = await start(0).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(SchemaError);
    expect(String(refusal)).toContain('1.1.0 is the oldest version that runs; this is 1.0.0. Start 1.1.0');
    // a database that was new to the newer release is no different
    await database.query('drop table cups, schema_migrations');
    await start(2);
    await expect(start(0)).rejects.toThrow('Start 1.1.0');
    expect((await start(1)).newer).toEqual(['cups 3']);
  });

  it('a file that cannot lock its table lets other statements through, and is tried again', async () => {
    await database.query('drop table cups, schema_migrations');
    await start(0);
    const holder = new pg.Client(database.connection);
    await holder.connect();
    await holder.query('begin; select from cups');
    const waited = Promise.withResolvers<string>();
    const started = start(1, { onLocked: waited.resolve });
    // queues behind the file, which waits for the holder
    await expect
      .poll(() =>
        database.query(
          "select from pg_stat_activity where query like '%colour%' and wait_event_type = 'Lock'",
        ),
      )
      .toHaveLength(1);
    await database.query("insert into cups values (1, 'big')");
    expect(await waited.promise).toBe('cups/migrations/0002-colour.sql');
    await holder.query('commit');
    await holder.end();
    expect((await started).applied).toEqual(['cups/migrations/0002-colour.sql']);
  });

  it('an index is built concurrently, again after an attempt that failed, while other nodes wait to start', async () => {
    const sql = `-- expand, outside a transaction
      drop index concurrently if exists cups_by_colour;
      create index concurrently cups_by_colour on cups (colour);`;
    await writeFile(join(schemaOf(1).folder, 'migrations/0003-index.sql'), sql);
    await database.query('create index cups_by_colour on cups (id)');
    const holder = new pg.Client(database.connection);
    await holder.connect();
    await holder.query("begin; insert into cups values (2, 'small')");
    const started = Promise.all([start(1), start(1), start(1)]);
    await expect
      .poll(() =>
        database.query(
          "select from pg_stat_activity where query like '%concurrently%' and wait_event_type = 'Lock'",
        ),
      )
      .toHaveLength(1);
    await holder.query('commit');
    await holder.end();
    const applied = (await started).flatMap((each) => [...each.applied]);
    expect(applied).toEqual(['cups/migrations/0003-index.sql']);
    const [index] = await database.query("select pg_get_indexdef('cups_by_colour'::regclass) as is");
    expect(index?.is).toContain('(colour)');
  });
});
