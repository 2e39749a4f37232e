import { networkOfCaller } from './caller-network.ts';
import { createPermits } from './permits.ts';

/**
 * Bounds how many batches one node works on, and with that the memory that their bodies, items and answers take: a body
 * of 4 MB may be 100 MB once it is parsed. Asked for before a body is read.
 */
export interface BatchPermits {
  /** @throws ServiceError batches_busy when no permit gets free in time */
  run<T>(caller: string, work: () => Promise<T>): Promise<T>;
}

/** Batches at a time on one node. */
const IN_ALL = 6;
/** The same from one network, so that none keeps the others waiting. */
const PER_NETWORK = 2;
/** Milliseconds to wait for a permit. */
const MAX_WAIT = 10_000;

/**
 * @param processes - that share the permits of the node
 * @param maxWait - milliseconds; injected in tests
 */
export function createBatchPermits(processes = 1, maxWait = MAX_WAIT): BatchPermits {
  const networks = createPermits(Math.ceil(PER_NETWORK / processes), 'batches_busy');
  const all = createPermits(Math.max(2, Math.ceil(IN_ALL / processes)), 'batches_busy');
  return {
    run(caller, work) {
      const deadline = AbortSignal.timeout(maxWait);
      return networks.run(networkOfCaller(caller), deadline, () => all.run('', deadline, work));
    },
  };
}
