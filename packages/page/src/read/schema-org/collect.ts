import type { HtmlDocument } from '../dom/document.ts';
import type { PageIndex } from '../dom/page-index.ts';
import type { Graph } from '../json-ld/graph.ts';
import { readMicrodata } from './microdata.ts';
import { type Node, nodesOf } from './node.ts';
import { readProduct } from './product.ts';
import { readRdfa } from './rdfa.ts';
import type { ProductRecord } from './record.ts';
import type { MarkupNode } from './scopes.ts';

/** Records that are looked at; a page of more products than this is a listing. */
const MAX_RECORDS = 500;

/** How much each syntax is worth when they disagree. */
const TRUST = { jsonLd: 1, microdata: 0.9, rdfa: 0.85 } as const;

/** Every product that the page's structured data states, in all three syntaxes. */
export function collectProducts(doc: HtmlDocument, index: PageIndex, graph: Graph): ProductRecord[] {
  const records: ProductRecord[] = [];
  const resolve = (node: Node): Node => {
    const id = Object.hasOwn(node, '@id') ? node['@id'] : undefined;
    if (typeof id !== 'string' || Object.keys(node).length > 2) return node;
    return graph.byId.get(id) ?? node;
  };
  const owned = new Set<Node>();
  for (const { node, path } of graph.nodes) {
    if (records.length >= MAX_RECORDS) break;
    if (Object.keys(node).length <= 2 && resolve(node) !== node) continue;
    if (owned.has(node)) continue;
    const record = readProduct(node, {
      path,
      source: 'jsonld',
      prefix: '',
      trust: TRUST.jsonLd,
      order: records.length,
      resolve,
    });
    if (record === undefined) continue;
    records.push(record);
    for (const offered of nodesOf(node, 'itemOffered')) owned.add(offered);
  }
  addMarkup(records, readMicrodata(doc, index), 'microdata:', TRUST.microdata);
  addMarkup(records, readRdfa(doc, index), 'rdfa:', TRUST.rdfa);
  return records;
}

function addMarkup(
  records: ProductRecord[],
  nodes: readonly MarkupNode[],
  prefix: string,
  trust: number,
): void {
  for (const { node, path } of nodes) {
    if (records.length >= MAX_RECORDS) return;
    const record = readProduct(node, {
      path,
      source: 'html',
      prefix,
      trust,
      order: records.length,
      resolve: (inner) => inner,
    });
    if (record !== undefined) records.push(record);
  }
}
