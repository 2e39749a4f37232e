import { networkOf } from '@touchstone/page/fetch';
import { createPermits } from './permits.ts';

/** Shares of all permits that the callers of one network, and one host, can hold. */
const CALLER_SHARE = 1 / 4;
const HOST_SHARE = 1 / 8;

/** For whom a page is fetched, and from where. */
export interface FetchOwner {
  /** The API key, else the address. */
  readonly caller: string;
  readonly host: string;
}

/**
 * Bounds how many pages one node fetches at a time, and with that the memory that hostile ones can hold. Neither the
 * callers of a network nor a host get more than their share, so that slow pages keep nobody waiting but those who ask
 * for them. Callers count by network: addresses of one cost nothing.
 */
export interface FetchPermits {
  /** @throws ServiceError fetch_budget_spent when no permit gets free in time */
  run<T>(owner: FetchOwner, work: () => Promise<T>): Promise<T>;
}

/** @param maxWait - milliseconds to wait for a permit; as long as one fetch may take, unless told */
export function createFetchPermits(size: number, maxWait = 10_000): FetchPermits {
  const callers = createPermits(Math.ceil(size * CALLER_SHARE));
  const hosts = createPermits(Math.ceil(size * HOST_SHARE));
  const all = createPermits(size);
  return {
    run({ caller, host }, work) {
      const deadline = AbortSignal.timeout(maxWait);
      // always in this order, so that nobody holds what another waits for in turn; the one that all share comes last
      return callers.run(networkOfCaller(caller), deadline, () =>
        hosts.run(host, deadline, () => all.run('', deadline, work)),
      );
    },
  };
}

/** The network of a caller known by its address; a caller with a key stands for itself. */
export function networkOfCaller(caller: string): string {
  const address = /^ip:([\d.]+|[\da-f:]+::)(?:\/64)?$/.exec(caller)?.[1];
  return address === undefined ? caller : `ip:${networkOf(address)}`;
}
