import { BOUNDS } from '../bounds.ts';
import { isNode, type Node } from '../schema-org/node.ts';
import type { Graph } from './graph.ts';

/** The service's own prefix (decision 1). */
const PREFIX = 'svc:';
const ISSUED_FOR = 'svc:issuedFor';

/**
 * Product nodes that carry `svc:issuedFor`, wherever they stand in the page's JSON-LD (decision 15).
 * Names written as full IRIs of the namespace are handed on as `svc:` names; nothing else is changed.
 */
export function findCertificates(graph: Graph, namespaceUrl: string | undefined): Node[] {
  const found: Node[] = [];
  for (const { node, types } of graph.nodes) {
    if (found.length >= BOUNDS.certificates) break;
    if (!types.includes('Product')) continue;
    if (Object.hasOwn(node, ISSUED_FOR)) found.push(withPrefix(node, namespaceUrl, 0));
    else if (namespaceUrl !== undefined && Object.hasOwn(node, `${namespaceUrl}issuedFor`)) {
      found.push(withPrefix(node, namespaceUrl, 0));
    }
  }
  return found;
}

function withPrefix(node: Node, namespaceUrl: string | undefined, depth: number): Node {
  if (namespaceUrl === undefined || namespaceUrl === '') return node;
  const entries = Object.entries(node).map(([key, value]): [string, unknown] => [
    key.startsWith(namespaceUrl) ? PREFIX + key.slice(namespaceUrl.length) : key,
    rename(value, namespaceUrl, depth + 1),
  ]);
  // fromEntries defines own properties, so that a key like __proto__ stays data
  return Object.fromEntries(entries);
}

function rename(value: unknown, namespaceUrl: string, depth: number): unknown {
  if (depth > BOUNDS.graphDepth) return value;
  if (Array.isArray(value)) return value.map((entry) => rename(entry, namespaceUrl, depth + 1));
  return isNode(value) ? withPrefix(value, namespaceUrl, depth) : value;
}
