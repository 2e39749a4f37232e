import { type El, type HtmlDocument, localName, type PageIndex } from '@touchstone/page/document';
import { add, collectScopes, elementValue, type MarkupNode, type Statement } from './scopes.ts';

const MAX_REFS = 20;
const MAX_REF_PROPERTIES = 500;

/** The nodes that a page states in attributes of its elements. */
export interface Markup {
  readonly microdata: readonly MarkupNode[];
  readonly rdfa: readonly MarkupNode[];
}

export function readMarkup(doc: HtmlDocument, index: PageIndex): Markup {
  return { microdata: readMicrodata(doc, index), rdfa: readRdfa(doc, index) };
}

/** Reads items of HTML microdata (HTML Living Standard, section 5). */
function readMicrodata(doc: HtmlDocument, index: PageIndex): MarkupNode[] {
  const nodes = collectScopes(doc, index.microdata, (el) => itemStatement(doc, el));
  let refs = 0;
  for (const { node, el } of nodes) {
    const itemref = doc.attr(el, 'itemref');
    if (itemref === undefined) continue;
    for (const id of words(itemref)) {
      const target = index.byId.get(id);
      if (target === undefined || ++refs > MAX_REFS) continue;
      takeProperties(doc, index, target, node);
    }
  }
  return nodes;
}

/** Adds the properties in an element referenced by `itemref`, except those of nested items. */
function takeProperties(
  doc: HtmlDocument,
  index: PageIndex,
  target: El,
  node: Record<string, unknown>,
): void {
  let skipUntil = 0;
  let left = MAX_REF_PROPERTIES;
  for (const el of index.microdata) {
    if (el.index < skipUntil || !doc.contains(target, el)) continue;
    if (left-- <= 0) return;
    if (doc.hasAttr(el, 'itemscope')) skipUntil = el.end;
    else for (const name of propertiesOf(doc, el)) add(node, name, elementValue(doc, el, name));
  }
}

function itemStatement(doc: HtmlDocument, el: El): Statement {
  const properties = propertiesOf(doc, el);
  if (!doc.hasAttr(el, 'itemscope')) return { properties };
  const types = words(doc.attr(el, 'itemtype') ?? '').map(localName);
  const id = doc.attr(el, 'itemid');
  return id === undefined ? { types, properties } : { types, properties, id };
}

function propertiesOf(doc: HtmlDocument, el: El): string[] {
  return words(doc.attr(el, 'itemprop') ?? '').map(localName);
}

/** Properties that are read outside of items, since only products have them. */
const LOOSE: ReadonlySet<string> = new Set(
  'price priceCurrency availability sku mpn brand productID'.split(' '),
);

/**
 * Reads product properties outside of all items, which are invalid but common, as one product.
 *
 * @returns `undefined` if there are none, or if one has several values
 */
export function looseProperties(doc: HtmlDocument, index: PageIndex): Record<string, unknown> | undefined {
  const node = Object.create(null) as Record<string, unknown>;
  let until = 0;
  for (const el of index.microdata) {
    if (el.index < until) continue;
    if (doc.hasAttr(el, 'itemscope')) {
      until = el.end;
      continue;
    }
    for (const name of propertiesOf(doc, el)) {
      if (!LOOSE.has(name)) continue;
      const value = elementValue(doc, el, name).trim();
      if (node[name] !== undefined && node[name] !== value) return undefined;
      if (value !== '') node[name] = value;
    }
  }
  if (Object.keys(node).length === 0) return undefined;
  node['@type'] = 'Product';
  return node;
}

function words(text: string): string[] {
  return text.length > 1_000 ? [] : text.split(/\s+/).filter((word) => word !== '');
}

const SCHEMA_VOCAB = /^https?:\/\/(?:www\.)?(?:schema\.org|data-vocabulary\.org)\/?#?$/i;
const SCHEMA_TERM = /^(?:https?:\/\/(?:www\.)?(?:schema\.org|data-vocabulary\.org)\/)(?=\w)/i;

/** Reads nodes of RDFa Lite 1.1 in schema.org's vocabulary, named by `vocab`, a prefix, or full IRIs. */
function readRdfa(doc: HtmlDocument, index: PageIndex): MarkupNode[] {
  if (!index.rdfa.some((el) => doc.hasAttr(el, 'typeof'))) return [];
  const prefixes = schemaPrefixes(doc, index);
  const vocabOf = createVocabOf(doc);
  return collectScopes(doc, index.rdfa, (el) => rdfaStatement(doc, el, prefixes, vocabOf));
}

function rdfaStatement(
  doc: HtmlDocument,
  el: El,
  prefixes: ReadonlySet<string>,
  vocabOf: (el: El) => boolean,
): Statement | undefined {
  const typeOf = doc.attr(el, 'typeof');
  const property = doc.attr(el, 'property');
  if (typeOf === undefined && property === undefined) return undefined;
  const inVocab = vocabOf(el);
  const read = (terms: string | undefined): string[] =>
    (terms ?? '')
      .slice(0, 1_000)
      .split(/\s+/)
      .map((word) => term(word, inVocab, prefixes))
      .filter((word) => word !== '');
  const properties = read(property);
  if (typeOf === undefined) return { properties };
  const id = doc.attr(el, 'resource') ?? doc.attr(el, 'about');
  return id === undefined ? { types: read(typeOf), properties } : { types: read(typeOf), properties, id };
}

/** Local name of a schema.org term; empty for other terms. */
function term(word: string, inVocab: boolean, prefixes: ReadonlySet<string>): string {
  if (SCHEMA_TERM.test(word)) return localName(word);
  const colon = word.indexOf(':');
  if (colon < 0) return inVocab ? word : '';
  return prefixes.has(word.slice(0, colon)) ? word.slice(colon + 1) : '';
}

/** Creates a cached test of whether the nearest `vocab`, on the element or an ancestor, is schema.org's. */
function createVocabOf(doc: HtmlDocument): (el: El) => boolean {
  const known = new Map<El, boolean>();
  const vocabOf = (el: El): boolean => {
    const before = known.get(el);
    if (before !== undefined) return before;
    const vocab = doc.attr(el, 'vocab');
    // the recursion is limited by the depth of the tree (`BOUNDS.depth`)
    const inVocab =
      vocab === undefined ? el.parent !== null && vocabOf(el.parent) : SCHEMA_VOCAB.test(vocab.trim());
    known.set(el, inVocab);
    return inVocab;
  };
  return vocabOf;
}

/** Prefixes bound to schema.org, including the predefined `schema` (RDFa initial context). */
function schemaPrefixes(doc: HtmlDocument, index: PageIndex): Set<string> {
  const prefixes = new Set(['schema']);
  const carriers = [index.html, index.body, ...index.rdfa.slice(0, 200)];
  for (const el of carriers) {
    if (el === null) continue;
    for (let i = el.attrFrom; i < el.attrTo; i++) {
      const name = doc.attrNames[i] ?? '';
      if (name === 'prefix') {
        for (const [, prefix, iri] of doc
          .attrValue(i)
          .slice(0, 2_000)
          .matchAll(/(?<!\w)(\w+):\s+(\S+)/g)) {
          if (prefix !== undefined && SCHEMA_VOCAB.test(iri ?? '')) prefixes.add(prefix);
        }
      } else if (name.startsWith('xmlns:') && SCHEMA_VOCAB.test(doc.attrValue(i)))
        prefixes.add(name.slice(6));
    }
  }
  return prefixes;
}
