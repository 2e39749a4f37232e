import type { Node } from '../markup-node.ts';
import { findCertificates, readGraph } from './graph.ts';

/**
 * The certificate nodes in the JSON-LD of a page, for whoever has the page as a document: Product nodes with `svc:issuedFor`,
 * at most 256, found as `readPage` finds them.
 *
 * @param values - of its JSON-LD blocks, parsed; hostile
 * @param namespaceUrls - of the services that are trusted: names written out in full mean the same as `svc:` ones
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
