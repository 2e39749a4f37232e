import type { TakePermit } from '@touchstone/fetch';
import { networkOfCaller } from '../../platform/limits/caller-network.ts';
import { createPermits } from '../../platform/limits/permits.ts';

/** Share of all permits that the callers of one network, and the hosts of one network, can hold. */
const NETWORK_SHARE = 1 / 4;

/**
 * Limits the concurrent page fetches of a node, and thereby the memory that hostile pages can occupy. No network, of callers or
 * of hosts, gets more than its share, so that slow pages delay only those who request them. Names and addresses within a
 * network cost an attacker nothing, so they count together.
 */
export interface FetchPermits {
  /**
   * @param work - calls `takePermit` before it connects to a network; the permit is held until the next call or the end
   * @throws ServiceError fetch_budget_spent if no permit becomes free in time
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
        const releaseAll = () => {
          for (const release of held.splice(0)) release();
        };
        const takePermit: TakePermit = async (network, signal) => {
          releaseAll();
          const deadline = AbortSignal.any([signal, AbortSignal.timeout(maxWait)]);
          // always in this order, which prevents deadlocks
          held.push(await hosts.take(network, deadline));
          held.push(await all.take('', deadline));
        };
        try {
          return await work(takePermit);
        } finally {
          releaseAll();
        }
      });
    },
  };
}
