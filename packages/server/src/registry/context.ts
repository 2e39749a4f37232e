import type { Change } from '../platform/cache/changes.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';

/** What the use cases of the registry stand on. */
export interface Registry {
  readonly db: Database;
  readonly clock: Clock;
  /** Told after each commit, before the caller is answered, so that no copy at this node outlives a change. */
  readonly onChange: (changes: readonly Change[]) => void;
}

export const productChanges = (ids: Iterable<string>): Change[] =>
  Array.from(new Set(ids), (id) => `p:${id}` as const);
