import type { Node } from '../markup-node.ts';
import { findCertificates, readGraph } from './graph.ts';

/**
 * Finds the certificate nodes in a page's JSON-LD by the same rules as `readPage`, for callers that have parsed the page
 * themselves: at most 256 Product nodes with `svc:issuedFor`.
 *
 * @param values - the parsed JSON-LD blocks; untrusted
 * @param namespaceUrls - JSON-LD namespaces of the trusted services: full IRIs in them are read like the `svc:` prefix
 * @example
 * ```ts
 * import { certificatesIn } from '@touchstone/page/json-ld';
 *
 * certificatesIn([{ '@type': 'Product', 'svc:issuedFor': {} }, { '@type': 'Product' }], []).length; // 1
 * ```
 */
export function certificatesIn(
  values: readonly unknown[],
  namespaceUrls: readonly string[],
): readonly Node[] {
  const unread = { add: () => undefined };
  const blocks = values.map((value, index) => ({ number: index + 1, value }));
  return findCertificates(readGraph(blocks, unread), namespaceUrls, unread);
}
