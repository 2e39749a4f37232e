import { networkOfCaller } from './caller-network.ts';
import { createPermits } from './permits.ts';

/**
 * Limits the concurrent batches of a node, and thereby the memory of their bodies, items and answers: a body of 4 MB may take
 * 100 MB when parsed. A permit is taken before a body is read.
 */
export interface BatchPermits {
  /** @throws ServiceError batches_busy if no permit becomes free in time */
  run<T>(caller: string, work: () => Promise<T>): Promise<T>;
}

/** Concurrent batches of one node. */
const IN_ALL = 6;
/** The same from one network, so that none delays the others. */
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
