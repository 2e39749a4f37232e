/** `slow`: an answer takes long. `lost`: none comes, and the call is made again. */
export type ConnectionState = 'good' | 'slow' | 'lost';

/** What is known of the way to the service, for whoever shows it. */
export interface Connection {
  state(): ConnectionState;
  subscribe(changed: () => void): () => void;
  /** A call begins; answers what to call when it is over. */
  begin(): { end(): void; lost(): void };
}

/** Milliseconds after which an answer takes long. */
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
