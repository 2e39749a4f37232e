import { type CanonicalSourceFault, parseCanonicalSource } from '@touchstone/certificate';
import type { VerificationResult } from '@touchstone/certificate/verify';
import type { Observation } from './types.ts';

/** How many certificate nodes of one page are looked at. */
const MAX_CANDIDATES = 20;

/** A node as found on a page; hostile data. */
type Node = Readonly<Record<string, unknown>>;

/** A certificate node whose canonical source cannot lead to a product of this service (decision 15). */
type UnusableCandidate =
  | {
      readonly kind: 'invalid';
      readonly node: Node;
      readonly code: CanonicalSourceFault;
      readonly detail: string;
    }
  | { readonly kind: 'mismatch'; readonly node: Node; readonly host: string };

/** A certificate node of a page, with the product that it names. */
export type Candidate =
  | UnusableCandidate
  | { readonly kind: 'usable'; readonly node: Node; readonly productId: string };

/** A certificate node of a page, with what became of it. */
export type JudgedCandidate =
  | UnusableCandidate
  | { readonly kind: 'unknown_product'; readonly node: Node; readonly productId: string }
  | { readonly kind: 'verified_by'; readonly node: Node; readonly result: VerificationResult };

/**
 * The certificate nodes of a page, at most 20, each with the product that its canonical source names.
 *
 * @param baseUrls - the service's own base addresses, present and former
 * @example
 * ```ts
 * import { certificateCandidates } from '@touchstone/page';
 *
 * const observation = {
 *   url: 'https://shop.example/products/cup',
 *   finalUrl: 'https://shop.example/products/cup',
 *   fetchedAt: '2026-03-01T12:00:00Z',
 *   outcome: { kind: 'failed', code: 'timed_out', detail: '' },
 * } as const;
 * certificateCandidates(observation, { baseUrls: ['https://certificates.example'] }); // []
 * ```
 */
export function certificateCandidates(
  observation: Observation,
  { baseUrls }: { readonly baseUrls: readonly string[] },
): Candidate[] {
  if (observation.outcome.kind === 'failed') return [];
  return observation.outcome.reading.certificates.slice(0, MAX_CANDIDATES).map((node) => {
    const source = parseCanonicalSource(node, baseUrls);
    return source.kind === 'ok' ? { kind: 'usable', node, productId: source.productId } : { ...source, node };
  });
}

/** Verifies a document against the page it was found on; `null` when the registry has no such product. */
export type VerifyOnPage = (
  productId: string,
  submitted: { readonly document: Node; readonly pageUrl: string },
) => Promise<VerificationResult | null>;

/**
 * Has every usable node verified against the page's address after redirects.
 *
 * @example
 * ```ts
 * import { judgeCandidates } from '@touchstone/page';
 *
 * const observation = {
 *   url: 'https://shop.example/products/cup',
 *   finalUrl: 'https://shop.example/products/cup',
 *   fetchedAt: '2026-03-01T12:00:00Z',
 *   outcome: { kind: 'failed', code: 'timed_out', detail: '' },
 * } as const;
 * const options = { baseUrls: ['https://certificates.example'], verifyProduct: async () => null };
 * await judgeCandidates(observation, options); // []
 * ```
 */
export function judgeCandidates(
  observation: Observation,
  options: { readonly baseUrls: readonly string[]; readonly verifyProduct: VerifyOnPage },
): Promise<JudgedCandidate[]> {
  const pageUrl = observation.finalUrl;
  return Promise.all(
    certificateCandidates(observation, options).map(async (candidate): Promise<JudgedCandidate> => {
      if (candidate.kind !== 'usable') return candidate;
      const { node, productId } = candidate;
      const result = await options.verifyProduct(productId, { document: node, pageUrl });
      return result === null
        ? { kind: 'unknown_product', node, productId }
        : { kind: 'verified_by', node, result };
    }),
  );
}
