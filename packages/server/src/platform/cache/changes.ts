/**
 * A change that can affect a public answer, as announced by its writer (`announce`): a product, a store, a merchant or a signing key, by
 * id (`k:*`: any key), or the owner of a hostname. `*`: anything may have changed.
 */
export type Change = `p:${string}` | `s:${string}` | `m:${string}` | `k:${string}` | `h:${string}` | '*';

/** Announces changes to caches: those of this node at once, those of other nodes through the database. */
export interface ChangeHub {
  /** @returns a function that ends the subscription */
  subscribe(listener: (change: Change) => void): () => void;
  publish(change: Change): void;
}

export function createChangeHub(): ChangeHub {
  const listeners = new Set<(change: Change) => void>();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    publish(change) {
      for (const listener of listeners) listener(change);
    },
  };
}

/** Reads the payload of a notification; an unknown one, from another version, may mean any change. */
export function changesOf(payload = ''): Change[] {
  if (/^ps:./.test(payload)) return Array.from(payload.slice(3).split(','), (id) => `p:${id}` as const);
  return [/^[psmkh]:./.test(payload) ? (payload as Change) : '*'];
}
