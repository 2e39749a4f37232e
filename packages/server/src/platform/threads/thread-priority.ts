import { getPriority, setPriority } from 'node:os';

/** A tenth of the default share of a processor: under load, requests have precedence. */
const NICENESS = 10;

/** To be called by the module that a thread loads. */
export function yieldToRequests(): void {
  // on Linux 0 means this thread, elsewhere the whole process. A service that was started with less (`nice`, `Nice=`) may not take more.
  if (process.platform === 'linux' && getPriority(0) < NICENESS) setPriority(0, NICENESS);
}
