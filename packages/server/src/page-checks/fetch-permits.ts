import { networkOf, type Turn } from '@touchstone/page/fetch';
import { ServiceError } from '../platform/errors.ts';

/** Seconds; most pages take far less, so slots are free again soon. */
const RETRY_AFTER = 5;

/** Shares of all slots that one caller, the callers of one network, one host and the hosts of one network can hold. */
const CALLER_SHARE = 1 / 6;
const CALLER_NETWORK_SHARE = 1 / 4;
const HOST_SHARE = 1 / 8;
const HOST_NETWORK_SHARE = 1 / 4;

export interface SlotOwner {
  /** As decision 18 tells callers apart. */
  readonly caller: string;
  readonly host: string;
}

/**
 * Bounds how many pages one node fetches at a time, and with that the memory that hostile ones can hold. Neither a
 * caller nor a host gets more than its share, nor a network of either, so that slow pages keep nobody waiting but those
 * who ask for them: names and addresses of one network cost nothing, so they are counted together.
 */
export interface FetchSlots {
  /**
   * @param work - gets a slot by asking for its `turn`, and keeps it until the work is done or asks for another
   * @throws ServiceError fetch_budget_spent when no slot gets free in time
   */
  run<T>(owner: SlotOwner, work: (turn: Turn) => Promise<T>): Promise<T>;
}

/** @param maxWait - milliseconds to wait for a slot; as long as one fetch may take, unless told */
export function createFetchSlots(size: number, maxWait = 10_000): FetchSlots {
  const callers = createSlots(size * CALLER_SHARE);
  const callerNetworks = createSlots(size * CALLER_NETWORK_SHARE);
  const hosts = createSlots(size * HOST_SHARE);
  const hostNetworks = createSlots(size * HOST_NETWORK_SHARE);
  const all = createSlots(size);
  return {
    async run({ caller, host }, work) {
      // always in this order, so that nobody holds what another waits for in turn; the one that all share comes last
      const asked = createHold();
      const slot = createHold();
      const turn = async (network: string, signal: AbortSignal) => {
        slot.giveBack();
        const deadline = AbortSignal.any([signal, AbortSignal.timeout(maxWait)]);
        await slot.take(hostNetworks, network, deadline);
        await slot.take(all, '', deadline);
      };
      try {
        const deadline = AbortSignal.timeout(maxWait);
        await asked.take(callers, caller, deadline);
        await asked.take(callerNetworks, networkOfCaller(caller), deadline);
        await asked.take(hosts, host, deadline);
        return await work(turn);
      } finally {
        slot.giveBack();
        asked.giveBack();
      }
    },
  };
}

/** The network of a caller known by its address; a caller with a key stands for itself. */
export function networkOfCaller(caller: string): string {
  const address = /^ip:([\d.]+|[\da-f:]+::)(?:\/64)?$/.exec(caller)?.[1];
  return address === undefined ? caller : `ip:${networkOf(address)}`;
}

/** What one piece of work holds of several lines. */
function createHold() {
  const held: (() => void)[] = [];
  return {
    async take(slots: Slots, key: string, deadline: AbortSignal): Promise<void> {
      await slots.take(key, deadline);
      held.push(() => slots.give(key));
    },
    giveBack(): void {
      for (const give of held.splice(0).toReversed()) give();
    },
  };
}

interface Slots {
  /** @throws ServiceError fetch_budget_spent when `deadline` passes first */
  take(key: string, deadline: AbortSignal): Promise<void>;
  give(key: string): void;
}

/** `share` slots, rounded up, for each key, given in the order of asking. */
function createSlots(share: number): Slots {
  const size = Math.ceil(share);
  const lines = new Map<string, { taken: number; waiting: Set<() => void> }>();
  return {
    async take(key, deadline) {
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
    },
    give(key) {
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
    },
  };
}
