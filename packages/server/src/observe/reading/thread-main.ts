/** What a reading thread runs: one order after the other, each answered. Started by reading-thread.ts. */
import { setPriority } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { readPage } from '@touchstone/page/read';
import { keepable } from './keepable.ts';
import type { ReadOrder, ThreadMessage } from './messages.ts';

/** Of 19, a third of the usual share: when processors are short, answering goes before reading. */
const NICENESS = 5;

// on Linux 0 is this thread alone; elsewhere it would be the whole process
if (process.platform === 'linux') setPriority(0, NICENESS);

function send(message: ThreadMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port, not a window
  parentPort?.postMessage(message);
}

function heapBytes(): number {
  return getHeapStatistics().total_heap_size;
}

parentPort?.on('message', ({ body, options }: ReadOrder) => {
  try {
    const reading = keepable(readPage(new Uint8Array(body), options));
    send({ kind: 'read', reading, heapBytes: heapBytes() });
  } catch (error) {
    send({ kind: 'broken', error, heapBytes: heapBytes() });
  }
});

send({ kind: 'ready' });
