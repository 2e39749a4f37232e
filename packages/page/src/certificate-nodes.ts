import type { CanonicalSourceFault, CanonicalSourceMismatch } from '@touchstone/certificate';
import type { VerificationResult } from '@touchstone/certificate/verify';
import { ledElsewhere } from './landing.ts';
import { type Node, type ReadSigned, selectNodes } from './select-nodes.ts';
import type { Observation } from './types.ts';

/** A certificate node whose canonical source does not lead to a product of a trusted service. */
type UnusableNode =
  | {
      readonly kind: 'invalid';
      readonly node: Node;
      readonly code: CanonicalSourceFault;
      readonly detail: string;
    }
  | {
      readonly kind: 'mismatch';
      readonly node: Node;
      readonly code: CanonicalSourceMismatch;
      readonly host: string;
    };

/** A certificate node of a page, with what became of it. */
export type CheckedNode =
  | UnusableNode
  | { readonly kind: 'unknown_product'; readonly node: Node; readonly productId: string }
  | {
      readonly kind: 'checked';
      readonly node: Node;
      readonly result: VerificationResult;
      /** Hostnames of the product's store; where redirects led elsewhere and a registry was asked. */
      readonly storeDomains?: readonly string[];
    };

/** Verifies a document against the page it was found on; `null` when the registry has no such product. */
export type VerifyOnPage = (
  productId: string,
  submitted: { readonly document: Node; readonly pageUrl: string },
) => Promise<VerificationResult | null>;

/** Whose certificates count on a page, and what verifies each of them. */
export interface CheckNodesOptions {
  /** The base addresses, present and former, of the services whose certificates count: pages outlive their names. */
  readonly baseUrls: readonly string[];
  readonly verifyProduct: VerifyOnPage;
  /** The hostnames of the store of a product that `verifyProduct` knows; left out where no registry is asked. */
  readonly storeDomains?: ((productId: string) => Promise<readonly string[]>) | undefined;
  /** Asked of pages with more than 8 certificate nodes, of 64 at most: those that are signed for the page are judged first. */
  readonly readSigned?: ReadSigned | undefined;
}

/**
 * Has the certificate nodes of a page, equal ones once, verified against the page's address after redirects: 8 at most, and
 * of those whose proof is signed for the page 64.
 * Which product a node is about comes from its canonical source alone, or page and verification could speak of two.
 *
 * @returns the nodes in the order of the page
 * @example
 * ```ts
 * import { checkNodes } from '@touchstone/page';
 *
 * const observation = {
 *   url: 'https://shop.example/products/cup',
 *   finalUrl: 'https://shop.example/products/cup',
 *   fetchedAt: '2026-03-01T12:00:00Z',
 *   outcome: { kind: 'failed', code: 'timed_out', detail: '' },
 * } as const;
 * const options = { baseUrls: ['https://certificates.example'], verifyProduct: async () => null };
 * await checkNodes(observation, options); // []
 * ```
 */
export async function checkNodes(
  observation: Observation,
  options: CheckNodesOptions,
): Promise<CheckedNode[]> {
  const { verifyProduct, storeDomains } = options;
  const { outcome, finalUrl: pageUrl } = observation;
  const asksDomains = ledElsewhere(observation) ? storeDomains : undefined;
  const nodes = outcome.kind === 'failed' ? [] : outcome.reading.certificates;
  const selected = await selectNodes(nodes, pageUrl, options);
  return Promise.all(
    selected.map(async ({ node, source }): Promise<CheckedNode> => {
      if (source.kind !== 'ok') return { ...source, node };
      const { productId } = source;
      const result = await verifyProduct(productId, { document: node, pageUrl });
      if (result === null) return { kind: 'unknown_product', node, productId };
      const domains = await asksDomains?.(productId);
      return { kind: 'checked', node, result, ...(domains === undefined ? {} : { storeDomains: domains }) };
    }),
  );
}
