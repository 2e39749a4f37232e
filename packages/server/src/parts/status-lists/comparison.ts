import type { ChangeHub } from '../../platform/cache/changes.ts';
import { isDatabaseFault } from '../../platform/database/database-fault.ts';
import { ServiceError } from '../../platform/errors.ts';

/**
 * Whether this process may rely on what the database says of status lists: whoever lost the database may have got an older one back, in
 * which what was withdrawn is valid. That is known once it was compared with the copies of what was published; until then nothing is
 * given out, signed or answered from it.
 */
export interface Comparison {
  isDone(): boolean;
  /**
   * What `read` reads from a database that was compared, and that this process has not lost meanwhile. An attempt to compare that runs is
   * waited for.
   *
   * @throws ServiceError `blobs_unavailable` if the database could not be compared, or that it cannot be read
   */
  whenDone<T>(read: () => Promise<T>): Promise<T>;
  /** Compares now, unless it is done. Waits for the attempt, `PATIENCE` at most; a fault is reported, and it is tried again. */
  attempt(): Promise<void>;
  /** How often what was known of the database was lost. */
  readonly lost: number;
  /** For the operator. */
  findings(): readonly string[];
  close(): Promise<void>;
}

export interface ComparisonOptions {
  readonly hub: Pick<ChangeHub, 'subscribe'>;
  /** @throws Error if the copies cannot be read */
  readonly compare: () => Promise<void>;
  readonly onFault: (error: unknown) => void;
}

/** Milliseconds that a caller waits for an attempt. */
const PATIENCE = 5_000;
/** Milliseconds between two attempts. */
const AGAIN = 1_000;

const FINDING =
  'the database is not compared with the copies of status lists yet: until then, no list is answered or signed, and no new proof is made';

const notCompared = (cause: unknown) =>
  new ServiceError('blobs_unavailable', {
    message: 'The status lists are not compared with their copies yet: retry as Retry-After says.',
    retryAfter: 5,
    cause,
  });

export function createComparison({ hub, compare, onFault }: ComparisonOptions): Comparison {
  let lost = 0;
  let compared = -1;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** Of the last attempt. */
  let fault: unknown;
  let isClosed = false;
  const isDone = () => compared === lost;

  const compareAll = async (): Promise<void> => {
    try {
      while (!isDone() && !isClosed) {
        const of = lost;
        await compare();
        if (of === lost) compared = of;
      }
      fault = undefined;
    } catch (error) {
      fault = error;
      onFault(error);
    }
  };
  const attempt = (): Promise<void> => {
    running ??= compareAll().finally(() => {
      running = undefined;
      if (isDone() || isClosed) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        void attempt();
      }, AGAIN).unref();
    });
    return running;
  };
  const attemptInTime = async (): Promise<void> => {
    const late = Promise.withResolvers<void>();
    const end = setTimeout(late.resolve, PATIENCE);
    await Promise.race([attempt(), late.promise]);
    clearTimeout(end);
  };
  const unsubscribe = hub.subscribe((change) => {
    if (change !== 'unheard' && change !== 'heard') return;
    lost += 1;
    if (change !== 'heard') return;
    fault = undefined;
    void attempt();
  });
  return {
    isDone,
    get lost() {
      return lost;
    },
    async whenDone(read) {
      for (;;) {
        // it is tried again every second, which callers need not wait for
        if (!isDone() && fault === undefined) await attemptInTime();
        if (!isDone()) throw isDatabaseFault(fault) ? fault : notCompared(fault);
        const of = lost;
        const result = await read();
        if (of === lost) return result;
      }
    },
    attempt: attemptInTime,
    findings: () => (isDone() ? [] : [FINDING]),
    async close() {
      isClosed = true;
      unsubscribe();
      clearTimeout(timer);
      await running;
    },
  };
}
