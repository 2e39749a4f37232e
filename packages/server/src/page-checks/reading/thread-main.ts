/** What a reading thread runs: one order after the other, each answered. Started by reading-thread.ts. */
import { setPriority } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { readPage } from '@touchstone/page/read';
import type { ReadCost, ReadOrder, ThreadMessage, ThreadStart } from './messages.ts';
import { keepable } from './storable.ts';

/** Of 19, a tenth of the usual share: when processors are short, answering goes before reading. */
const NICENESS = 10;

// on Linux 0 is this thread alone; elsewhere it would be the whole process
if ((workerData as ThreadStart).isNice && process.platform === 'linux') setPriority(0, NICENESS);

function send(message: ThreadMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port, not a window
  parentPort?.postMessage(message);
}

/** Milliseconds of a processor that this thread has had. */
function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function costSince(begun: number): ReadCost {
  const { total_heap_size: heap, external_memory: external } = getHeapStatistics();
  return { cpu: cpuTime() - begun, held: heap + external };
}

parentPort?.on('message', ({ body, options }: ReadOrder) => {
  const begun = cpuTime();
  try {
    const reading = keepable(readPage(new Uint8Array(body), options));
    // given back at once, not when garbage is collected
    if (body.resizable) body.resize(0);
    send({ kind: 'read', reading, ...costSince(begun) });
  } catch (error) {
    send({ kind: 'broken', error, ...costSince(begun) });
  }
});

send({ kind: 'ready' });
