/**
 * A change that can affect a public answer, as announced by its writer (`announce`): a product, a store, a merchant or a signing key, by
 * id (`k:*`: any key), the owner of a hostname, or a status list. `*`: anything may have changed. `unheard`: from now on changes may be
 * missed, until `heard`, when anything may have changed.
 */
export type Change =
  | `p:${string}`
  | `s:${string}`
  | `m:${string}`
  | `k:${string}`
  | `h:${string}`
  | `l:${string}`
  | '*'
  | 'unheard'
  | 'heard';

/** Announces changes to caches: those of this node at once, those of other nodes through the database. */
export interface ChangeHub {
  /** @returns a function that ends the subscription */
  subscribe(listener: (change: Change) => void): () => void;
  publish(change: Change): void;
  /**
   * A transaction of this node that makes these changes is being written: until it has ended, nobody knows whether they were made.
   *
   * @returns a function to call when it has ended, whatever came of it; it publishes the changes
   */
  begin(changes: readonly Change[]): () => void;
  /** Changes that were begun and have not ended. */
  readonly begun: ReadonlyMap<Change, number>;
}

export function createChangeHub(): ChangeHub {
  const listeners = new Set<(change: Change) => void>();
  const begun = new Map<Change, number>();
  const publish = (change: Change) => {
    for (const listener of listeners) listener(change);
  };
  return {
    begun,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    publish,
    begin(changes) {
      for (const change of changes) begun.set(change, (begun.get(change) ?? 0) + 1);
      return () => {
        for (const change of changes) {
          const others = (begun.get(change) ?? 1) - 1;
          if (others === 0) begun.delete(change);
          else begun.set(change, others);
          publish(change);
        }
      };
    },
  };
}

/** What a statement of this version announces that is given these texts, among others: ids and keys are none. */
export function announcedIn(texts: readonly string[]): Change[] {
  return texts.filter((text) => /^(?:ps|[psmkhl]):.|^\*$/.test(text)).flatMap(changesOf);
}

/** Reads the payload of a notification; an unknown one, from another version, may mean any change. */
export function changesOf(payload = ''): Change[] {
  if (/^ps:./.test(payload)) return Array.from(payload.slice(3).split(','), (id) => `p:${id}` as const);
  return [/^[psmkhl]:./.test(payload) ? (payload as Change) : '*'];
}
