import { productsIn, shapeOfProduct } from './detect.ts';
import { cut, type Draft, finish } from './draft.ts';
import { type JsonEnd, JsonSplitter } from './json/splitter.ts';
import { fileProblem, type Reading } from './reading.ts';
import { isRecord, type JsonRecord } from './shapes/record.ts';
import { shopifyDraft } from './shapes/shopify-json.ts';
import { isVariation, restDraft, storeApiDraft } from './shapes/woocommerce.ts';
import { identifier } from './text.ts';
import { type CatalogueProblem, type CatalogueRow, type CatalogueShape, PROBLEMS } from './types.ts';

export async function* readJsonPieces(
  pieces: AsyncIterable<string>,
  reading: Reading,
): AsyncGenerator<CatalogueRow, void, undefined> {
  const splitter = new JsonSplitter();
  let row = 0;
  for await (const piece of pieces) {
    for (const element of splitter.push(piece)) {
      for (const value of parsed(element.text)) yield rowOf(value, ++row, reading);
    }
  }
  const { last, end } = splitter.end();
  if (last !== undefined) for (const value of parsed(last.text)) yield rowOf(value, ++row, reading);
  if (end.kind !== 'complete') yield endProblem(end, row);
}

class NotJson {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

function parsed(text: string): readonly unknown[] {
  try {
    return productsIn(JSON.parse(text));
  } catch (error) {
    return [new NotJson(error instanceof Error ? error.message : String(error))];
  }
}

function rowOf(value: unknown, row: number, reading: Reading): CatalogueRow {
  if (value instanceof NotJson) return problem(row, 'row_not_json', cut(value.message));
  if (!isRecord(value)) return problem(row, 'row_not_product', `It is ${kindOf(value)}.`);
  const shape = reading.shape ?? shapeOfProduct(value);
  const draft = shape === null ? null : draftOf(shape, value, reading.store);
  if (shape === null || draft === null) {
    return problem(row, 'row_not_product', `It has the fields ${cut(Object.keys(value).join(', '), 160)}.`);
  }
  if (isVariation(value)) {
    return problem(
      row,
      'variation',
      `It belongs to product ${identifier(value.parent ?? value.parent_id) ?? '?'}.`,
      draft,
    );
  }
  const finished = finish(draft, reading.store, reading.rebase);
  return 'product' in finished ? { row, shape, ...finished } : { problem: { row, ...finished } };
}

function draftOf(shape: CatalogueShape, value: JsonRecord, store: URL): Draft | null {
  switch (shape) {
    case 'shopify-json':
      return shopifyDraft(value, store);
    case 'woocommerce-store-api':
      return storeApiDraft(value);
    case 'woocommerce-rest-v3':
      return restDraft(value);
    case 'shopify-csv':
      return null;
  }
}

function problem(row: number, code: CatalogueProblem['code'], detail: string, draft?: Draft): CatalogueRow {
  const id = draft?.externalProductId;
  const reason = `${PROBLEMS[code]} ${detail}`;
  return { problem: { row, code, reason, ...(id === undefined ? {} : { externalProductId: id }) } };
}

function endProblem(end: Exclude<JsonEnd, { kind: 'complete' }>, rows: number): CatalogueRow {
  const before = `${rows} ${rows === 1 ? 'product' : 'products'} came before.`;
  if (end.kind === 'element_too_large') {
    return fileProblem('row_too_large', `It begins on line ${end.line}; ${before}`);
  }
  const where = end.inElement
    ? `Product ${rows + 1}, begun on line ${end.line}, is cut off`
    : 'The list is not closed';
  return fileProblem('file_truncated', `${where}; ${before}`);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
