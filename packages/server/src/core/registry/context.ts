import { type RawBuilder, sql } from 'kysely';
import type { Change } from '../../platform/cache/changes.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import type { Emit } from './events.ts';
import type { ProductLimits } from './product-limits.ts';

/** Dependencies of the use cases of the registry. */
export interface Registry {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: DatabaseSecrets;
  /** Called after each commit, before the caller is answered, so that this node uses no outdated copy. */
  readonly onChange: (changes: readonly Change[]) => void;
  /** Has everything follow, in the transaction, what happens in the registry. */
  readonly emit: Emit;
  /** How many products there may be; absent: the defaults of the settings. */
  readonly limits?: ProductLimits;
  /** Products that one transaction changes at most; larger changes are made in batches. */
  readonly productsAtOnce?: number;
}

export const productChanges = (ids: Iterable<string>): Change[] =>
  Array.from(new Set(ids), (id) => `p:${id}` as const);

/** Whether a row has other values in these columns; a change that changes nothing writes and announces nothing. */
export function differs(values: Readonly<Record<string, unknown>>): RawBuilder<boolean> {
  const columns = Object.entries(values).map(
    ([column, value]) => sql`${sql.ref(column)} is distinct from ${value}`,
  );
  return columns.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(columns, sql` or `)})`;
}

/** One page of a list: `limit + 1` rows were read, and the last one only shows that there are more. */
export function pageOf<Row>(rows: readonly Row[], limit: number, cursorOf: (row: Row) => string) {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, next: rows.length > limit && last !== undefined ? { nextCursor: cursorOf(last) } : {} };
}
