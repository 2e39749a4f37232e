import type { PageReading, ReadOptions } from '@touchstone/page';
import type { Tinypool } from 'tinypool';
import { ServiceError } from '../../platform/errors.ts';
import { networkOfCaller } from '../../platform/limits/caller-network.ts';
import { createPermits } from '../../platform/limits/permits.ts';
import { isOutOfMemory, openThreads, ownBuffer } from '../../platform/threads/thread-pool.ts';
import type { ReadTask } from './read-in-thread.ts';

export interface ReadPoolOptions {
  readonly threads: number;
  /** Milliseconds for one page. */
  readonly deadline: number;
  /** Megabytes of a thread's old generation; an idle thread uses about 15. */
  readonly heapMegabytes: number;
  /** Milliseconds that a page may wait for a thread. */
  readonly maxWait: number;
  /** Milliseconds until the threads are started, unless a page needs them sooner: at startup the service needs the processors. */
  readonly startAfter: number;
  /** What each thread loads. Default: the reader. */
  readonly module?: URL;
  /** Called if a thread cannot be started, for the log. */
  readonly onThreadFault?: (error: unknown) => void;
}

export const DEFAULT_READ_POOL: Omit<ReadPoolOptions, 'threads'> = {
  // the heaviest page takes half a second of processor time, of which a loaded machine may have little
  deadline: 5_000,
  heapMegabytes: 165,
  maxWait: 10_000,
  startAfter: 3_000,
};

/** Threads that read pages, apart from the one that answers requests. */
export interface ReadPool {
  /**
   * Reads a page. Its bytes are transferred: the caller cannot use them afterwards.
   *
   * @throws ServiceError fetch_budget_spent (no thread in time), internal (none can be started), shutting_down; PageTooHeavy; any other
   *   error of the reader
   */
  readPage(body: Uint8Array, options: ReadOptions, caller: string): Promise<PageReading>;
  /** Ends all threads; pages in progress fail with `shutting_down`. */
  close(): Promise<void>;
}

/** A page exceeded the time or memory of a thread: caused by the page, not by a fault of the reader. */
export class PageTooHeavy extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'PageTooHeavy';
  }
}

/** Bytes that a thread may use after a page; a thread that uses more is replaced. Pages of real shops leave up to 70 MB. */
const RECYCLE_ABOVE = 72_000_000;

const READER = new URL('./read-in-thread.ts', import.meta.url);

/**
 * A pool of warm threads. A page that exceeds the time or memory ends its thread, which is replaced. The callers of one network
 * never occupy all threads, so that heavy pages of one do not delay the others. The fetch permits limit how many pages wait.
 */
export function createReadPool(options: ReadPoolOptions): ReadPool {
  const { threads, maxWait, startAfter } = options;
  let started: Threads | undefined;
  const start = () => {
    started ??= startThreads(options);
    return started;
  };
  const timer = setTimeout(start, startAfter).unref();
  const callers = createPermits(Math.max(1, threads - 1));
  const all = createPermits(threads);
  const stop = new AbortController();

  const readNow = async (task: ReadTask): Promise<PageReading> => {
    stop.signal.throwIfAborted();
    const own = start();
    const { pool, warm } = own;
    const fault = await warm;
    if (fault !== undefined) {
      // it is no fault of the page; the next one tries again
      if (started === own) started = undefined;
      await pool.destroy();
      throw new ServiceError('internal', { cause: fault });
    }
    const { deadline } = options;
    const timeout = AbortSignal.timeout(deadline);
    try {
      return await pool.run(task, { transferList: [task.body], signal: timeout });
    } catch (cause) {
      if (timeout.aborted) {
        throw new PageTooHeavy(`Reading the page took longer than ${deadline} ms.`, { cause });
      }
      if (isOutOfMemory(cause))
        throw new PageTooHeavy('Reading the page took more memory than a thread has.', { cause });
      throw cause;
    }
  };

  return {
    async readPage(body, readOptions, caller) {
      const task = { body: ownBuffer(body), options: readOptions };
      const limit = AbortSignal.any([stop.signal, AbortSignal.timeout(maxWait)]);
      try {
        stop.signal.throwIfAborted();
        return await callers.run(networkOfCaller(caller), limit, () =>
          all.run('', limit, () => readNow(task)),
        );
      } catch (cause) {
        throw stop.signal.aborted ? new ServiceError('shutting_down', { cause }) : cause;
      }
    },
    async close() {
      stop.abort();
      clearTimeout(timer);
      await started?.pool.destroy();
    },
  };
}

interface Threads {
  readonly pool: Tinypool;
  /**
   * Resolves when all have loaded the reader, which does not count towards the deadline of a page: with the error if none can read, not
   * even an empty page.
   */
  readonly warm: Promise<unknown>;
}

function startThreads({ threads, heapMegabytes, module = READER, onThreadFault }: ReadPoolOptions): Threads {
  const pool = openThreads({
    module,
    run: 'readInThread',
    least: threads,
    most: threads,
    heapMegabytes,
    recycleAbove: RECYCLE_ABOVE,
    onThreadFault,
  });
  const warmPage = (): ReadTask => ({ body: new ArrayBuffer(0), options: { url: 'https://page.invalid/' } });
  const warm = Promise.allSettled(Array.from({ length: threads }, () => pool.run(warmPage())));
  return { pool, warm: warm.then(faultOfAll) };
}

function faultOfAll(results: readonly PromiseSettledResult<unknown>[]): unknown {
  const faults = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  return faults.length === results.length ? faults[0] : undefined;
}
