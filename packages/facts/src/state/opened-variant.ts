import { type El, type HtmlDocument, isNode, type Node, type PageIndex } from '@touchstone/page/document';
import { parseLiteral } from './literal.ts';

/** How a page identifies the variant that it shows, the most reliable first. */
export type ChosenBy = 'address' | 'selection' | 'analytics';

/** The variant that a Shopify page opens with, with raw values from the shop's data. */
export interface OpenedVariant {
  /** Database id. */
  readonly id: string;
  readonly chosenBy: ChosenBy;
  /** Its options as text; absent for a product without variants. */
  readonly title?: string;
  /** In units of the currency, not cents. */
  readonly price?: string;
  readonly currency?: string;
  readonly sku?: string;
  readonly vendor?: string;
  /** Whether it can be bought; present only if the page contains the shop's full record of the variant. */
  readonly available?: boolean;
  /** Database ids of the product and its variants, which are not article numbers. */
  readonly ids: ReadonlySet<string>;
  /** Prices of all variants, in units of the currency. */
  readonly prices: readonly string[];
  /** Number of variants. */
  readonly of: number;
}

/**
 * The variant that a Shopify page shows: the one that its URL names, else the one selected in its form, else the one in
 * its analytics call (`Viewed Product`), chosen by the shop's server. `undefined` on other pages.
 */
export function openedVariant(doc: HtmlDocument, index: PageIndex, url: string): OpenedVariant | undefined {
  const viewed = literalAt(doc, index, VIEWED);
  const product = productOf(literalAt(doc, index, META));
  const viewedId = viewed === undefined ? undefined : idText(viewed.variantId);
  const variants = product === undefined ? [] : listOf(product.variants);
  const ids = new Set(variants.flatMap((variant) => idText(variant.id) ?? []));
  if (ids.size === 0 && viewedId === undefined) return undefined;
  if (viewedId !== undefined) ids.add(viewedId);
  const named = URL.parse(url)?.searchParams.get('variant') ?? undefined;
  const choice = chosen([
    ['address', named !== undefined && ids.has(named) ? named : undefined],
    ['selection', variants.length === 1 ? [...ids][0] : selectedId(doc, index, ids)],
    ['analytics', viewedId === undefined ? undefined : firstToBuy(doc, index, viewedId, ids)],
  ]);
  if (choice === undefined) return undefined;
  const [chosenBy, id] = choice;
  const available = stockOf(doc, index, id);
  const variant = variants.find((each) => idText(each.id) === id);
  const call = viewedId === id ? viewed : undefined;
  return {
    id,
    chosenBy,
    of: ids.size,
    prices: variants.flatMap(({ price }) => inUnits(price) ?? []),
    ids: new Set([...ids, ...[product?.id, viewed?.productId].flatMap((each) => idText(each) ?? [])]),
    ...given('title', call?.variant ?? variant?.public_title),
    ...given('price', call?.price ?? inUnits(variant?.price)),
    ...given('currency', call?.currency),
    ...given('sku', call?.sku ?? variant?.sku),
    ...given('vendor', call?.brand ?? product?.vendor),
    ...(available !== undefined && { available }),
  };
}

function chosen(
  choices: readonly (readonly [ChosenBy, string | undefined])[],
): readonly [ChosenBy, string] | undefined {
  for (const [by, id] of choices) if (id !== undefined) return [by, id];
  return undefined;
}

function given<Key extends string>(key: Key, value: unknown): { [K in Key]?: string } {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== ''
    ? ({ [key]: text.trim() } as { [K in Key]?: string })
    : {};
}

/** The code before the two literals. */
const VIEWED = /\.track\(\s*"Viewed Product"\s*,\s*(?=\{)/g;
const META = /\bvar meta\s*=\s*(?=\{)/g;
const LONGEST = 200_000;
const MAX_FOUND = 5;

/** The first object literal in a script that follows a match of `opener`. */
function literalAt(doc: HtmlDocument, index: PageIndex, opener: RegExp): Node | undefined {
  const { source } = doc;
  const word = opener === VIEWED ? '"Viewed Product"' : 'var meta';
  let left = MAX_FOUND;
  for (const { innerFrom, innerTo } of index.scripts) {
    const script = source.slice(innerFrom, innerTo);
    // a plain search first: it is cheap, and most pages contain neither
    for (let at = script.indexOf(word); at >= 0 && left > 0; at = script.indexOf(word, at + 1), left--) {
      opener.lastIndex = 0;
      const from = Math.max(0, at - 40);
      const found = opener.exec(script.slice(from, at + 80));
      if (found === null) continue;
      const parsed = parseLiteral(source, innerFrom + from + found.index + found[0].length, LONGEST);
      doc.work.spendOn(parsed.length);
      if (isNode(parsed.value)) return parsed.value;
    }
  }
  return undefined;
}

/** Maximum number of variants whose stock is searched if the first is sold out. */
const MAX_ASKED = 20;

/**
 * The variant of the analytics call, or if it is sold out, the first that can be bought, since pages open with that one.
 * `undefined` if none is known to be available and the stock of some is unknown.
 */
function firstToBuy(
  doc: HtmlDocument,
  index: PageIndex,
  viewed: string,
  ids: ReadonlySet<string>,
): string | undefined {
  if (stockOf(doc, index, viewed) !== false) return viewed;
  const stocks = [...ids].slice(0, MAX_ASKED).map((id) => [id, stockOf(doc, index, id)] as const);
  const toBuy = stocks.find(([, available]) => available === true);
  if (toBuy !== undefined) return toBuy[0];
  return stocks.every(([, available]) => available === false) ? viewed : undefined;
}

/** Whether a variant can be bought: `available` of the object with its id, in a script or an attribute. */
function stockOf(doc: HtmlDocument, index: PageIndex, id: string): boolean | undefined {
  const { source } = doc;
  for (const quote of ['"', '&quot;']) {
    const opener = `{${quote}id${quote}:${id},`;
    doc.work.spendOn(source.length / SEARCHED_AT_ONCE);
    for (
      let at = source.indexOf(opener), n = 0;
      at >= 0 && n < MAX_FOUND;
      at = source.indexOf(opener, at + 1), n++
    ) {
      if (quote === '"' && !isInScript(index, at)) continue;
      const { value, length } = parseLiteral(...textAt(source, at, quote), LONGEST_RECORD);
      doc.work.spendOn(length);
      if (isNode(value) && typeof value.available === 'boolean') return value.available;
    }
  }
  return undefined;
}

/** Characters that a string search covers in the time of parsing one character. */
const SEARCHED_AT_ONCE = 32;
/** Maximum characters of a variant's record. */
const LONGEST_RECORD = 20_000;

/** Text and start of a record; in attributes, the quotes are decoded. */
function textAt(source: string, at: number, quote: string): readonly [string, number] {
  if (quote === '"') return [source, at];
  return [source.slice(at, at + LONGEST_RECORD).replaceAll(quote, '"'), 0];
}

function isInScript({ scripts }: PageIndex, at: number): boolean {
  return scripts.some(({ innerFrom, innerTo }) => innerFrom <= at && at < innerTo);
}

function productOf(meta: Node | undefined): Node | undefined {
  return meta !== undefined && isNode(meta.product) ? meta.product : undefined;
}

const MAX_VARIANTS = 500;

function listOf(value: unknown): Node[] {
  return Array.isArray(value) ? value.slice(0, MAX_VARIANTS).filter(isNode) : [];
}

function idText(value: unknown): string | undefined {
  return typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : undefined;
}

/** Converts a price from cents: Shopify's data counts in hundredths in every currency. */
function inUnits(price: unknown): string | undefined {
  return Number.isInteger(price) ? ((price as number) / 100).toFixed(2) : undefined;
}

/**
 * The variant that the form would add to the cart: the value of its `id` field, if all forms for this product
 * agree.
 */
function selectedId(doc: HtmlDocument, index: PageIndex, ids: ReadonlySet<string>): string | undefined {
  const found = new Set<string>();
  const add = (el: El): void => {
    const value = doc.attr(el, 'value')?.trim();
    if (value !== undefined && ids.has(value)) found.add(value);
  };
  for (const el of index.inputs) {
    if (doc.attr(el, 'name') !== 'id' || doc.hasAttr(el, 'disabled')) continue;
    if (doc.attr(el, 'type') !== 'radio' || doc.hasAttr(el, 'checked')) add(el);
  }
  for (const el of doc.elements) {
    if (el.name !== 'option' || !doc.hasAttr(el, 'selected')) continue;
    const select = el.parent?.name === 'optgroup' ? el.parent.parent : el.parent;
    if (select?.name === 'select' && doc.attr(select, 'name') === 'id') add(el);
  }
  return found.size === 1 ? [...found][0] : undefined;
}
