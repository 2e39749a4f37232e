import type { El, Findings, Graph, HtmlDocument, Node, PageIndex, Work } from '@touchstone/page/document';
import { nodesOf } from '../markup-node.ts';
import { RECORD } from '../weights.ts';
import { looseProperties, type Markup } from './markup.ts';
import { readProduct } from './product.ts';
import type { ProductRecord } from './record.ts';
import type { MarkupNode } from './scopes.ts';

/** Maximum number of records; a page with more products is a listing. */
const MAX_RECORDS = 200;

/** Maximum number of values read through `@id` references in total: a node is read once for each reference to it. */
const MAX_REFERRED = 100_000;

/** All product records in the page's JSON-LD, microdata and RDFa. */
export function collectProducts(
  doc: HtmlDocument,
  index: PageIndex,
  graph: Graph,
  markup: Markup,
  findings: Findings,
): ProductRecord[] {
  const records: ProductRecord[] = [];
  const resolve = createResolve(graph, findings, doc.work);
  const owned = new Set<Node>();
  for (const { node, path } of graph.nodes) {
    if (records.length >= MAX_RECORDS) break;
    doc.work.spend();
    if (referred(node, graph) !== node) continue;
    if (owned.has(node) || isBareCertificate(node)) continue;
    const record = readProduct(shopsOwn(node), {
      path,
      source: 'jsonld',
      prefix: '',
      weight: RECORD.jsonLd,
      order: records.length,
      resolve,
    });
    if (record === undefined) continue;
    records.push(record);
    for (const offered of nodesOf(node, 'itemOffered')) owned.add(offered);
  }
  addMarkup(records, withAddresses(doc, markup.microdata), 'microdata:', RECORD.microdata);
  addMarkup(records, withAddresses(doc, markup.rdfa), 'rdfa:', RECORD.rdfa);
  const loose = looseProperties(doc, index);
  if (loose !== undefined) addMarkup(records, [{ node: loose, path: [] }], 'itemprop:', RECORD.loose);
  return records;
}

/** Creates a function that resolves references, up to `MAX_REFERRED` values; beyond it, references are left unresolved. */
function createResolve(graph: Graph, findings: Findings, work: Work): (node: Node) => Node {
  const known = new Map<Node, { readonly own: Node; readonly size: number }>();
  let left = MAX_REFERRED;
  return (node) => {
    const target = referred(node, graph);
    if (target === node) return shopsOwn(node);
    const full = known.get(target) ?? { own: shopsOwn(target), size: sizeOf(target, MAX_REFERRED) };
    known.set(target, full);
    if (full.size > left) {
      findings.add('graph_capped');
      return node;
    }
    left -= full.size;
    work.spend(full.size);
    return full.own;
  };
}

/** Resolves a reference (`{"@id": …}`); returns any other node unchanged. */
export function referred(node: Node, graph: Graph): Node {
  const id = Object.hasOwn(node, '@id') ? node['@id'] : undefined;
  return typeof id === 'string' && isShort(node) ? (graph.byId.get(id) ?? node) : node;
}

/** Whether a node has at most two keys. */
function isShort(node: Node): boolean {
  let keys = 0;
  for (const _ in node) if (++keys > 2) return false;
  return true;
}

/** Number of values in a node, including itself; counting stops above `most`. */
function sizeOf(node: Node, most: number): number {
  const stack: unknown[] = [node];
  let size = 0;
  while (stack.length > 0 && size <= most) {
    const value = stack.pop();
    size++;
    if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) stack.push(inner);
  }
  return size + stack.length;
}

/** The property that marks a certificate, with the prefix `svc:` or as a full IRI of any service. */
const ISSUED_FOR = /^svc:issuedFor$|[#/]issuedFor$/;
/** Properties by which shops describe products; certificates have none of them (spec "Boundaries"). */
const DESCRIBING = ['name', 'title', 'description', 'offers', 'price', 'sku', 'brand', 'image'];

function isCertificate(node: Node): boolean {
  return Object.keys(node).some((key) => ISSUED_FOR.test(key));
}

/** Whether a node is only a certificate: it identifies the product by the service's id and describes nothing. */
function isBareCertificate(node: Node): boolean {
  return isCertificate(node) && !DESCRIBING.some((key) => Object.hasOwn(node, key));
}

/** A node without the `productID` of a certificate that is merged into the shop's own product node. */
function shopsOwn(node: Node): Node {
  if (!isCertificate(node)) return node;
  return Object.fromEntries(Object.entries(node).filter(([key]) => key !== 'productID'));
}

const CARD_ELEMENTS = 60;

/** Gives items without name and URL the URL of the link with which they begin: they are cards of other pages' products. */
function withAddresses(doc: HtmlDocument, nodes: readonly MarkupNode[]): MarkupNode[] {
  return nodes.map((markup) => {
    const { node, el, path } = markup;
    if (path.length > 0 || node.name !== undefined || node.url !== undefined) return markup;
    const url = cardAddress(doc, el);
    return url === undefined ? markup : { ...markup, node: { ...node, url: [url] } };
  });
}

/** The common target of all links of an item; `undefined` if they differ or text precedes the first. */
function cardAddress(doc: HtmlDocument, el: El): string | undefined {
  if (el.end - el.index > CARD_ELEMENTS) return undefined;
  doc.work.spend(el.end - el.index);
  const links = doc.elements.slice(el.index, el.end).filter(({ name }) => name === 'a');
  const [first, ...others] = links;
  const href = first === undefined ? undefined : doc.attr(first, 'href');
  if (first === undefined || href === undefined || first.textFrom > el.textFrom) return undefined;
  return others.every((link) => doc.attr(link, 'href') === href) ? href : undefined;
}

function addMarkup(
  records: ProductRecord[],
  nodes: readonly Pick<MarkupNode, 'node' | 'path'>[],
  prefix: string,
  weight: number,
): void {
  for (const { node, path } of nodes) {
    if (records.length >= MAX_RECORDS) return;
    const record = readProduct(node, {
      path,
      source: 'html',
      prefix,
      weight,
      order: records.length,
      resolve: (inner) => inner,
    });
    if (record !== undefined) records.push(record);
  }
}
