import { isRecord, type JsonRecord } from '../values.ts';
import type { ItemDraft, ItemPrice } from './types.ts';

const READ =
  '@context @id @type @graph additionalProperty url name brand sku mpn gtin gtin8 gtin12 gtin13 gtin14 isbn image offers hasVariant color size material pattern productID proof verification'.split(
    ' ',
  );
const GTINS = ['gtin', 'gtin8', 'gtin12', 'gtin13', 'gtin14', 'isbn'];
const OPTIONS = ['color', 'size', 'material', 'pattern'];
/** Nodes of a graph that are searched for the product. */
const MAX_NODES = 256;

/** The product in a JSON-LD value: itself, or in a list, a graph, an offer or an entry of a list. */
export function productNode(value: unknown): JsonRecord | undefined {
  const products = nodesIn(value).filter(isProductNode);
  // a certificate beside a product is a node of the same type
  return products.find((node) => !('proof' in node)) ?? products[0];
}

/** The nodes of a JSON-LD value. */
export function nodesIn(value: unknown, depth = 0): readonly JsonRecord[] {
  if (Array.isArray(value) && depth < 4)
    return value.slice(0, MAX_NODES).flatMap((one) => nodesIn(one, depth + 1));
  if (!isRecord(value)) return [];
  const inner = depth < 4 ? [value['@graph'], value.itemOffered, value.item, value.mainEntity] : [];
  return [value, ...inner.flatMap((one) => (typeof one === 'object' ? nodesIn(one, depth + 1) : []))];
}

function isProductNode(node: JsonRecord): boolean {
  return allOf(node, '@type').some((type) =>
    /^(?:.*[/:#])?(?:Individual)?Product(?:Group|Model)?$/.test(String(type)),
  );
}

export function schemaOrgDraft(node: JsonRecord): ItemDraft {
  const variants = allOf(node, 'hasVariant').filter(isRecord);
  const parts = [node, ...variants];
  const offers = parts.flatMap((part) => offersOf(part));
  const of = (...names: string[]) => parts.flatMap((part) => names.flatMap((name) => allOf(part, name)));
  const [link] = allOf(node, 'url').map(idOf);
  const prices = offers.flatMap(pricesOf);
  return {
    id: allOf(node, 'sku')[0] ?? allOf(node, 'productID')[0],
    link: link ?? offers.flatMap((offer) => allOf(offer, 'url')).map(idOf)[0],
    links: [...of('url'), ...offers.flatMap((offer) => allOf(offer, 'url'))].map(idOf),
    name: allOf(node, 'name')[0],
    options: OPTIONS.flatMap((name) => allOf(node, name)).map(nameOf),
    brands: allOf(node, 'brand').map(nameOf),
    skus: of('sku'),
    gtins: of(...GTINS),
    pictures: of('image').map(pictureOf),
    prices,
    availability:
      offers.length === 1 ? lastOf(allOf(offers[0] ?? {}, 'availability').map(idOf)[0]) : undefined,
    read: READ,
    unread:
      prices.length === 0 && offers.some((offer) => allOf(offer, 'price').length > 0) ? ['offers.price'] : [],
  };
}

/** All values of a member, under its name, with the prefix of schema.org or by its address. */
function allOf(node: JsonRecord, name: string): unknown[] {
  const spellings = name.startsWith('@')
    ? [name]
    : [name, `schema:${name}`, `https://schema.org/${name}`, `http://schema.org/${name}`];
  return spellings
    .flatMap((spelling) => node[spelling] ?? [])
    .map((value) => (isRecord(value) && '@value' in value ? value['@value'] : value));
}

function offersOf(node: JsonRecord): JsonRecord[] {
  const offers = allOf(node, 'offers').filter(isRecord);
  return offers.flatMap((offer) => {
    const inner = allOf(offer, 'offers').filter(isRecord);
    return inner.length > 0 ? inner : [offer];
  });
}

function pricesOf(offer: JsonRecord): (ItemPrice | undefined)[] {
  const parts = [offer, ...allOf(offer, 'priceSpecification').filter(isRecord)];
  return parts.flatMap((part) => {
    const [currency] = [...allOf(part, 'priceCurrency'), ...allOf(offer, 'priceCurrency')];
    const [tax] = allOf(part, 'valueAddedTaxIncluded');
    return ['price', 'lowPrice', 'highPrice'].flatMap((name) =>
      allOf(part, name).map((price) => priceOf(price, currency, tax)),
    );
  });
}

function priceOf(price: unknown, currency: unknown, tax: unknown): ItemPrice | undefined {
  const amount = String(price).trim();
  if (!/^\d{1,12}(\.\d{1,4})?$/.test(amount) || !/^[A-Z]{3}$/.test(String(currency))) return undefined;
  return { amount, currency: String(currency), ...(typeof tax === 'boolean' ? { includesTax: tax } : {}) };
}

function pictureOf(image: unknown): { readonly url: unknown; readonly sha256?: unknown } {
  if (!isRecord(image)) return { url: image };
  const [url] = [...allOf(image, 'contentUrl'), ...allOf(image, 'url'), ...allOf(image, '@id')];
  return { url, sha256: allOf(image, 'sha256')[0] };
}

function nameOf(value: unknown): unknown {
  return isRecord(value) ? allOf(value, 'name')[0] : value;
}

function idOf(value: unknown): unknown {
  return isRecord(value) ? (value['@id'] ?? allOf(value, 'url')[0]) : value;
}

function lastOf(value: unknown): unknown {
  return typeof value === 'string' ? value.split(/[/:]/).at(-1) : value;
}
