import { type JsonShape, productsIn, shapeOfProduct } from './detect.ts';
import { type Draft, fileProblem, problemRow, type Reading, rowOfDraft } from './draft.ts';
import { type JsonElement, type JsonEnd, JsonSplitter } from './json-splitter.ts';
import { CATALOGUE_LIMITS, overLimit } from './limits.ts';
import { registryDraft } from './registry-json.ts';
import { shopifyDraft } from './shopify-json.ts';
import type { CatalogueRow, CatalogueShape, ProblemRow } from './types.ts';
import { identifier, isRecord, type JsonRecord, truncate } from './values.ts';
import { isVariation, restDraft, storeApiDraft } from './woocommerce.ts';

export async function* readJsonPieces(
  pieces: AsyncIterable<string>,
  reading: Reading,
): AsyncGenerator<CatalogueRow, void, undefined> {
  const splitter = new JsonSplitter();
  let row = 0;
  for await (const piece of pieces) {
    for (const element of splitter.push(piece)) {
      for (const value of valuesOf(element)) yield rowOf(value, ++row, reading);
    }
  }
  const { last, end } = splitter.end();
  if (last !== undefined) for (const value of valuesOf(last)) yield rowOf(value, ++row, reading);
  if (end.kind !== 'complete') yield endProblem(end, row);
}

/** Why an element has no values. */
class Unreadable {
  readonly code: 'row_not_json' | 'row_too_large';
  readonly detail: string;

  constructor(code: Unreadable['code'], detail: string) {
    this.code = code;
    this.detail = detail;
  }
}

function valuesOf(element: JsonElement): readonly unknown[] {
  if ('over' in element) {
    const detail = `It begins on line ${element.line}. ${overLimit(element.over)}`;
    return [new Unreadable('row_too_large', detail)];
  }
  try {
    return productsIn(JSON.parse(element.text));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [new Unreadable('row_not_json', truncate(message))];
  }
}

/** Names of fields in a message. */
const SHOWN_FIELDS = 20;

function rowOf(value: unknown, row: number, reading: Reading): CatalogueRow {
  if (value instanceof Unreadable) return problemRow(row, value.code, value.detail);
  if (!isRecord(value)) return problemRow(row, 'row_not_product', `It is ${kindOf(value)}.`);
  const shape = jsonShape(reading.shape) ?? shapeOfProduct(value);
  if (shape === null) {
    return problemRow(
      row,
      'row_not_product',
      `It has the fields ${truncate(Object.keys(value).slice(0, SHOWN_FIELDS).join(', '), 160)}; a row of the registry has externalProductId, name and url.`,
    );
  }
  const draft = draftOf(shape, value, reading.store);
  if (Object.keys(value).length > CATALOGUE_LIMITS.members.most)
    return problemRow(row, 'row_too_large', overLimit('members'), draft.externalProductId);
  if (isVariation(value)) {
    const parent = identifier(value.parent ?? value.parent_id) ?? '?';
    return problemRow(row, 'variation', `It belongs to product ${parent}.`, draft.externalProductId);
  }
  return rowOfDraft(draft, { row, shape }, reading);
}

const isJsonShape = (shape: CatalogueShape): shape is JsonShape =>
  /^(shopify-json|woocommerce-store-api|woocommerce-rest-v3|registry)$/.test(shape);

function jsonShape(shape: CatalogueShape | undefined): JsonShape | undefined {
  return shape !== undefined && isJsonShape(shape) ? shape : undefined;
}

/** The product that a value of this form states. */
export function draftOf(shape: JsonShape, value: JsonRecord, store: URL): Draft {
  switch (shape) {
    case 'shopify-json':
      return shopifyDraft(value, store);
    case 'woocommerce-store-api':
      return storeApiDraft(value);
    case 'woocommerce-rest-v3':
      return restDraft(value);
    case 'registry':
      return registryDraft(value);
  }
}

export function endProblem(end: Exclude<JsonEnd, { kind: 'complete' }>, rows: number): ProblemRow {
  const before = `${rows} ${rows === 1 ? 'product' : 'products'} came before.`;
  const where = end.inElement
    ? `Product ${rows + 1}, begun on line ${end.line}, is truncated`
    : 'The list is not closed';
  return fileProblem('file_truncated', `${where}; ${before}`);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
