import { type PageReading, type ReadOptions, readPage as read } from '@touchstone/page/read';
import { readFacts } from './read-facts.ts';

/** Reads a page with its facts. */
export function readPage(html: string | Uint8Array, options: ReadOptions): PageReading {
  return read(html, options, readFacts);
}
