import {
  CannotVerifyError,
  type CanonicalSourceFault,
  type CanonicalSourceMismatch,
} from '@touchstone/certificate';
import type { RegistryFacts, VerificationResult } from '@touchstone/certificate/verify';
import { type Node, type ReadSigned, selectNodes } from './select-nodes.ts';
import type { Observation } from './types.ts';

/** A certificate node whose canonical source does not identify a product of a trusted service. */
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

/** A certificate node of a page, with the result of its check. */
export type CheckedNode =
  | UnusableNode
  | { readonly kind: 'unknown_product'; readonly node: Node; readonly productId: string }
  | {
      readonly kind: 'checked';
      readonly node: Node;
      readonly result: VerificationResult;
      /** Absent without a registry. */
      readonly registry?: KnownProduct;
    };

/** What the registry knows of a product. */
export type KnownProduct = Pick<RegistryFacts, 'domains' | 'publishing'>;

/** Verifies a document against the page on which it was found; `null`: the registry has no such product. */
export type VerifyOnPage = (
  productId: string,
  submitted: { readonly document: Node; readonly pageUrl: string },
) => Promise<VerificationResult | null>;

/** The services whose certificates count on a page, and the functions that verify them. */
export interface CheckNodesOptions {
  /** Present and former base addresses of the services whose certificates count. */
  readonly baseUrls: readonly string[];
  readonly verifyProduct: VerifyOnPage;
  /** Looks up a product that was verified; `undefined` if it is gone since. Absent without a registry. */
  readonly knownProduct?: ((productId: string) => Promise<KnownProduct | undefined>) | undefined;
  /** Called on pages with more than 8 certificate nodes, for up to 64 of them, to verify those signed for the page first. */
  readonly readSigned?: ReadSigned | undefined;
}

/**
 * Verifies the certificate nodes of a page against its address after redirects; duplicates are verified once. The limit
 * is 8 nodes, or 64 if their proofs are signed for the page.
 * A node's product is identified by its canonical source alone, so that page and verification cannot disagree on it.
 *
 * @returns the nodes in the order of the page, without those that cannot be decided beside a verified one
 * @throws what the functions in `options` throw
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
  const { verifyProduct, knownProduct } = options;
  const { outcome, finalUrl: pageUrl } = observation;
  const nodes = outcome.kind === 'failed' ? [] : outcome.reading.certificates;
  const selected = await selectNodes(nodes, pageUrl, options);
  const settled = await Promise.allSettled(
    selected.map(async ({ node, source }): Promise<CheckedNode> => {
      if (source.kind !== 'ok') return { ...source, node };
      const { productId } = source;
      const result = await verifyProduct(productId, { document: node, pageUrl });
      if (result === null) return { kind: 'unknown_product', node, productId };
      const registry = await knownProduct?.(productId);
      return { kind: 'checked', node, result, ...(registry && { registry }) };
    }),
  );
  return decidedOf(settled);
}

/**
 * A node that cannot be decided, as its key may be newer than those at hand, is left out beside a verified one: otherwise whoever
 * adds a made-up certificate to a page could hide the genuine one.
 *
 * @throws the fault of another node
 */
function decidedOf(settled: readonly PromiseSettledResult<CheckedNode>[]): CheckedNode[] {
  const checked = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const faults = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  const isVerified = checked.some((one) => one.kind === 'checked' && one.result.status === 'verified');
  const [fault] = faults.filter((one) => !(isVerified && one instanceof CannotVerifyError));
  if (fault !== undefined) throw fault;
  return checked;
}
