import { columnsOf, delimiterOf } from './delimited.ts';
import { isFeedHeader } from './feed-columns.ts';
import { JsonSplitter } from './json-splitter.ts';
import { isRegistryRow } from './registry-json.ts';
import { isShopifyCsvHeader } from './shopify-csv.ts';
import { isShopifyProduct } from './shopify-json.ts';
import type { CatalogueShape } from './types.ts';
import { isRecord, type JsonRecord } from './values.ts';
import { isRestProduct, isStoreApiProduct } from './woocommerce.ts';
import { isWooCsvHeader } from './woocommerce-csv.ts';

/**
 * Detects the shape of a catalogue from its beginning.
 *
 * @param text the file, or as much of its beginning as holds the first product
 * @returns `null` for anything else
 * @example
 * ```ts
 * import { detectShape } from '@touchstone/catalogue';
 *
 * detectShape('{"products":[{"id":1,"title":"Lamp","handle":"lamp"}]}'); // 'shopify-json'
 * ```
 */
export function detectShape(text: string): CatalogueShape | null {
  const start = text.replace(/^\uFEFF/, '').trimStart();
  if (looksLikeXml(start)) return 'google-xml';
  if (!looksLikeJson(start)) return shapeOfHeader(firstLineOf(start));
  for (const element of new JsonSplitter().push(start)) {
    const first = 'text' in element ? productsIn(parseOrUndefined(element.text))[0] : undefined;
    return isRecord(first) ? shapeOfProduct(first) : null;
  }
  return null;
}

/** The first line, or the beginning of a longer one. */
export function firstLineOf(text: string): string {
  const end = /[\r\n]/.exec(text)?.index ?? MAX_HEADER;
  return text.slice(0, Math.min(end, MAX_HEADER));
}

/** Characters of a header by which the shape is detected. */
const MAX_HEADER = 65_536;

/** The shape of a delimited file, by its first line. */
export function shapeOfHeader(firstLine: string): CatalogueShape | null {
  if (isShopifyCsvHeader(firstLine)) return 'shopify-csv';
  const columns = columnsOf(firstLine.split(delimiterOf(firstLine)));
  if (isWooCsvHeader(columns)) return 'woocommerce-csv';
  return isFeedHeader(columns) ? 'google-tsv' : null;
}

/** Any XML except HTML; its root element decides what it is. */
export function looksLikeXml(start: string): boolean {
  return start.startsWith('<') && !/^<(!doctype html|html|head|body)\b/i.test(start);
}

export function looksLikeJson(start: string): boolean {
  return start.startsWith('{') || start.startsWith('[');
}

/** Shapes that are JSON. */
export type JsonShape = Extract<
  CatalogueShape,
  'shopify-json' | 'woocommerce-store-api' | 'woocommerce-rest-v3' | 'registry'
>;

/** The shape of one product of a list; `null` if it is not a product. */
export function shapeOfProduct(value: JsonRecord): JsonShape | null {
  if (isRegistryRow(value)) return 'registry';
  if (isShopifyProduct(value)) return 'shopify-json';
  if (isStoreApiProduct(value)) return 'woocommerce-store-api';
  return isRestProduct(value) ? 'woocommerce-rest-v3' : null;
}

/** Nesting of lists; deeper ones could exhaust the stack. */
const MAX_LIST_DEPTH = 4;

/**
 * The products of one list element: itself, or those of a captured page (`{products: […]}`, also under `data` or
 * the like), or of a single-product answer (`{product: {…}}`), or of a list of pages.
 */
export function productsIn(value: unknown): readonly unknown[] {
  return placedProducts(value, []).map((placed) => placed.value);
}

/** Members and indexes that lead to a value. */
export type Path = readonly (string | number)[];

/** The same with where they stand. */
export function placedProducts(
  value: unknown,
  path: Path = [],
  depth = 0,
): readonly { readonly value: unknown; readonly path: Path }[] {
  if (Array.isArray(value) && depth < MAX_LIST_DEPTH)
    return value.flatMap((inner, at) => placedProducts(inner, [...path, at], depth + 1));
  if (!isRecord(value) || shapeOfProduct(value) !== null) return [{ value, path }];
  if (Array.isArray(value.products)) return placedAll(value.products, [...path, 'products']);
  if (isRecord(value.product)) return [{ value: value.product, path: [...path, 'product'] }];
  const pages = Object.entries(value).filter(
    ([, inner]) => isRecord(inner) && Array.isArray(inner.products),
  ) as [string, { products: unknown[] }][];
  return pages.length > 0
    ? pages.flatMap(([name, { products }]) => placedAll(products, [...path, name, 'products']))
    : [{ value, path }];
}

function placedAll(values: readonly unknown[], path: Path) {
  return values.map((value, at) => ({ value, path: [...path, at] }));
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
