import { Worker } from 'node:worker_threads';
import type { PageReading } from '@touchstone/page';
import type { ReadCost, ReadOrder, ThreadMessage, ThreadStart } from './messages.ts';

export interface ThreadLimits {
  /** Milliseconds that one page may take. */
  readonly deadline: number;
  /** Megabytes of memory that lives longer than a moment; a thread at rest has about 15. */
  readonly heapMegabytes: number;
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

/** One thread that reads one page at a time. A page that takes too much of it ends it. */
export interface ReadingThread {
  /** Resolves when it can read; rejects when it ended before. */
  readonly ready: Promise<void>;
  /** Resolves when it is gone, for whatever reason. */
  readonly gone: Promise<void>;
  /** False once it has ended, or is about to. */
  isUsable(): boolean;
  /** What the last page cost. One that the thread was ended for cost all that it could. */
  lastCost(): ReadCost;
  /**
   * Reads a page. The order's buffer is empty afterwards.
   *
   * @throws PageTooHeavy; any other error when the reader broke
   */
  read(order: ReadOrder): Promise<PageReading>;
  end(): Promise<void>;
}

export function startReadingThread(
  { deadline, heapMegabytes }: ThreadLimits,
  start: ThreadStart,
): ReadingThread {
  const worker = new Worker(new URL('./thread-main.ts', import.meta.url), {
    name: 'reading',
    workerData: start,
    // what strangers wrote is read here: nothing of ours is needed, so nothing is handed in
    env: {},
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
  });
  let failure = new Error('The reading thread ended.');
  let usable = true;
  let lastCost: ReadCost = { cpu: 0, held: 0 };
  // one at a time: the answer to the present order
  const { promise: ready, resolve: onReady } = Promise.withResolvers<unknown>();
  let answered: (message: ThreadMessage) => void = onReady;
  worker.on('message', (message: ThreadMessage) => answered(message));
  worker.on('messageerror', (error) => answered({ kind: 'broken', error, ...lastCost }));
  worker.on('error', (error) => {
    const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    failure = isMemory
      ? new PageTooHeavy('Reading the page took more memory than a thread has.', { cause: error })
      : new Error(`The reading thread broke: ${error.message}`, { cause: error });
  });
  const gone = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      usable = false;
      resolve();
    });
  });
  const lost = gone.then(() => {
    throw failure;
  });
  // whoever waits for something is told; nobody else need be
  lost.catch(() => {});
  const end = async () => {
    usable = false;
    await worker.terminate();
  };

  return {
    ready: Promise.race([ready, lost]).then(() => {}),
    gone,
    isUsable: () => usable,
    lastCost: () => lastCost,
    async read(order) {
      const answer = new Promise<ThreadMessage>((resolve) => {
        answered = resolve;
      });
      lastCost = { cpu: deadline, held: 0 };
      worker.postMessage(order, [order.body]);
      const timer = setTimeout(() => {
        failure = new PageTooHeavy(`Reading the page took longer than ${deadline} ms.`);
        void end();
      }, deadline);
      try {
        const message = await Promise.race([answer, lost]);
        if (message.kind !== 'ready') lastCost = { cpu: message.cpu, held: message.held };
        if (message.kind === 'read') return message.reading;
        throw message.kind === 'broken' ? message.error : new Error('The reading thread lost count.');
      } finally {
        clearTimeout(timer);
      }
    },
    end,
  };
}
