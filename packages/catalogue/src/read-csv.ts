import { fileProblem, problemRow, type Reading, rowOfDraft } from './draft.ts';
import { readShopifyCsv } from './shopify-csv.ts';
import type { CatalogueRow } from './types.ts';

/** Shopify splits exports into parts of 15 MB; this is about half of the longest string of an engine. */
const MAX_CHARS = 256 * 1024 * 1024;

/** Reads Shopify's export. The lines of one product may be anywhere in it, so it is kept in memory as a whole. */
export async function* readCsvPieces(
  pieces: AsyncIterable<string>,
  reading: Reading,
): AsyncGenerator<CatalogueRow, void, undefined> {
  const kept: string[] = [];
  let chars = 0;
  for await (const piece of pieces) {
    chars += piece.length;
    if (chars > MAX_CHARS) {
      yield fileProblem('file_too_large', 'Split the export.');
      return;
    }
    kept.push(piece);
  }
  const text = kept.join('').trimStart();
  const { products, orphans, broken } = readShopifyCsv(text, reading.store);
  for (const { row, draft } of products) {
    yield rowOfDraft(draft, { row, shape: 'shopify-csv' }, reading);
  }
  for (const row of orphans) yield problemRow(row, 'id_missing', 'The line names no handle.');
  if (broken !== undefined) yield fileProblem(broken.code, broken.detail);
}
