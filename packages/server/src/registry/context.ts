import { type RawBuilder, sql } from 'kysely';
import type { Change } from '../platform/cache/changes.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Identity } from '../platform/http/operation.ts';

/** What the use cases of the registry stand on. */
export interface Registry {
  readonly db: Database;
  readonly clock: Clock;
  /** Called after each commit, before the caller is answered, so that no copy at this node outlives a change. */
  readonly onChange: (changes: readonly Change[]) => void;
}

/** Whose records a caller may see: everyone's, or one merchant's. What is out of scope does not exist. */
export type Scope = 'all' | { readonly merchantId: string };

export function scopeOf(identity: Identity | null): Scope {
  if (identity === null) throw new ServiceError('credentials_missing');
  return identity.role === 'operator' ? 'all' : { merchantId: identity.merchantId };
}

export function inScope(scope: Scope, merchantId: string): boolean {
  return scope === 'all' || scope.merchantId === merchantId;
}

/** Refuses what only an operator may do. */
export function requireOperator(scope: Scope, what: string): void {
  if (scope !== 'all') {
    throw new ServiceError('forbidden', { message: `Only an operator's key may ${what}.` });
  }
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
