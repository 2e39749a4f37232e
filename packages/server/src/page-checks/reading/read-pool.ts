import { setTimeout as delay } from 'node:timers/promises';
import type { PageReading, ReadOptions } from '@touchstone/page';
import { ServiceError } from '../../platform/errors.ts';
import { type ReadingThread, startReadingThread, type ThreadLimits } from './reading-thread.ts';
import { createWaitingLine, type LineLimits, type Waiting, type WaitingLine } from './wait-queue.ts';

export interface ReadPoolOptions extends ThreadLimits {
  /** One of them is kept for callers who are known to send no heavy pages. */
  readonly threads: number;
  readonly line: LineLimits;
  /** Milliseconds that a page may wait for a thread. */
  readonly maxWait: number;
  /** A thread could not be started; for the log. */
  readonly onThreadFault?: (error: unknown) => void;
}

export const DEFAULT_READ_POOL: Omit<ReadPoolOptions, 'threads'> = {
  // the heaviest page takes half a second of a processor, and there may be little of one to have
  deadline: 5_000,
  heapMegabytes: 165,
  line: { pages: 64, bytes: 100_000_000 },
  maxWait: 10_000,
};

/** Reads pages away from the thread that answers callers. */
export interface ReadPool {
  /**
   * Reads a page in its turn. Its bytes are handed over: they are gone from the caller's hands afterwards.
   *
   * @throws ServiceError fetch_budget_spent (no thread in time), not_ready, shutting_down; any other error: the page
   *   cannot be read
   */
  readPage(body: Uint8Array, options: ReadOptions, caller: string): Promise<PageReading>;
  /** Ends all threads; who waits is told that the service shuts down. */
  close(): Promise<void>;
}

/** Bytes that a thread may hold at rest: it starts with 33 MB, and pages of real shops leave up to 70. */
const REST_BYTES = 72_000_000;
/** Milliseconds at rest after which a thread that holds more is replaced: what hostile pages swell must not stay. */
const REST_TIME = 2_000;
/** Milliseconds before a thread that could not be started is started again. */
const RESTART_AFTER = 1_000;
/** Seconds. */
const RETRY = { retryAfter: 5 };

interface Turn extends Waiting {
  /** Resolves when the thread is free again, or gone. */
  readonly begin: (thread: ReadingThread) => Promise<void>;
  readonly refuse: (error: ServiceError) => void;
}

/**
 * A pool of warm threads. A page that takes too long or too much memory costs its thread, which is replaced; pages
 * wait in a line in fair order; and one thread takes pages only of callers whose last ones were light, so that these need
 * not even wait for a heavy page to end.
 */
export function createReadPool(options: ReadPoolOptions): ReadPool {
  const line = createWaitingLine<Turn>(options.line, () => performance.now());
  const threads = createThreads(options, line);
  return {
    readPage: (body, readOptions, caller) =>
      new Promise((resolve, reject) => {
        if (threads.isClosing()) throw new ServiceError('shutting_down');
        const order = { body: ownBuffer(body), options: readOptions };
        const tooLate = () => {
          line.leave(turn);
          turn.refuse(new ServiceError(threads.areWell() ? 'fetch_budget_spent' : 'not_ready', RETRY));
        };
        const timer = setTimeout(tooLate, options.maxWait);
        const turn: Turn = {
          caller,
          size: body.byteLength,
          async begin(thread) {
            clearTimeout(timer);
            await thread.read(order).then(resolve, reject);
            line.charge(caller, thread.lastCost().cpu);
          },
          refuse(error) {
            clearTimeout(timer);
            reject(error);
          },
        };
        line.join(turn)?.refuse(new ServiceError('fetch_budget_spent', RETRY));
        threads.serve();
      }),
    async close() {
      await threads.close();
      for (let turn = line.next(false); turn !== null; turn = line.next(false)) {
        turn.refuse(new ServiceError('shutting_down'));
      }
    },
  };
}

/** The bytes in a buffer of their own, which can be handed to another thread. */
function ownBuffer({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBuffer {
  const isWhole = buffer instanceof ArrayBuffer && byteLength === buffer.byteLength;
  return isWhole ? buffer : new Uint8Array(buffer, byteOffset, byteLength).slice().buffer;
}

interface Threads {
  /** Gives waiting pages to threads that are free. */
  serve(): void;
  /** Whether there is a thread at all. */
  areWell(): boolean;
  isClosing(): boolean;
  close(): Promise<void>;
}

function createThreads(options: ReadPoolOptions, line: WaitingLine<Turn>): Threads {
  const stop = new AbortController();
  const running = new Set<ReadingThread>();
  const idle = new Map<ReadingThread, { readonly forTrusted: boolean; readonly since: number }>();

  const serve = () => {
    // the one that is kept for few comes last
    const general = [...idle].toSorted(([, a], [, b]) => Number(a.forTrusted) - Number(b.forTrusted));
    for (const [thread, { forTrusted }] of general) {
      const turn = thread.isUsable() ? line.next(forTrusted) : null;
      if (turn === null) continue;
      idle.delete(thread);
      void turn.begin(thread).then(() => rest(thread, forTrusted));
    }
  };
  const rest = (thread: ReadingThread, forTrusted: boolean) => {
    if (!thread.isUsable()) return;
    idle.set(thread, { forTrusted, since: performance.now() });
    serve();
  };
  // one at a time, so that there is always one to read
  const replaceSwollen = () => {
    if (running.size < options.threads) return;
    for (const [thread, { since }] of idle) {
      if (thread.lastCost().held < REST_BYTES || performance.now() - since < REST_TIME) continue;
      idle.delete(thread);
      void thread.end();
      return;
    }
  };
  const tidying = setInterval(replaceSwollen, REST_TIME).unref();
  const runOne = async (forTrusted: boolean) => {
    const thread = startReadingThread(options, { isNice: !forTrusted });
    const end = () => void thread.end();
    stop.signal.addEventListener('abort', end, { once: true });
    try {
      await thread.ready;
      running.add(thread);
      rest(thread, forTrusted);
    } finally {
      await thread.gone;
      running.delete(thread);
      idle.delete(thread);
      stop.signal.removeEventListener('abort', end);
    }
  };
  const keepOne = async (forTrusted: boolean) => {
    while (!stop.signal.aborted) {
      await runOne(forTrusted).catch(async (error: unknown) => {
        if (stop.signal.aborted) return;
        options.onThreadFault?.(error);
        await delay(RESTART_AFTER, undefined, { signal: stop.signal }).catch(() => {});
      });
    }
  };
  const keepers = Array.from({ length: options.threads }, (_, n) => keepOne(n === 0 && options.threads > 1));
  return {
    serve,
    areWell: () => running.size > 0,
    isClosing: () => stop.signal.aborted,
    async close() {
      stop.abort();
      clearInterval(tidying);
      await Promise.all(keepers);
    },
  };
}
