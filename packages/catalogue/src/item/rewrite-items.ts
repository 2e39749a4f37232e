import { looksLikeJson, looksLikeXml } from '../detect.ts';
import { fileProblem } from '../draft.ts';
import { CATALOGUE_LIMITS, LimitExceeded } from '../limits.ts';
import { after, readStart, unreadable } from '../read.ts';
import { htmlProblem } from '../read-feed.ts';
import { type CatalogueSource, textPieces } from '../source.ts';
import type { SourceForm } from '../source-decoder.ts';
import { rewriteJson } from './rewrite-json.ts';
import { rewriteTable } from './rewrite-table.ts';
import { rewriteXml } from './rewrite-xml.ts';
import type { FeedPart, ReadItemOptions } from './types.ts';

/** Options of `rewriteItems`. */
export interface RewriteItemsOptions extends ReadItemOptions {
  /** Filled in before the first part: how the feed is encoded, by which its parts are to be written (`textEncoder`). */
  readonly form?: SourceForm;
}

/**
 * Reads a feed as `readItems` does, and returns all of its text in parts, so that certificates can be written into its items while every
 * other character is kept. XML gets an element `certificate` in the namespace of the service, tables a column, UCP and ACP products a
 * member of `metadata`, JSON-LD a member by its address, other JSON the member `touchstone_certificate`. The feed is read as a stream, with
 * one item in memory.
 *
 * @param source - the whole text or its bytes, or either in pieces
 * @example
 * ```ts
 * import { rewriteItems } from '@touchstone/catalogue';
 *
 * const feed = '{"id":"a","title":"Cup","link":"https://shop.example/cup"}\n';
 * const certificate = {
 *   json: '{"proof":{"jwt":"a.b.c"}}',
 *   namespaceUrl: 'https://certificates.example/ns#',
 *   issuer: 'https://certificates.example',
 * };
 * let text = '';
 * for await (const part of rewriteItems(feed))
 *   text += 'item' in part ? part.write(certificate, () => true) : part.text;
 * text; // '{"id":"a","title":"Cup","link":"https://shop.example/cup","touchstone_certificate":{"proof":{"jwt":"a.b.c"}}}\n'
 * ```
 */
export async function* rewriteItems(
  source: CatalogueSource,
  options: RewriteItemsOptions = {},
): AsyncGenerator<FeedPart, void, undefined> {
  let items = 0;
  let rows = 0;
  try {
    for await (const part of partsOf(textPieces(source, options.form), options)) {
      if ('row' in part || 'problem' in part) rows++;
      if (rows > CATALOGUE_LIMITS.rows.most) throw new LimitExceeded('rows');
      if ('item' in part) items++;
      yield part;
    }
  } catch (error) {
    yield { ...unreadable(error, items), text: '' };
    return;
  }
  if (rows === 0) yield { ...fileProblem('no_products'), text: '' };
}

async function* partsOf(
  pieces: AsyncIterable<string>,
  options: ReadItemOptions,
): AsyncGenerator<FeedPart, void, undefined> {
  const { start, begun, iterator } = await readStart(pieces);
  const all = after(start, iterator);
  if (begun === '') yield { ...fileProblem('file_empty'), text: '' };
  else if (looksLikeJson(begun)) yield* rewriteJson(all, options);
  else if (looksLikeXml(begun)) yield* rewriteXml(all);
  else if (begun.startsWith('<')) yield { ...htmlProblem(), text: '' };
  else yield* rewriteTable(all);
}
