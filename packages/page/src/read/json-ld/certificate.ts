import { BOUNDS } from '../bounds.ts';
import { isNode, type Node } from '../schema-org/node.ts';
import type { Graph } from './graph.ts';

/** The service's own prefix (decision 1). */
const PREFIX = 'svc:';
const ISSUED_FOR = 'svc:issuedFor';

/**
 * Product nodes that carry `svc:issuedFor`, wherever they stand in the page's JSON-LD (decision 15).
 * Names written as full IRIs of one of these namespaces are handed on as `svc:` names; nothing else is changed.
 */
export function findCertificates(graph: Graph, namespaceUrls: readonly string[]): Node[] {
  const namespaces = namespaceUrls.filter((url) => url !== '');
  const found: Node[] = [];
  for (const { node, types } of graph.nodes) {
    if (found.length >= BOUNDS.certificates) break;
    if (!types.includes('Product')) continue;
    const names = [ISSUED_FOR, ...namespaces.map((url) => `${url}issuedFor`)];
    if (names.some((name) => Object.hasOwn(node, name))) found.push(withPrefix(node, namespaces, 0));
  }
  return found;
}

function withPrefix(node: Node, namespaces: readonly string[], depth: number): Node {
  if (namespaces.length === 0) return node;
  const entries = Object.entries(node).map(([key, value]): [string, unknown] => {
    const namespace = namespaces.find((url) => key.startsWith(url));
    const name = namespace === undefined ? key : PREFIX + key.slice(namespace.length);
    return [name, rename(value, namespaces, depth + 1)];
  });
  // fromEntries defines own properties, so that a key like __proto__ stays data
  return Object.fromEntries(entries);
}

function rename(value: unknown, namespaces: readonly string[], depth: number): unknown {
  if (depth > BOUNDS.graphDepth) return value;
  if (Array.isArray(value)) return value.map((entry) => rename(entry, namespaces, depth + 1));
  return isNode(value) ? withPrefix(value, namespaces, depth) : value;
}
