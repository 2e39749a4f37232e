import { ServiceError } from '../errors.ts';

/** Milliseconds to wait for a slot; as long as one fetch may take. */
const MAX_WAIT = 10_000;

/** Bounds how many pages one node fetches at a time, and with that the memory that hostile ones can hold. */
export interface FetchSlots {
  /** @throws ServiceError fetch_budget_spent when no slot gets free in time */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createFetchSlots(size: number): FetchSlots {
  const waiting: (() => void)[] = [];
  let free = size;
  const take = async () => {
    if (free > 0) {
      free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(go), 1);
        reject(new ServiceError('fetch_budget_spent', { retryAfter: MAX_WAIT / 1_000 }));
      }, MAX_WAIT);
      const go = () => {
        clearTimeout(timer);
        resolve();
      };
      waiting.push(go);
    });
  };
  const give = () => {
    const next = waiting.shift();
    // a slot that is handed on is never free in between
    if (next === undefined) free += 1;
    else next();
  };
  return {
    async run(work) {
      await take();
      try {
        return await work();
      } finally {
        give();
      }
    },
  };
}
