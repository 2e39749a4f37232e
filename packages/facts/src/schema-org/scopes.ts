import type { El, HtmlDocument } from '@touchstone/page/document';

/** Maximum number of elements whose statements are collected, so that nested hostile scopes stay cheap. */
const MAX_PROPERTIES = 10_000;

/** A node collected from markup, in the shape of JSON-LD with array values, and its element. */
export interface MarkupNode {
  readonly node: Record<string, unknown>;
  readonly el: El;
  /** Properties from the outermost node down to this one; empty for an outermost node. */
  readonly path: readonly string[];
}

/** The statements of one element in its syntax. */
export interface Statement {
  /** Types of the node that begins here; `undefined` if none does. */
  readonly types?: readonly string[];
  readonly id?: string;
  /** Properties of the enclosing node whose value this element gives. */
  readonly properties: readonly string[];
}

/** Properties that are read; others are skipped to save work. */
const WANTED: ReadonlySet<string> = new Set(
  (
    'name title description image url sku productID mpn gtin gtin8 gtin12 gtin13 gtin14 isbn brand manufacturer offers ' +
    'price lowPrice highPrice priceCurrency pricecurrency PriceCurrency currency availability priceSpecification itemOffered hasVariant model ' +
    'mainEntity mainEntityOfPage itemCondition seller priceValidUntil minPrice maxPrice identifier value propertyID logo author contentUrl ' +
    'isRelatedTo isSimilarTo isAccessoryOrSparePartFor isConsumableFor itemListElement item review offerCount priceType ' +
    'inventoryLevel color size productGroupID isVariantOf offeredBy makesOffer ' +
    'hasCertification certificationIdentification certificationRating issuedBy issuer legalName hasDigitalProductPassport sameAs'
  ).split(' '),
);

/** Collects nodes from elements in document order; `say` reads the statements of one element in its syntax. */
export function collectScopes(
  doc: HtmlDocument,
  elements: readonly El[],
  say: (el: El) => Statement | undefined,
): MarkupNode[] {
  const nodes: MarkupNode[] = [];
  const open: MarkupNode[] = [];
  let budget = MAX_PROPERTIES;
  for (const el of elements) {
    const statement = say(el);
    if (statement === undefined) continue;
    while (open.length > 0 && el.index >= (open.at(-1) as MarkupNode).el.end) open.pop();
    const scope = open.at(-1);
    const properties = propertiesIn(scope, statement);
    if (budget-- <= 0) break;
    if (statement.types !== undefined) {
      const node = newNode(statement);
      const [property] = properties;
      const path = scope === undefined || property === undefined ? [] : [...scope.path, property];
      const markup = { node, el, path };
      nodes.push(markup);
      open.push(markup);
      if (scope !== undefined) for (const name of properties) add(scope.node, name, node);
    } else if (scope !== undefined) {
      for (const name of properties) add(scope.node, name, elementValue(doc, el, name));
    }
  }
  return nodes;
}

/** The properties of the scope that a statement sets. An Offer within a Product becomes its offer even without a property. */
function propertiesIn(scope: MarkupNode | undefined, { types, properties }: Statement): string[] {
  if (scope === undefined) return [];
  const wanted = properties.filter((name) => WANTED.has(name));
  if (wanted.length > 0 || types === undefined) return wanted;
  const isOffer = types.includes('Offer') || types.includes('AggregateOffer');
  const scopeTypes = scope.node['@type'];
  return isOffer && Array.isArray(scopeTypes) && scopeTypes.includes('Product') ? ['offers'] : [];
}

function newNode(statement: Statement): Record<string, unknown> {
  // no prototype: names come from the page
  const node = Object.create(null) as Record<string, unknown>;
  node['@type'] = statement.types;
  if (statement.id !== undefined) node['@id'] = statement.id;
  return node;
}

export function add(node: Record<string, unknown>, name: string, value: unknown): void {
  const known = node[name];
  if (Array.isArray(known)) known.push(value);
  else node[name] = [value];
}

const ADDRESS_ATTRIBUTE: ReadonlyMap<string, readonly string[]> = new Map([
  ['a', ['href']],
  ['area', ['href']],
  ['link', ['href']],
  ['img', ['src', 'data-src']],
  ['source', ['src']],
  ['video', ['src']],
  ['object', ['data']],
  ['iframe', ['src']],
]);

/** Properties whose value is a URL; for others, a link's text is used. */
const ADDRESS_PROPERTIES: ReadonlySet<string> = new Set(
  'url image availability itemCondition logo mainEntityOfPage contentUrl hasCertification hasDigitalProductPassport sameAs'.split(
    ' ',
  ),
);

/**
 * Value of a property (HTML, "Microdata", 5.2.4; RDFa Lite). `content` is used on every element, as search engines
 * do.
 */
export function elementValue(doc: HtmlDocument, el: El, property: string): string {
  const content = doc.attr(el, 'content');
  if (content !== undefined) return content;
  if (el.name === 'meta') return '';
  if (el.name === 'img' && BRANDS.has(property)) return doc.attr(el, 'alt') ?? '';
  const addresses = ADDRESS_ATTRIBUTE.get(el.name);
  if (addresses !== undefined && (ADDRESS_PROPERTIES.has(property) || el.name !== 'a')) {
    for (const name of addresses) {
      const value = doc.attr(el, name);
      if (value !== undefined && !value.startsWith('data:')) return value;
    }
  }
  if (el.name === 'data' || el.name === 'meter' || el.name === 'input') {
    const value = doc.attr(el, 'value');
    if (value !== undefined) return value;
  }
  if (el.name === 'time') return doc.attr(el, 'datetime') ?? doc.text(el, 200);
  if (BRANDS.has(property)) return linesOf(doc, el) || logoText(doc, el);
  if (property === 'sku') return linesOf(doc, el);
  return doc.text(el, property === 'description' ? 6_000 : 600);
}

const BRANDS: ReadonlySet<string> = new Set(['brand', 'manufacturer']);
const LINE_END = /<(?:br|\/?(?:div|p|li|ul|dd|dt|tr|td|h\d|section))\b/i;
const MOST_LINES = 20;

/** Text with line breaks at block elements and `<br>`. */
function linesOf(doc: HtmlDocument, el: El): string {
  let out = '';
  for (let i = el.textFrom; i < Math.min(el.textTo, el.textFrom + MOST_LINES); i++) {
    const text = doc.run(i, 600).replace(/\s+/g, ' ');
    const between = i === el.textFrom ? '' : doc.source.slice(doc.textEnd[i - 1], doc.textStart[i]);
    out += (LINE_END.test(between) ? '\n' : doc.textBreak[i] ? ' ' : '') + text;
  }
  return out.trim();
}

const MOST_ELEMENTS = 10;

/** Alternative text of the logo that is shown in place of a name. */
function logoText(doc: HtmlDocument, el: El): string {
  const logo = doc.elements
    .slice(el.index, Math.min(el.end, el.index + MOST_ELEMENTS))
    .find(({ name }) => name === 'img');
  return (logo && doc.attr(logo, 'alt')) ?? '';
}
