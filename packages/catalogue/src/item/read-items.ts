import type { CatalogueSource } from '../source.ts';
import type { ProblemRow } from '../types.ts';
import { rewriteItems } from './rewrite-items.ts';
import type { ReadItem, ReadItemOptions } from './types.ts';

/** One item of a feed, or why it is none; no row is left out. */
export type ItemRow =
  /** `row`: number of the item in the feed, from 1 (of the line in a table). */
  { readonly row: number; readonly item: ReadItem } | ProblemRow;

/**
 * Reads the items of a feed, each as it is: unlike `readCatalogue`, variants are not grouped into products. Lists and lines of JSON with
 * items of any form that `readItem` knows; Google feeds (RSS 2.0, Atom, TSV, CSV); all optionally compressed with gzip. The feed is
 * read as a stream. A problem with it as a whole is the last row, with the number 0.
 *
 * @param source - the whole text or its bytes, or either in pieces
 * @example
 * ```ts
 * import { readItems } from '@touchstone/catalogue';
 *
 * const feed = '{"id":"a","title":"Cup","link":"https://shop.example/cup"}\n{"id":"b","title":"Mug"}';
 * const names: unknown[] = [];
 * for await (const row of readItems(feed)) names.push('item' in row ? row.item.name : row.problem.code);
 * names; // ['Cup', 'Mug']
 * ```
 */
export async function* readItems(
  source: CatalogueSource,
  options: ReadItemOptions = {},
): AsyncGenerator<ItemRow, void, undefined> {
  for await (const part of rewriteItems(source, options)) {
    if ('item' in part) yield { row: part.row, item: part.item };
    else if ('problem' in part) yield { problem: part.problem };
  }
}
