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
 * @param alias - of the table in the statement
 */
export const ownerRow = (alias: string): RawBuilder<OwnerRow> => sql<OwnerRow>`to_json(${sql.ref(alias)})`;

/** The owner; `null` if there is none, or if the row is not one that the service wrote. */
export function ownerOf(rows: TrustedRows, selected: OwnerRow): HostnameOwner | null {
  if (selected === null) return null;
  const typed = Object.entries(selected).map(([column, value]) => {
    if (value === null) return [column, null];
    if (column === 'mac') return [column, Buffer.from(value.slice('\\x'.length), 'hex')];
    return [column, column.endsWith('_at') ? new Date(value) : value];
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

/** Writes the owner of a hostname, in place of any row that there is. */
export async function writeOwner(
  db: Database | DatabaseTransaction,
  rows: TrustedRows,
  owner: HostnameOwner,
): Promise<void> {
  const { hostname, ...values } = { ...owner, mac: rows.macOf('hostname_owners', owner) };
  await db
    .insertInto('hostname_owners')
    .values({ hostname, ...values })
    .onConflict((conflict) => conflict.column('hostname').doUpdateSet(values))
    .execute();
}
