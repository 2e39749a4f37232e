/** `slow`: a response takes long. `lost`: there was none, and the call is retried. */
type ConnectionState = 'good' | 'slow' | 'lost';

/** State of the connection to the service. */
export interface Connection {
  state(): ConnectionState;
  subscribe(changed: () => void): () => void;
  /** Registers the start of a call; returns functions for its end and for a lost connection. */
  begin(): { end(): void; lost(): void };
}

/** Milliseconds after which a response counts as slow. */
const SLOW_AFTER = 4_000;

export function createConnection(): Connection {
  const listeners = new Set<() => void>();
  const calls = new Map<symbol, ConnectionState>();
  let current: ConnectionState = 'good';
  const settle = () => {
    const states = new Set(calls.values());
    const next = states.has('lost') ? 'lost' : states.has('slow') ? 'slow' : 'good';
    if (next === current) return;
    current = next;
    for (const changed of listeners) changed();
  };
  return {
    state: () => current,
    subscribe(changed) {
      listeners.add(changed);
      return () => void listeners.delete(changed);
    },
    begin() {
      const call = Symbol('call');
      const set = (state: ConnectionState) => {
        calls.set(call, state);
        settle();
      };
      calls.set(call, 'good');
      const timer = setTimeout(() => calls.get(call) === 'good' && set('slow'), SLOW_AFTER);
      return {
        lost: () => set('lost'),
        end() {
          clearTimeout(timer);
          calls.delete(call);
          settle();
        },
      };
    },
  };
}
