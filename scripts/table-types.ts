import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startEmbeddedPostgres } from '@touchstone/embedded-postgres';
import { type ColumnMetadata, type Kysely, sql } from 'kysely';
import { SCHEMAS } from '../packages/server/src/parts.ts';
import { openDatabase } from '../packages/server/src/platform/database/database.ts';
import { migrate } from '../packages/server/src/platform/database/migrate.ts';

const BIOME = resolve(import.meta.dirname, '../node_modules/.bin/biome');

/** Types that are used by their names; all columns whose checks allow the same values have them. */
const NAMED: Readonly<Record<string, string>> = {
  'stores.platform': 'Platform',
  'hostname_owners.method': 'DomainProofMethod',
  'registry_changes.kind': 'ChangeKind',
  'proofs.kind': 'ProofKind',
};
/** Text columns without a check whose types `column-types.ts` has. */
const NARROWED = ['imports.kind', 'jobs.image_state', 'products.availability', 'store_sources.kind'];

/** As node-postgres reads and writes them. */
const TYPES: Readonly<Record<string, string>> = {
  bool: 'boolean',
  bytea: 'Buffer',
  date: 'ColumnType<Date, string, string>',
  float8: 'number',
  int4: 'number',
  int8: 'string',
  text: 'string',
  timestamptz: 'Date',
  uuid: 'string',
};

/** The module of the tables' types, read from the catalog of a database that is made from the schemas. */
export async function tableTypes(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-tables-'));
  const server = await startEmbeddedPostgres({ folder, name: 'touchstone', durable: false });
  try {
    await migrate(server.connection, SCHEMAS);
    const { db, close } = openDatabase({ connection: server.connection });
    const module = await moduleOf(db).finally(close);
    return execFileSync(BIOME, ['format', '--stdin-file-path=tables.ts'], {
      input: module,
      encoding: 'utf8',
    });
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function moduleOf<Any>(db: Kysely<Any>): Promise<string> {
  const tables = (await db.introspection.getTables()).filter(
    ({ name, isView }) => !isView && name !== 'schema_migrations',
  );
  const unions = await checkedValues(db);
  const named = new Map(Object.entries(NAMED).map(([column, name]) => [unions.get(column), name]));
  const typeOf = (table: string, column: ColumnMetadata) => {
    const name = `${table}.${column.name}`;
    const union = unions.get(name);
    if (NARROWED.includes(name)) return `ColumnTypes['${name}']`;
    if (union !== undefined) return named.get(union) ?? union;
    const [, array, type = ''] = /^(_?)(.*)$/.exec(column.dataType) ?? [];
    const found = TYPES[type];
    if (found === undefined) throw new Error(`Column ${name}: no type is known for ${column.dataType}.`);
    return array === '_' ? `${found}[]` : found;
  };
  const line = (table: string, column: ColumnMetadata) => {
    const [orNull, orAbsent] = [
      column.isNullable ? ' | null' : '',
      column.hasDefaultValue ? ' | undefined' : '',
    ];
    if (column.dataType === 'jsonb') {
      const written = `string${orNull}`;
      return `JSONColumnType<ColumnTypes['${table}.${column.name}']${orNull}, ${written}${orAbsent}, ${written}>`;
    }
    const type = `${typeOf(table, column)}${orNull}`;
    if (column.isAutoIncrementing) return `GeneratedAlways<${type}>`;
    return column.hasDefaultValue ? `Generated<${type}>` : type;
  };
  return [
    '// Generated from the schemas by `npm run docs`; do not edit. What tables and columns mean is said in the schema.sql of each folder.',
    "import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely';",
    "import type { ColumnTypes } from './column-types.ts';",
    ...[...named].map(([union, name]) => `\nexport type ${name} = ${union};`),
    '\n/** All tables, as kysely sees them. */',
    'export interface Tables {',
    ...tables.map(({ name }) => `${name}: ${interfaceOf(name)};`),
    '}',
    ...tables.flatMap(({ name, columns }) => [
      `\nexport interface ${interfaceOf(name)} {`,
      ...columns.map((column) => `${column.name}: ${line(name, column)};`),
      '}',
    ]),
    '',
  ].join('\n');
}

const interfaceOf = (table: string) =>
  `${table.replaceAll(/(?:^|_)(.)/g, (_, first) => first.toUpperCase())}Table`;

/** The values that a check allows, as a union, by `table.column`. */
async function checkedValues<Any>(db: Kysely<Any>): Promise<Map<string, string>> {
  const { rows } = await sql<{ table: string; check: string }>`
    select conrelid::regclass::text as table, pg_get_constraintdef(oid) as check from pg_constraint where contype = 'c'`.execute(
    db,
  );
  return new Map(
    rows.flatMap(({ table, check }) => {
      const [, column, values = ''] = /^CHECK \(\((\w+) = ANY \(ARRAY\[(.*)\]\)\)\)$/.exec(check) ?? [];
      const union = values.replaceAll("'::text", "'").replaceAll(', ', ' | ');
      return column === undefined ? [] : [[`${table}.${column}`, union] as const];
    }),
  );
}
