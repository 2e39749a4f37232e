import { ServiceError } from '../platform/errors.ts';

/** Seconds; most work takes far less, so permits are free again soon. */
const RETRY_AFTER = 5;

/** Bounds how much work is under way at a time, for each key on its own, in the order of asking. */
export interface Permits {
  /** @throws ServiceError fetch_budget_spent when `deadline` passes before a permit is free */
  run<T>(key: string, deadline: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** @param size - permits for each key */
export function createPermits(size: number): Permits {
  const keys = new Map<string, { taken: number; readonly waiting: Set<() => void> }>();

  const take = async (key: string, deadline: AbortSignal): Promise<void> => {
    const { taken, waiting } = keys.get(key) ?? { taken: 0, waiting: new Set() };
    if (taken < size) {
      keys.set(key, { taken: taken + 1, waiting });
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const tooLate = () => reject(new ServiceError('fetch_budget_spent', { retryAfter: RETRY_AFTER }));
    if (deadline.aborted) tooLate();
    waiting.add(resolve);
    deadline.addEventListener('abort', tooLate, { once: true });
    await promise.finally(() => {
      waiting.delete(resolve);
      deadline.removeEventListener('abort', tooLate);
    });
  };

  const give = (key: string): void => {
    const held = keys.get(key);
    const [next] = held?.waiting ?? [];
    if (held === undefined) return;
    if (next !== undefined) {
      // handed on, never free in between
      held.waiting.delete(next);
      next();
    } else if (held.taken === 1) keys.delete(key);
    else held.taken -= 1;
  };

  return {
    async run(key, deadline, work) {
      await take(key, deadline);
      try {
        return await work();
      } finally {
        give(key);
      }
    },
  };
}
