import { DomUtils, parseDocument } from 'htmlparser2';

type ChildNode = ReturnType<typeof parseDocument>['children'][number];
type Element = Extract<ChildNode, { attribs: unknown }>;

/** The properties of the first product in the markup, verbatim. */
export interface Stated {
  readonly name: string | undefined;
  readonly price: string | undefined;
  readonly currency: string | undefined;
  readonly availability: string | undefined;
  readonly sku: string | undefined;
  readonly brand: string | undefined;
}

type Json = Readonly<Record<string, unknown>>;

/** By `JSON.parse` and a search of all members; undefined if no block is a JSON document with a Product. */
export function statedByJsonLd(html: string): Stated | undefined {
  const blocks = [...html.matchAll(/<script[^>]*ld\+json[^>]*>([\s\S]*?)<\/script>/gi)];
  for (const [, source = ''] of blocks) {
    const product = findProduct(parsed(source));
    if (product !== undefined) return ofJson(product);
  }
  return undefined;
}

function parsed(source: string): unknown {
  try {
    return JSON.parse(source) as unknown;
  } catch {
    return undefined;
  }
}

function findProduct(value: unknown): Json | undefined {
  if (Array.isArray(value)) return firstOf(value, findProduct);
  if (typeof value !== 'object' || value === null) return undefined;
  const node = value as Json;
  if ([node['@type']].flat().some((type) => isProduct(type))) return node;
  return firstOf(Object.values(node), findProduct);
}

function isProduct(type: unknown): boolean {
  return typeof type === 'string' && /^(?:https?:\/\/schema\.org\/|schema:)?Product$/.test(type);
}

function firstOf<T, R>(values: readonly T[], find: (value: T) => R | undefined): R | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

function ofJson(node: Json): Stated {
  const offer = first(node.offers);
  const specification = first(offer?.priceSpecification);
  return {
    name: text(node.name),
    price: text(offer?.price) ?? text(offer?.lowPrice) ?? text(specification?.price),
    currency: text(offer?.priceCurrency) ?? text(specification?.priceCurrency),
    availability: text(offer?.availability)?.split('/').at(-1),
    sku: text(node.sku),
    brand: text(node.brand) ?? text(first(node.brand)?.name),
  };
}

function first(value: unknown): Json | undefined {
  const [entry] = [value].flat();
  return typeof entry === 'object' && entry !== null ? (entry as Json) : undefined;
}

function text(value: unknown): string | undefined {
  const [entry] = [value].flat();
  return typeof entry === 'string' || typeof entry === 'number' ? String(entry).trim() : undefined;
}

export function statedByMicrodata(html: string): Stated | undefined {
  return ofElements(html, 'itemprop', 'itemtype');
}

export function statedByRdfa(html: string): Stated | undefined {
  return ofElements(html, 'property', 'typeof');
}

/** The properties of the first element of type Product, found among its descendants. */
function ofElements(html: string, property: string, type: string): Stated | undefined {
  const all = elementsOf(parseDocument(html).children);
  const product = all.find((el) => /(?:^|[/:\s])Product(?:$|\s)/.test(el.attribs[type] ?? ''));
  if (product === undefined) return undefined;
  const inside = elementsOf(product.children);
  const find = (name: string): Element | undefined =>
    inside.find((el) =>
      (el.attribs[property] ?? '').split(/\s+/).some((word) => word.replace(/^.*[:/]/, '') === name),
    );
  const brand = find('brand');
  const brandName = brand && elementsOf(brand.children).find((el) => el.attribs[property] === 'name');
  return {
    name: contentOf(find('name')),
    price: contentOf(find('price')) ?? contentOf(find('lowPrice')),
    currency: contentOf(find('priceCurrency')),
    availability: contentOf(find('availability'))?.split('/').at(-1),
    sku: contentOf(find('sku')),
    brand: contentOf(brandName ?? brand),
  };
}

function elementsOf(nodes: readonly ChildNode[]): Element[] {
  return nodes.flatMap((node) => ('attribs' in node ? [node, ...elementsOf(node.children)] : []));
}

function contentOf(el: Element | undefined): string | undefined {
  if (el === undefined) return undefined;
  const value = el.attribs.content ?? el.attribs.href ?? el.attribs.alt ?? DomUtils.textContent(el);
  return value.replace(/\s+/g, ' ').trim() || undefined;
}
