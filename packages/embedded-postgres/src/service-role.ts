import pg from 'pg';

/** All objects in the database that the superuser owns, with the keyword for `alter … owner to`. */
const OWNED = `
  select format('schema %I', nspname) as object from pg_namespace
    where nspowner = $1::regrole and nspname !~ '^pg_' and nspname <> 'information_schema'
  union all
  select format('%s %s', case relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view'
      else 'table' end, c.oid::regclass)
    from pg_class c join pg_namespace n on n.oid = relnamespace
    where relowner = $1::regrole and relkind in ('r', 'p', 'S', 'v', 'm') and nspname !~ '^pg_'
      and nspname <> 'information_schema'
      -- sequences of columns go with their table
      and not exists (select from pg_depend where objid = c.oid and deptype in ('a', 'i') and refclassid = 'pg_class'::regclass)
  union all
  select format('routine %s', p.oid::regprocedure) from pg_proc p join pg_namespace n on n.oid = pronamespace
    where proowner = $1::regrole and nspname !~ '^pg_' and nspname <> 'information_schema'
  union all
  select format('type %s', t.oid::regtype) from pg_type t join pg_namespace n on n.oid = typnamespace
    where typowner = $1::regrole and typtype in ('e', 'd', 'r') and nspname !~ '^pg_' and nspname <> 'information_schema'`;

export interface ServiceRole {
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/**
 * Ensures that the database exists and belongs, with all its objects, to a role without other rights: an SQL injection could then neither
 * read files, nor start programs, nor change the server. A database owned by the superuser, as earlier versions created it, is transferred.
 *
 * @param admin - connects as the superuser, to any database
 */
export async function ensureServiceRole(
  admin: pg.ClientConfig,
  { user: role, password, database }: ServiceRole,
): Promise<void> {
  const name = pg.escapeIdentifier(role);
  await withClient({ ...admin, database: 'postgres' }, async (client) => {
    const known = await client.query('select 1 from pg_roles where rolname = $1', [role]);
    const verb = known.rowCount === 0 ? 'create' : 'alter';
    await client.query(
      `${verb} role ${name} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls
       password ${pg.escapeLiteral(password)}`,
    );
    const found = await client.query('select 1 from pg_database where datname = $1', [database]);
    const its = pg.escapeIdentifier(database);
    if (found.rowCount === 0) await client.query(`create database ${its} owner ${name}`);
    else await client.query(`alter database ${its} owner to ${name}`);
  });
  await withClient({ ...admin, database }, (client) => handOver(client, String(admin.user), name));
}

/** In one transaction: if the start is killed, either all objects have been transferred or none. */
async function handOver(client: pg.Client, from: string, to: string): Promise<void> {
  await client.query('begin');
  const { rows } = await client.query<{ object: string }>(OWNED, [pg.escapeIdentifier(from)]);
  for (const { object } of rows) await client.query(`alter ${object} owner to ${to}`);
  await client.query('commit');
}

async function withClient(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}
