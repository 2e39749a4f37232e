import { type RawBuilder, sql } from 'kysely';
import type { Change } from '../platform/cache/changes.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';

/** What the use cases of the registry stand on. */
export interface Registry {
  readonly db: Database;
  readonly clock: Clock;
  /** Called after each commit, before the caller is answered, so that no copy at this node outlives a change. */
  readonly onChange: (changes: readonly Change[]) => void;
  /** Products that one transaction changes at the most; a change of more is followed batch by batch. */
  readonly productsAtOnce?: number;
}

export const productChanges = (ids: Iterable<string>): Change[] =>
  Array.from(new Set(ids), (id) => `p:${id}` as const);

/** Whether a row holds anything else in these columns: a change that changes nothing writes and announces nothing. */
export function differs(values: Readonly<Record<string, unknown>>): RawBuilder<boolean> {
  const columns = Object.entries(values).map(
    ([column, value]) => sql`${sql.ref(column)} is distinct from ${value}`,
  );
  return columns.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(columns, sql` or `)})`;
}

/** One page of a list whose rows were read up to one beyond `limit`: that one says that there are more. */
export function pageOf<Row>(rows: readonly Row[], limit: number, cursorOf: (row: Row) => string) {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, next: rows.length > limit && last !== undefined ? { nextCursor: cursorOf(last) } : {} };
}
