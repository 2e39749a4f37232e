import { type RawBuilder, sql } from 'kysely';
import type { Database, DatabaseTransaction } from './database.ts';
import type { Authenticated, Covered, TrustedRows } from './trusted-rows.ts';

/** The proven owner of a hostname: a row of `hostname_owners` that the service itself has written. */
export type HostnameOwner = Covered<'hostname_owners'>;

/** The whole row of `hostname_owners` as `ownerRow` selects it: JSON by the names of its columns. */
export type OwnerRow = Readonly<Record<string, string | null>> | null;

/**
 * An expression for the row of a left-joined `hostname_owners`, which fits into any statement. To be read by `ownerOf`: that there
 * is such a row proves nothing.
 *
 * Names the columns, since on a distributed database other machines do not know the type of the whole row.
 *
 * @param alias - of the table in the statement
 */
export function ownerRow(alias: string): RawBuilder<OwnerRow> {
  const pairs = COLUMNS.map((name) => sql`${sql.lit(name)}, ${sql.ref(`${alias}.${name}`)}`);
  return sql<OwnerRow>`case when ${sql.ref(`${alias}.hostname`)} is not null then json_build_object(${sql.join(pairs)}) end`;
}

const COLUMNS = [
  'hostname',
  'merchant_id',
  'method',
  'proven_at',
  'confirmed_at',
  'missed_since',
  'check_at',
  'mac',
] as const;
const TIMES: readonly string[] = ['proven_at', 'confirmed_at', 'missed_since', 'check_at'];

/** The owner; `null` if there is none, or if the row is not one that the service wrote. */
export function ownerOf(rows: TrustedRows, selected: OwnerRow): HostnameOwner | null {
  if (selected === null) return null;
  const typed = Object.entries(selected).map(([column, value]) => {
    if (value === null) return [column, null];
    if (column === 'mac') return [column, Buffer.from(value.slice('\\x'.length), 'hex')];
    return [column, TIMES.includes(column) ? new Date(value) : value];
  });
  const row = Object.fromEntries(typed) as Authenticated<'hostname_owners'>;
  return rows.accepts('hostname_owners', row) ? row : null;
}

/** The owner of a hostname now. */
export async function readOwner(
  db: Database | DatabaseTransaction,
  rows: TrustedRows,
  hostname: string,
): Promise<HostnameOwner | null> {
  const row = await db
    .selectFrom('hostname_owners')
    .selectAll()
    .where('hostname', '=', hostname)
    .executeTakeFirst();
  return row !== undefined && rows.accepts('hostname_owners', row) ? row : null;
}

/** The owner by a proof of this time. */
export function provenOwner(
  owner: Pick<HostnameOwner, 'hostname' | 'merchant_id' | 'method'>,
  at: Date,
): HostnameOwner {
  return { ...owner, proven_at: at, confirmed_at: at, missed_since: null };
}

/**
 * Writes the owner of a hostname, in place of any row that there is.
 *
 * @param checkAt - when its challenge is looked for again
 */
export async function writeOwner(
  db: Database | DatabaseTransaction,
  rows: TrustedRows,
  owner: HostnameOwner,
  checkAt: Date,
): Promise<void> {
  const mac = rows.macOf('hostname_owners', owner);
  const { hostname, ...values } = { ...owner, check_at: checkAt, mac };
  await db
    .insertInto('hostname_owners')
    .values({ hostname, ...values })
    .onConflict((conflict) => conflict.column('hostname').doUpdateSet(values))
    .execute();
}

/** Records what a check of the owner found; the hostname and its owner stay the same. */
export async function updateOwner(
  db: Database | DatabaseTransaction,
  rows: TrustedRows,
  owner: HostnameOwner,
  {
    checkAt,
    ...changes
  }: Partial<Pick<HostnameOwner, 'confirmed_at' | 'missed_since'>> & {
    readonly checkAt: Date;
  },
): Promise<void> {
  const changed = { ...owner, ...changes };
  await db
    .updateTable('hostname_owners')
    .set({ ...changes, check_at: checkAt, mac: rows.macOf('hostname_owners', changed) })
    .where('hostname', '=', owner.hostname)
    .execute();
}
