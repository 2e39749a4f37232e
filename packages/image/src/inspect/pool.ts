import { ImageFault } from './fault.ts';

/** A process or web worker that opens one image at a time, outside the caller's thread and memory, and can be terminated. */
export interface PoolWorker {
  /** False once it has ended, or should be replaced because of the memory that images left behind. */
  isUsable(): boolean;
  end(): Promise<void>;
}

/** A fixed number of workers with a bounded queue. */
export interface Pool<W extends PoolWorker> {
  /** @throws ImageFault; what `task` or starting a worker throws */
  run<T>(task: (worker: W) => Promise<T>): Promise<T>;
  /** Ends all workers; what runs or waits fails with `closed`. */
  close(): Promise<void>;
}

/** Images that may wait while all workers are busy, by default. */
export const MAX_WAITING = 64;

interface QueuedTask<W> {
  run(worker: W): Promise<void>;
  refuse(reason: unknown): void;
}

/**
 * Not a library, since we found none with the guarantees that images-hostile.test.ts and open-image-workers.test.ts test:
 *
 * - An image that kills its worker affects no other. workerpool 10.0.3 and tinypool 2.2.0 (unless it starts processes in advance) then
 *   never run the next image in the queue, and workerpool gives one to an idle process that has died.
 * - A deadline begins when an image is opened. tinypool has none; a signal per task also fails those that still wait.
 * - The signing key stays outside the process that opens images. workerpool cannot answer a running task.
 * - Memory is limited per image. piscina runs threads, which share it.
 *
 * @param start called when a worker is needed and none is idle
 */
export function createPool<W extends PoolWorker>(size: number, maxWaiting: number, start: () => W): Pool<W> {
  const idle: W[] = [];
  const busy = new Set<W>();
  const queue: QueuedTask<W>[] = [];
  let isClosed = false;

  const usableWorker = (): W => {
    for (let worker = idle.pop(); worker !== undefined; worker = idle.pop()) {
      if (worker.isUsable()) return worker;
    }
    return start();
  };
  const run = async (task: QueuedTask<W>) => {
    const worker = usableWorker();
    busy.add(worker);
    await task.run(worker);
    busy.delete(worker);
    if (isClosed) await worker.end();
    else if (worker.isUsable()) idle.push(worker);
  };
  const runNext = async () => {
    if (busy.size >= size) return;
    const task = queue.shift();
    if (task === undefined) return;
    await run(task).catch(task.refuse);
    void runNext();
  };
  return {
    run: (task) =>
      new Promise((resolve, reject) => {
        if (isClosed) throw new ImageFault('closed');
        if (busy.size >= size && queue.length >= maxWaiting) throw new ImageFault('overloaded');
        queue.push({
          run: (worker) =>
            task(worker)
              // a worker that was terminated by `close` did not die because of its image
              .then(resolve, (error: unknown) => reject(isClosed ? new ImageFault('closed') : error)),
          refuse: reject,
        });
        void runNext();
      }),
    async close() {
      isClosed = true;
      for (const task of queue.splice(0)) task.refuse(new ImageFault('closed'));
      await Promise.all([...busy, ...idle.splice(0)].map((worker) => worker.end()));
    },
  };
}
