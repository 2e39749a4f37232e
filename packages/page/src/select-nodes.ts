import { type CanonicalSourceReading, parseCanonicalSource } from '@touchstone/certificate';
import { comparePageUrls } from '@touchstone/certificate/verify';

/** How many certificate nodes of one page are judged: each may cost a signature and a look into the registry. */
export const MAX_JUDGED_NODES = 8;

/** A node as found on a page; hostile data. */
export type Node = Readonly<Record<string, unknown>>;

/** A node with where it says that it comes from. */
export interface SelectedNode {
  readonly node: Node;
  readonly source: CanonicalSourceReading;
}

/** The nodes without those that say what an earlier one says. */
export function distinctNodes(nodes: readonly Node[]): readonly Node[] {
  const seen = new Set<unknown>();
  return nodes.filter((node) => {
    const key = textOf(node) ?? node;
    return !seen.has(key) && seen.add(key);
  });
}

/** `null` for what is nested too deeply to be written. */
function textOf(node: Node): string | null {
  try {
    return JSON.stringify(node);
  } catch {
    return null;
  }
}

/**
 * The certificate nodes of a page that are judged, in the order of the page; equal ones once. Where there are too many,
 * those come first that could be genuine: of a trusted service and for this page, then of a trusted service; of these one
 * for each product before a second for any. A crowd of others so cannot keep the genuine one from being judged.
 */
export function selectNodes(
  nodes: readonly Node[],
  pageUrl: string,
  baseUrls: readonly string[],
): readonly SelectedNode[] {
  const different = distinctNodes(nodes);
  const seen = new Set<string>();
  const ranked = different.map((node, position) => {
    const source = parseCanonicalSource(node, baseUrls);
    const product = source.kind === 'ok' ? source.productId : '';
    const isFurther = seen.has(product);
    if (source.kind === 'ok') seen.add(product);
    return { node, source, position, rank: rankOf(node, source, pageUrl) + (isFurther ? 1 : 0) };
  });
  return ranked
    .toSorted((a, b) => a.rank - b.rank || a.position - b.position)
    .slice(0, MAX_JUDGED_NODES)
    .toSorted((a, b) => a.position - b.position);
}

function rankOf(node: Node, source: CanonicalSourceReading, pageUrl: string): number {
  if (source.kind !== 'ok') return 4;
  return typeof node.url === 'string' && comparePageUrls(node.url, pageUrl).equal ? 0 : 2;
}
