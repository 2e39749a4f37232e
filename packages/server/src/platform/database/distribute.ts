import pg from 'pg';
import { StartError } from '../lifecycle/start-error.ts';
import type { Connection } from './database.ts';
import { asServiceError } from './database-fault.ts';
import { GLOBAL_TABLES, placingColumn } from './placement.ts';

export interface Distribution {
  /** What was run, or would be: nothing where all is in its place. */
  readonly statements: readonly string[];
  /** Tables that stay on the coordinator, with the reason. */
  readonly local: Readonly<Record<string, string>>;
}

/**
 * Places the tables of merchants on a Citus cluster, by merchant, and leaves all others on its coordinator. Tables that are
 * in their place are left alone, so it may be run again after an interruption or an upgrade. Statements run one by one, each
 * in its own transaction: a table is locked while its rows are copied.
 *
 * @param connection - of the coordinator, as a user who owns the tables
 * @param isTrial - changes nothing
 * @throws StartError where the database has no tables of the service, or no Citus
 */
export async function distribute(connection: Connection, isTrial: boolean): Promise<Distribution> {
  // no timeouts: a table of millions of rows takes minutes
  const client = new pg.Client({ ...connection, application_name: 'touchstone distribute' });
  client.on('error', () => {}); // reported by the statement that fails
  try {
    await client.connect();
    const query: Query = async (sql) => (await client.query(sql)).rows;
    await assertCitus(query);
    const tables = await readTables(query);
    const statements = statementsFor(tables, await readPlaced(query), await readFunctions(query));
    if (!isTrial) for (const statement of statements) await query(statement);
    const names = tables.map(({ name }) => name);
    const local = Object.fromEntries(Object.entries(GLOBAL_TABLES).filter(([name]) => names.includes(name)));
    return { statements, local };
  } catch (error) {
    throw asServiceError(error);
  } finally {
    await client.end().catch(() => {});
  }
}

async function assertCitus(query: Query): Promise<void> {
  const extensions = await query("select from pg_extension where extname = 'citus'");
  if (extensions.length === 1) return;
  throw new StartError(
    'This database has no Citus. On the coordinator, run `create extension citus`, and add the workers with ' +
      '`citus_set_coordinator_host` and `citus_add_node`.',
  );
}

type Query = <Row extends pg.QueryResultRow>(sql: string) => Promise<Row[]>;

interface Table {
  readonly name: string;
  /** Here: where it has been placed, these are the rows that were copied. */
  readonly hasRows: boolean;
  readonly hasTriggers: boolean;
  /** Tables that its foreign keys refer to. */
  readonly refersTo: readonly string[];
}

/** The tables of the service; for tests. */
export async function readTables(query: Query): Promise<readonly Table[]> {
  const rows = await query<Table>(`
    select c.relname as name, pg_relation_size(c.oid) > 0 as "hasRows",
      exists (select from pg_trigger where tgrelid = c.oid and not tgisinternal) as "hasTriggers",
      array(select distinct t.relname::text from pg_constraint f join pg_class t on t.oid = f.confrelid
        where f.contype = 'f' and f.conrelid = c.oid and f.confrelid <> c.oid) as "refersTo"
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and not exists (select from pg_depend where objid = c.oid and deptype = 'e')
    order by c.relname`);
  if (!rows.some(({ name }) => name === 'merchants'))
    throw new StartError('This database has no tables of the service. Start the service on it once.');
  return rows;
}

async function readPlaced(query: Query): Promise<readonly string[]> {
  const rows = await query<{ name: string }>(
    'select relname::text as name from pg_dist_partition join pg_class on pg_class.oid = logicalrelid',
  );
  return rows.map(({ name }) => name);
}

/** Functions that statements call on rows of merchants, where these lie: those of their arguments alone. */
async function readFunctions(query: Query): Promise<readonly string[]> {
  const rows = await query<{ signature: string }>(`
    select p.oid::regprocedure::text as signature
    from pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace = 'public'::regnamespace and l.lanname = 'sql' and p.provolatile = 'i'
      and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
      and not exists (select from pg_catalog.pg_dist_object where objid = p.oid and classid = 'pg_proc'::regclass)
    order by p.oid`);
  return rows.map(({ signature }) => signature);
}

/** For tests. */
export function statementsFor(
  tables: readonly Table[],
  placed: readonly string[],
  functions: readonly string[],
): string[] {
  const ofMerchants = referredFirst(tables.filter(({ name }) => !(name in GLOBAL_TABLES)));
  const toPlace = ofMerchants.filter(({ name }) => !placed.includes(name));
  return [
    // the one trigger of a merchant's table changes nothing but the row itself, so it may run where the row lies
    ...(toPlace.some(({ hasTriggers }) => hasTriggers) ? ['set citus.enable_unsafe_triggers to on'] : []),
    ...functions.map((signature) => `select create_distributed_function('${signature}')`),
    ...toPlace.map(({ name }) => {
      const colocation = name === 'merchants' ? '' : ", colocate_with => 'merchants'";
      return `select create_distributed_table('${name}', '${placingColumn(name)}'${colocation})`;
    }),
    ...ofMerchants
      .filter(({ hasRows }) => hasRows)
      .map(({ name }) => `select truncate_local_data_after_distributing_table('${name}')`),
  ];
}

/** A foreign key can only refer to a table that has its place. */
function referredFirst(tables: readonly Table[]): readonly Table[] {
  const ordered = new Set<Table>();
  const add = (table: Table) => {
    for (const other of tables) if (table.refersTo.includes(other.name)) add(other);
    ordered.add(table);
  };
  const first = tables.filter(({ name }) => name === 'merchants');
  for (const table of [...first, ...tables]) add(table);
  return [...ordered];
}
