import type { El, HtmlDocument } from '../dom/document.ts';
import type { PageIndex } from '../dom/page-index.ts';
import { localName } from './node.ts';
import { collectScopes, type MarkupNode, type Statement } from './scopes.ts';

const SCHEMA_VOCAB = /^https?:\/\/(?:www\.)?(?:schema\.org|data-vocabulary\.org)\/?#?$/i;
const SCHEMA_TERM = /^(?:https?:\/\/(?:www\.)?(?:schema\.org|data-vocabulary\.org)\/)(?=\w)/i;

/** Nodes of RDFa Lite 1.1 in schema.org's vocabulary: by `vocab`, by a prefix, or by full IRI. */
export function readRdfa(doc: HtmlDocument, index: PageIndex): MarkupNode[] {
  if (!index.rdfa.some((el) => doc.hasAttr(el, 'typeof'))) return [];
  const prefixes = schemaPrefixes(doc, index);
  return collectScopes(doc, index.rdfa, (el) => statementOf(doc, el, prefixes));
}

function statementOf(doc: HtmlDocument, el: El, prefixes: ReadonlySet<string>): Statement | undefined {
  const typeOf = doc.attr(el, 'typeof');
  const property = doc.attr(el, 'property');
  if (typeOf === undefined && property === undefined) return undefined;
  const inVocab = vocabOf(doc, el);
  const read = (words: string | undefined): string[] =>
    (words ?? '')
      .slice(0, 1_000)
      .split(/\s+/)
      .map((word) => term(word, inVocab, prefixes))
      .filter((word) => word !== '');
  const properties = read(property);
  if (typeOf === undefined) return { properties };
  const id = doc.attr(el, 'resource') ?? doc.attr(el, 'about');
  return id === undefined ? { types: read(typeOf), properties } : { types: read(typeOf), properties, id };
}

/** Local name of a term of schema.org, or nothing. */
function term(word: string, inVocab: boolean, prefixes: ReadonlySet<string>): string {
  if (SCHEMA_TERM.test(word)) return localName(word);
  const colon = word.indexOf(':');
  if (colon < 0) return inVocab ? word : '';
  return prefixes.has(word.slice(0, colon)) ? word.slice(colon + 1) : '';
}

/** Whether the nearest `vocab` above (or here) is schema.org's. */
function vocabOf(doc: HtmlDocument, el: El): boolean {
  for (let at: El | null = el; at !== null; at = at.parent) {
    const vocab = doc.attr(at, 'vocab');
    if (vocab !== undefined) return SCHEMA_VOCAB.test(vocab.trim());
  }
  return false;
}

/** Prefixes bound to schema.org: `schema` is predefined (RDFa initial context). */
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
          .matchAll(/(\w+):\s+(\S+)/g)) {
          if (prefix !== undefined && SCHEMA_VOCAB.test(iri ?? '')) prefixes.add(prefix);
        }
      } else if (name.startsWith('xmlns:') && SCHEMA_VOCAB.test(doc.attrValue(i)))
        prefixes.add(name.slice(6));
    }
  }
  return prefixes;
}
