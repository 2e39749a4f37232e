import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SCHEMAS } from '../packages/server/src/parts.ts';
import { RELEASED_SCHEMAS } from '../packages/server/src/platform/database/released-schemas.ts';
import {
  readSchemaFiles,
  type SchemaFile,
  type SchemaRelease,
} from '../packages/server/src/platform/database/schema-files.ts';
import { schemaFaults } from '../scripts/schema-lint.ts';

const SCHEMA = `create table cups (id integer, size text);
  create function count_cups() returns bigint language sql as 'select count(*) from cups'`;

function fileOf(number: number, sql: string, capability = 'cups'): SchemaFile {
  const name = `${capability}/${number === 1 ? 'schema.sql' : `migrations/000${number}-x.sql`}`;
  return { capability, number, name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
}

const releaseOf = (version: string, ...files: readonly SchemaFile[]): SchemaRelease => ({
  version,
  files: Object.fromEntries(files.map(({ name, checksum }) => [name, checksum])),
});

/** The faults of the second file, without its name. */
async function faultsOf(sql: string): Promise<string> {
  const schema = fileOf(1, SCHEMA);
  const faults = await schemaFaults([schema, fileOf(2, sql)], [releaseOf('1.0.0', schema)]);
  return faults.map((fault) => fault.replace(/^.*?: /, '')).join('\n');
}

it('the schema files of the service can be applied beside the last release', async () => {
  expect(await schemaFaults(await readSchemaFiles(SCHEMAS), RELEASED_SCHEMAS)).toEqual([]);
});

describe('an expand file', () => {
  it.each([
    'create table mugs (id integer primary key, cup integer unique references mugs, check (id > 0))',
    'create table mugs (id integer); alter table mugs add check (id > 0); create index on mugs (id); insert into mugs values (1)',
    'alter table cups add column colour text',
    "alter table cups add column tags jsonb not null default '[]'::jsonb, add column used boolean default false",
    "create function count_mugs() returns bigint language sql as 'select 1; drop table cups'",
    "create view big_cups as select id from cups where size = 'big'",
  ])('may contain %s', async (sql) => {
    expect(await faultsOf(`-- expand\n${sql}`)).toBe('');
  });

  it.each([
    ['drop table cups', 'DropStmt'],
    ['alter table cups drop column size', 'AT_DropColumn'],
    ['alter table cups rename column size to width', 'RenameStmt'],
    ['alter table cups rename to mugs', 'RenameStmt'],
    ['alter table cups alter column id type bigint', 'AT_AlterColumnType'],
    ['alter table cups alter column size set not null', 'AT_SetNotNull'],
    ['alter table cups add column colour text not null', 'nullable or have a constant default'],
    ['alter table cups add column at timestamptz not null default clock_timestamp()', 'constant default'],
    [
      "alter table cups add column colour text not null default 'red' check (colour <> '')",
      'no further constraint',
    ],
    ['alter table cups add column number bigserial', 'serial'],
    ['alter table cups add column twice integer generated always as (id * 2) stored', 'constant default'],
    ['alter table cups add column number integer generated always as identity', 'constant default'],
    ['alter table cups add constraint positive check (id > 0)', 'contract file'],
    ['alter table cups add constraint positive check (id > 0) not valid', 'contract file'],
    ['create index on cups (size)', 'outside a transaction'],
    ['create index concurrently cups_by_size on cups (size)', 'outside a transaction'],
    ['create trigger t after insert on cups for each row execute function f()', 'a trigger on cups'],
    ["create or replace function count_mugs() returns int language sql as 'select 1'", 'another name'],
    ["create function count_cups(text) returns int language sql as 'select 1'", 'another name'],
    ['lock table cups', 'LockStmt'],
    ["update cups set size = 'big'", 'in batches'],
    ['with old as (select 1) delete from cups', 'in batches'],
    ['insert into cups select * from cups', 'in batches'],
    ['create table mugs as select * from cups', 'CreateTableAsStmt'],
    ['create table mugs () inherits (cups)', 'inherit'],
    ['create table if not exists cups (); create index on cups (id)', 'may exist already'],
    ['truncate cups', 'TruncateStmt'],
    ["do 'begin drop table cups; end'", 'DoStmt'],
    ['select count_cups()', 'SelectStmt'],
    ["set lock_timeout to '1h'", 'VariableSetStmt'],
    ['commit', 'TransactionStmt'],
    ['vacuum full cups', 'VacuumStmt'],
    ['alter table cups alter column size set storage plain, drop column id', 'not permitted'],
  ])('must not contain %s', async (sql, reason) => {
    expect(await faultsOf(`-- expand\n${sql}`)).toContain(reason);
  });

  it('may let a column have further values, by a check in place of the former one', async () => {
    const schema = fileOf(1, "create table cups (id integer, size text check (size in ('big', 'small')))");
    const faults = async (sql: string) =>
      (await schemaFaults([schema, fileOf(2, `-- expand\n${sql}`)], [releaseOf('1.0.0', schema)])).join();
    const replaced = (check: string, name = 'cups_size_check') =>
      `alter table cups drop constraint cups_size_check, add constraint ${name} check (${check}) not valid`;
    expect(await faults(replaced("size in ('big', 'small', 'tiny')"))).toBe('');
    for (const narrower of [
      "size in ('big', 'tiny')",
      "id in ('big', 'small')",
      "size not in ('big', 'small')",
      'id > 0',
    ])
      expect(await faults(replaced(narrower))).toContain('AT_DropConstraint');
    expect(await faults(replaced("size in ('big', 'small', 'tiny')", 'other'))).toContain(
      'AT_DropConstraint',
    );
    expect(await faults('alter table cups drop constraint cups_size_check')).toContain('AT_DropConstraint');
    expect(await faults(replaced("size in ('big', 'small', 'tiny')").replace(' not valid', ''))).toContain(
      'AT_DropConstraint',
    );
  });

  it('builds an index on a table in use by itself, and can be repeated', async () => {
    const create = 'create index concurrently cups_by_size on cups (size);';
    const head = '-- expand, outside a transaction\n';
    const drop = 'drop index concurrently if exists cups_by_size;';
    expect(await faultsOf(head + drop + create)).toBe('');
    const others = [create, drop.replace('by_size', 'by_id') + create, `${drop}${create}drop table cups`];
    for (const other of others) expect(await faultsOf(head + other)).toContain('it must be');
    expect(await faultsOf(head + drop + create.replace('size)', "size) where size = ';'"))).toContain(
      'it must be',
    );
    expect(await faultsOf(head + drop + create.replace('index', 'unique index'))).toContain('contract file');
  });
});

describe('a contract file', () => {
  const expand = fileOf(2, '-- expand\nalter table cups add column colour text');
  const releases = [releaseOf('1.0.0', fileOf(1, SCHEMA)), releaseOf('1.1.0', expand)];
  const contract = async (sql: string, released = releases) =>
    (
      await schemaFaults([fileOf(1, SCHEMA), expand, fileOf(3, `-- contract of 0002\n${sql}`)], released)
    ).join();

  it.each([
    'alter table cups drop column size',
    'drop function count_cups()',
    "create or replace function count_cups() returns bigint language sql as 'select 1'",
    'alter table cups add constraint coloured check (colour is not null) not valid',
    'alter table cups validate constraint coloured',
  ])('may contain %s', async (sql) => {
    expect(await contract(sql)).toBe('');
  });

  it.each([
    ['drop table cups cascade', 'cascade'],
    ['alter table cups rename column size to width', 'RenameStmt'],
    ['alter table cups alter column id type bigint', 'AT_AlterColumnType'],
    ['alter table cups add constraint positive check (id > 0)', 'not valid'],
    [
      'alter table cups add constraint p check (id > 0) not valid; alter table cups validate constraint p',
      'next file',
    ],
    ['alter table cups alter column colour set not null', 'is not null'],
    ["update cups set size = 'big'", 'in batches'],
  ])('must not contain %s', async (sql, reason) => {
    expect(await contract(sql)).toContain(reason);
  });

  it('comes a release after what it contracts', async () => {
    const drop = 'alter table cups drop column size';
    expect(await contract(drop, releases.slice(0, 1))).toContain(
      'file 0002 of its capability is in no earlier release',
    );
    const together = [
      releaseOf('1.0.0', fileOf(1, SCHEMA)),
      releaseOf('1.1.0', expand, fileOf(3, `-- contract of 0002\n${drop}`)),
    ];
    expect(await contract(drop, together)).toContain('no earlier release');
  });
});

it('a file says what it is, and does not change once it is released', async () => {
  const schema = fileOf(1, SCHEMA);
  expect(await faultsOf('alter table cups add column colour text')).toContain('its first line must be');
  const released = [releaseOf('1.0.0', schema)];
  expect(await schemaFaults([fileOf(1, `${SCHEMA} -- better`)], released)).toEqual([
    'cups/schema.sql: was released in 1.0.0, and is changed: write a migration',
  ]);
  expect(await schemaFaults([], released)).toEqual([
    'cups/schema.sql: was released in 1.0.0, and is gone: write a migration',
  ]);
  // a capability that is new to the database of the last release
  const added = fileOf(1, 'create table mugs (id integer); alter table cups drop column size', 'mugs');
  expect(await schemaFaults([schema, added], released)).toEqual([
    'mugs/schema.sql: AT_DropColumn is not permitted in an expand file',
  ]);
});
