/** What a thread of the pool runs, one page after the other. Loaded by read-pool.ts. */
import { setPriority } from 'node:os';
import type { PageReading, ReadOptions } from '@touchstone/page';
import { readPage } from '@touchstone/page/read';
import { storable } from './storable-reading.ts';

/** What a thread is sent. The buffer is handed over, not copied. */
export interface ReadOrder {
  readonly body: ArrayBuffer;
  readonly options: ReadOptions;
}

/** Of 19, a tenth of the usual share: when processors are short, answering goes before reading. */
const NICENESS = 10;

// on Linux 0 is this thread alone; elsewhere it would be the whole process
if (process.platform === 'linux') setPriority(0, NICENESS);

// the first page is slow to read, and a thread counts as ready only after this
readPage(new TextEncoder().encode('<!doctype html><h1>A cup</h1>'), { url: 'https://page.invalid/' });

export function readInThread({ body, options }: ReadOrder): PageReading {
  const reading = storable(readPage(new Uint8Array(body), options));
  // given back at once, not when garbage is collected
  if (body.resizable) body.resize(0);
  return reading;
}
