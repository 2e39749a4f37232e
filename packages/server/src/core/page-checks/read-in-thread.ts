/** The worker of the pool, loaded by read-pool.ts; reads one page at a time. */
import { readFacts } from '@touchstone/facts';
import type { PageReading, ReadOptions } from '@touchstone/page';
import { readPage } from '@touchstone/page/read';
import { yieldToRequests } from '../../platform/threads/thread-priority.ts';
import { storable } from './storable-reading.ts';

/** The message to a worker. The buffer is transferred, not copied. */
export interface ReadTask {
  readonly body: ArrayBuffer;
  readonly options: ReadOptions;
}

yieldToRequests();

// the first page takes longer, so one is read before the thread counts as ready
readPage(
  new TextEncoder().encode('<!doctype html><h1>A cup</h1>'),
  { url: 'https://page.invalid/' },
  readFacts,
);

export function readInThread({ body, options }: ReadTask): PageReading {
  const reading = storable(readPage(new Uint8Array(body), options, readFacts));
  // frees the memory now instead of at the next garbage collection
  if (body.resizable) body.resize(0);
  return reading;
}
