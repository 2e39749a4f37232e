import { BOUNDS } from '../bounds.ts';
import type { FindingSink } from '../findings.ts';
import { isNode, type Node, typesOf } from '../markup-node.ts';
import type { JsonLdBlock } from './blocks.ts';

/** One node of the page's JSON-LD with its path. */
export interface GraphNode {
  readonly node: Node;
  readonly types: readonly string[];
  /** Properties from the block's root down to the node, without `@graph` and array positions. */
  readonly path: readonly string[];
  readonly block: number;
  /** The `@context` that it inherits; `null` for none. */
  readonly inherited: Inherited | null;
}

/** A `@context` with the one around it: a list for each node would take quadratic memory. */
interface Inherited {
  readonly context: unknown;
  readonly around: Inherited | null;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  /** `@id` → the node with that id that has the most keys. */
  readonly byId: ReadonlyMap<string, Node>;
}

interface Step {
  readonly value: unknown;
  readonly path: readonly string[];
  readonly depth: number;
  readonly block: number;
  readonly inherited: Inherited | null;
}

/** Collects all objects of all blocks in document order, without recursion and within the limits. */
export function readGraph(blocks: readonly JsonLdBlock[], findings: FindingSink): Graph {
  const nodes: GraphNode[] = [];
  const byId = new Map<string, Named>();
  const stack: Step[] = blocks
    .map(({ value, number }): Step => ({ value, path: [], depth: 0, block: number, inherited: null }))
    .toReversed();
  let count = 0;
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    if (typeof step.value !== 'object' || step.value === null) continue;
    if (++count > BOUNDS.graphNodes || step.depth > BOUNDS.graphDepth) {
      findings.add('graph_capped');
      if (count > BOUNDS.graphNodes) break;
      continue;
    }
    if (isNode(step.value)) {
      const { path, block, inherited } = step;
      nodes.push({ node: step.value, types: typesOf(step.value), path, block, inherited });
      index(step.value, byId);
    }
    pushChildren(step, stack);
  }
  return { nodes, byId: new Map([...byId].map(([id, { node }]) => [id, node])) };
}

/** The node with the most keys so far for an id. Its keys are counted once; otherwise, repeated ids would take quadratic time. */
interface Named {
  readonly node: Node;
  readonly keys: number;
}

function index(node: Node, byId: Map<string, Named>): void {
  const id = Object.hasOwn(node, '@id') ? node['@id'] : undefined;
  if (typeof id !== 'string') return;
  const keys = Object.keys(node).length;
  const known = byId.get(id);
  if (known === undefined || known.keys < keys) byId.set(id, { node, keys });
}

function pushChildren(step: Step, stack: Step[]): void {
  const { value, path, depth, block, inherited: around } = step;
  if (Array.isArray(value)) {
    const length = Math.min(value.length, BOUNDS.graphNodes);
    for (let i = length - 1; i >= 0; i--)
      stack.push({ value: value[i], path, depth: depth + 1, block, inherited: around });
    return;
  }
  const context = (value as Node)['@context'] ?? null;
  const inherited = context === null ? around : { context, around };
  const entries = Object.entries(value as Node);
  for (let i = entries.length - 1; i >= 0; i--) {
    const [key, child] = entries[i] as [string, unknown];
    if (typeof child !== 'object' || child === null || key === '@context') continue;
    const next = key === '@graph' ? path : [...path, key];
    stack.push({ value: child, path: next, depth: depth + 1, block, inherited });
  }
}

/** The service's prefix: a constant, since most verifiers compare keys as strings. */
const PREFIX = 'svc:';
const ISSUED_FOR = 'svc:issuedFor';

/**
 * Finds all Product nodes with `svc:issuedFor` in the page's JSON-LD. Full IRIs in one of these namespaces are renamed to
 * `svc:` names, and a node's `@context` contains what it inherits; nothing else is changed. Values under both spellings of a name are combined in an array, so that neither
 * hides the other.
 */
export function findCertificates(
  graph: Graph,
  namespaceUrls: readonly string[],
  findings: FindingSink,
): Node[] {
  const namespaces = namespaceUrls.filter((url) => url !== '');
  const found: Node[] = [];
  const renamed = new Map<object, unknown>();
  const names = [ISSUED_FOR, ...namespaces.map((url) => `${url}issuedFor`)];
  for (const { node, types, inherited } of graph.nodes) {
    if (!types.includes('Product') || !names.some((name) => Object.hasOwn(node, name))) continue;
    if (found.length === BOUNDS.certificates) {
      findings.add('certificates_capped');
      break;
    }
    found.push(withInherited(withPrefix(node, { namespaces, renamed }, 0), inherited));
  }
  return found;
}

/**
 * A node with the `@context` that is in force for it: a definition further up also decides what its names mean. Nothing
 * is added for a page that only names schema.org there.
 */
function withInherited(node: Node, inherited: Inherited | null): Node {
  const around: unknown[] = [];
  for (let next = inherited; next !== null; next = next.around) {
    const entries = [next.context].flat();
    // nothing is known of a longer one, which null says
    around.unshift(...(entries.length > MAX_CONTEXTS ? [null] : entries));
    if (around.length > MAX_CONTEXTS) return { ...node, '@context': [null] };
  }
  if (around.every((entry) => typeof entry === 'string' && SCHEMA_ORG.test(entry))) return node;
  return { ...node, '@context': [...around, ...[node['@context'] ?? []].flat()] };
}

/** Entries of an inherited `@context`; pages have one or two. */
const MAX_CONTEXTS = 100;
const SCHEMA_ORG = /^https?:\/\/(www\.)?schema\.org\/?$/i;

interface Renaming {
  readonly namespaces: readonly string[];
  /** Objects already renamed: certificates may be nested. */
  readonly renamed: Map<object, unknown>;
}

function withPrefix(node: Node, renaming: Renaming, depth: number): Node {
  const { namespaces } = renaming;
  if (namespaces.length === 0) return node;
  const renamed = new Map<string, unknown>();
  for (const [key, value] of Object.entries(node)) {
    const namespace = namespaces.find((url) => key.startsWith(url));
    const name = namespace === undefined ? key : PREFIX + key.slice(namespace.length);
    const member = rename(value, renaming, depth + 1);
    renamed.set(name, renamed.has(name) ? [renamed.get(name), member] : member);
  }
  // fromEntries defines own properties, so that a key such as __proto__ stays data
  return Object.fromEntries(renamed);
}

function rename(value: unknown, renaming: Renaming, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > BOUNDS.graphDepth) return value;
  const known = renaming.renamed.get(value);
  if (known !== undefined) return known;
  const named = Array.isArray(value)
    ? value.map((entry) => rename(entry, renaming, depth + 1))
    : withPrefix(value as Node, renaming, depth);
  renaming.renamed.set(value, named);
  return named;
}
