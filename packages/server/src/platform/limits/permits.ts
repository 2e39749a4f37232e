import type { ErrorCode } from '@touchstone/contract';
import { ServiceError } from '../errors.ts';

/** Seconds; most work takes far less, so permits are soon free again. */
const RETRY_AFTER = 5;

/** Limits concurrent work, for each key separately, in the order of requests. */
export interface Permits {
  /**
   * @returns a function that releases the permit, to be called once
   * @throws ServiceError of the permits' code if no permit is free before `deadline`
   */
  take(key: string, deadline: AbortSignal): Promise<() => void>;
  /** Holds a permit during the work. */
  run<T>(key: string, deadline: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/**
 * @param size - permits for each key
 * @param refusal - the code of the error after `deadline`
 */
export function createPermits(size: number, refusal: ErrorCode = 'fetch_budget_spent'): Permits {
  const keys = new Map<string, { taken: number; readonly waiting: Set<() => void> }>();

  const take = async (key: string, deadline: AbortSignal): Promise<() => void> => {
    const held = keys.get(key) ?? { taken: 0, waiting: new Set() };
    keys.set(key, held);
    if (held.taken < size) held.taken += 1;
    else await waitIn(held.waiting, deadline, refusal);
    return () => {
      const [next] = held.waiting;
      // passed on directly, so that no other caller can take it in between
      if (next !== undefined) next();
      else if (held.taken === 1) keys.delete(key);
      else held.taken -= 1;
    };
  };

  return {
    take,
    async run(key, deadline, work) {
      const release = await take(key, deadline);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}

async function waitIn(waiting: Set<() => void>, deadline: AbortSignal, refusal: ErrorCode): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const go = () => {
      leave();
      resolve();
    };
    const tooLate = () => {
      leave();
      reject(new ServiceError(refusal, { retryAfter: RETRY_AFTER }));
    };
    const leave = () => {
      waiting.delete(go);
      deadline.removeEventListener('abort', tooLate);
    };
    waiting.add(go);
    deadline.addEventListener('abort', tooLate, { once: true });
    if (deadline.aborted) tooLate();
  });
}
