import { ServiceError } from '../errors.ts';

/** Seconds; most pages take far less, so slots are free again soon. */
const RETRY_AFTER = 5;

/** Shares of all slots that one caller and one host can hold. */
const CALLER_SHARE = 1 / 3;
const HOST_SHARE = 1 / 8;

export interface SlotOwner {
  readonly caller: string;
  readonly host: string;
}

/**
 * Bounds how many pages one node fetches at a time, and with that the memory that hostile ones can hold. Neither a
 * caller nor a host gets more than its share, so that slow pages keep nobody waiting but those who ask for them.
 */
export interface FetchSlots {
  /** @throws ServiceError fetch_budget_spent when no slot gets free in time */
  run<T>(owner: SlotOwner, work: () => Promise<T>): Promise<T>;
}

/** @param maxWait - milliseconds to wait for a slot; as long as one fetch may take, unless told */
export function createFetchSlots(size: number, maxWait = 10_000): FetchSlots {
  const callers = createSlots(Math.ceil(size * CALLER_SHARE));
  const hosts = createSlots(Math.ceil(size * HOST_SHARE));
  const all = createSlots(size);
  return {
    async run({ caller, host }, work) {
      const deadline = AbortSignal.timeout(maxWait);
      // always in this order, so that nobody holds what another waits for in turn; the one that all share comes last
      const inAll = () => all.run('', deadline, work);
      const atHost = () => hosts.run(host, deadline, inAll);
      return await callers.run(caller, deadline, atHost);
    },
  };
}

interface Slots {
  run<T>(key: string, deadline: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** `size` slots for each key, given in the order of asking. */
function createSlots(size: number): Slots {
  const lines = new Map<string, { taken: number; waiting: Set<() => void> }>();
  const take = async (key: string, deadline: AbortSignal) => {
    const line = lines.get(key) ?? { taken: 0, waiting: new Set() };
    lines.set(key, line);
    if (line.taken < size) {
      line.taken += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const tooLate = () => {
        line.waiting.delete(go);
        reject(new ServiceError('fetch_budget_spent', { retryAfter: RETRY_AFTER }));
      };
      const go = () => {
        deadline.removeEventListener('abort', tooLate);
        resolve();
      };
      line.waiting.add(go);
      deadline.addEventListener('abort', tooLate, { once: true });
      if (deadline.aborted) tooLate();
    });
  };
  const give = (key: string) => {
    const line = lines.get(key);
    if (line === undefined) return;
    const [next] = line.waiting;
    if (next !== undefined) {
      // handed on, never free in between
      line.waiting.delete(next);
      next();
      return;
    }
    line.taken -= 1;
    if (line.taken === 0) lines.delete(key);
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
