import type { PageReading, ReadOptions } from '@touchstone/page';
import { Tinypool } from 'tinypool';
import { ServiceError } from '../platform/errors.ts';
import { networkOfCaller } from '../platform/limits/caller-network.ts';
import { createPermits } from '../platform/limits/permits.ts';
import type { ReadOrder } from './read-in-thread.ts';

export interface ReadPoolOptions {
  readonly threads: number;
  /** Milliseconds that one page may take. */
  readonly deadline: number;
  /** Megabytes of memory that lives longer than a moment; a thread at rest has about 15. */
  readonly heapMegabytes: number;
  /** Milliseconds that a page may wait for a thread. */
  readonly maxWait: number;
  /** Milliseconds after which threads are started, unless a page comes before: a service that starts needs the cores itself. */
  readonly startAfter: number;
  /** A thread could not be started; for the log. */
  readonly onThreadFault?: (error: unknown) => void;
}

export const DEFAULT_READ_POOL: Omit<ReadPoolOptions, 'threads'> = {
  // the heaviest page takes half a second of a processor, and there may be little of one to have
  deadline: 5_000,
  heapMegabytes: 165,
  maxWait: 10_000,
  startAfter: 3_000,
};

/** Reads pages away from the thread that answers callers. */
export interface ReadPool {
  /**
   * Reads a page. Its bytes are handed over: they are gone from the caller's hands afterwards.
   *
   * @throws ServiceError fetch_budget_spent (no thread in time), shutting_down; PageTooHeavy; any other error when the
   *   reader broke
   */
  readPage(body: Uint8Array, options: ReadOptions, caller: string): Promise<PageReading>;
  /** Ends all threads; who waits is told that the service shuts down. */
  close(): Promise<void>;
}

/** A page took more time or memory than a thread has: its own doing, not a fault of the reader. */
export class PageTooHeavy extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'PageTooHeavy';
  }
}

/** Megabytes for what lives a moment only. */
const YOUNG_MEGABYTES = 32;
/** Bytes that a thread may hold after a page; pages of real shops leave up to 70 MB. One that holds more is replaced. */
const MOST_HELD = 72_000_000;

/**
 * A pool of warm threads. A page that takes too long or too much memory costs its thread, which is replaced. One thread
 * is left to others than the callers of any one network, so that heavy pages of one keep nobody else waiting. How many
 * pages wait is bounded by the fetch permits that are held meanwhile.
 */
export function createReadPool(options: ReadPoolOptions): ReadPool {
  const { threads, deadline, maxWait, startAfter } = options;
  let started: Threads | undefined;
  const start = () => {
    started ??= startThreads(options);
    return started;
  };
  const soon = setTimeout(start, startAfter).unref();
  const callers = createPermits(Math.max(1, threads - 1));
  const all = createPermits(threads);
  const stop = new AbortController();

  const readNow = async (order: ReadOrder): Promise<PageReading> => {
    stop.signal.throwIfAborted();
    const { pool, warm } = start();
    await warm;
    const tooLong = AbortSignal.timeout(deadline);
    try {
      return await pool.run(order, { transferList: [order.body], signal: tooLong });
    } catch (cause) {
      if (tooLong.aborted) {
        throw new PageTooHeavy(`Reading the page took longer than ${deadline} ms.`, { cause });
      }
      if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY') {
        throw new PageTooHeavy('Reading the page took more memory than a thread has.', { cause });
      }
      throw cause;
    }
  };

  return {
    async readPage(body, readOptions, caller) {
      const order = { body: ownBuffer(body), options: readOptions };
      const late = AbortSignal.any([stop.signal, AbortSignal.timeout(maxWait)]);
      try {
        stop.signal.throwIfAborted();
        return await callers.run(networkOfCaller(caller), late, () =>
          all.run('', late, () => readNow(order)),
        );
      } catch (cause) {
        throw stop.signal.aborted ? new ServiceError('shutting_down', { cause }) : cause;
      }
    },
    async close() {
      stop.abort();
      clearTimeout(soon);
      await started?.pool.destroy();
    },
  };
}

interface Threads {
  readonly pool: Tinypool;
  /** All have loaded what reads pages: the deadline of a page is for reading it. */
  readonly warm: Promise<unknown>;
}

function startThreads({ threads, heapMegabytes, onThreadFault }: ReadPoolOptions): Threads {
  const pool = new Tinypool({
    filename: new URL('./read-in-thread.ts', import.meta.url).href,
    name: 'readInThread',
    minThreads: threads,
    maxThreads: threads,
    // what strangers wrote is read there: nothing of ours is needed, so nothing is handed in
    env: {},
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    maxMemoryLimitBeforeRecycle: MOST_HELD,
  });
  pool.on('error', (error) => onThreadFault?.(error));
  const warmPage = (): ReadOrder => ({ body: new ArrayBuffer(0), options: { url: 'https://page.invalid/' } });
  return { pool, warm: Promise.allSettled(Array.from({ length: threads }, () => pool.run(warmPage()))) };
}

/** The bytes in a buffer of their own, which can be handed to another thread. */
function ownBuffer({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBuffer {
  const isWhole = buffer instanceof ArrayBuffer && byteLength === buffer.byteLength;
  return isWhole ? buffer : new Uint8Array(buffer, byteOffset, byteLength).slice().buffer;
}
