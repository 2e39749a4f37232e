import { type RawBuilder, sql } from 'kysely';

/** Whether a row holds anything else in these columns: a change that changes nothing writes and announces nothing. */
export function differs(values: Readonly<Record<string, unknown>>): RawBuilder<boolean> {
  const columns = Object.entries(values).map(
    ([column, value]) => sql`${sql.ref(column)} is distinct from ${value}`,
  );
  return columns.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(columns, sql` or `)})`;
}
