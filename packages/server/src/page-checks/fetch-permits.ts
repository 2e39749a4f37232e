import type { TakePermit } from '@touchstone/page/fetch';
import { networkOfCaller } from '../platform/limits/caller-network.ts';
import { createPermits } from '../platform/limits/permits.ts';

/** Share of all permits that the callers of one network, and the hosts of one network, can hold. */
const NETWORK_SHARE = 1 / 4;

/**
 * Bounds how many pages one node fetches at a time, and with that the memory that hostile ones can hold. No network, of
 * callers or of hosts, gets more than its share, so that slow pages keep nobody waiting but those who ask for them. A
 * network is what an attacker has to pay for; names and addresses in it cost nothing, so they count together.
 */
export interface FetchPermits {
  /**
   * @param work - asks for a permit by `takePermit` before it dials a network, and keeps it until it is done or asks for
   *   another
   * @throws ServiceError fetch_budget_spent when no permit gets free in time
   */
  run<T>(caller: string, work: (takePermit: TakePermit) => Promise<T>): Promise<T>;
}

/** @param maxWait - milliseconds to wait for a permit; by default as long as one fetch may take */
export function createFetchPermits(size: number, maxWait = 10_000): FetchPermits {
  const callers = createPermits(Math.ceil(size * NETWORK_SHARE));
  const hosts = createPermits(Math.ceil(size * NETWORK_SHARE));
  const all = createPermits(size);
  return {
    run(caller, work) {
      return callers.run(networkOfCaller(caller), AbortSignal.timeout(maxWait), async () => {
        const held: (() => void)[] = [];
        const giveBack = () => {
          for (const give of held.splice(0)) give();
        };
        const takePermit: TakePermit = async (network, signal) => {
          giveBack();
          const deadline = AbortSignal.any([signal, AbortSignal.timeout(maxWait)]);
          // always in this order, so that no two wait for what the other holds
          held.push(await hosts.take(network, deadline));
          held.push(await all.take('', deadline));
        };
        try {
          return await work(takePermit);
        } finally {
          giveBack();
        }
      });
    },
  };
}
