import type { VerificationResult } from '@touchstone/certificate/verify';
import { type CheckedNode, type CheckNodesOptions, checkNodes } from './certificate-nodes.ts';
import { pageReport } from './report.ts';
import type { Observation, UnnamedReport } from './types.ts';
import { pageVerdict, type ReasonedVerdict } from './verdict.ts';

/** The result of a page check. */
export interface CheckedPage {
  readonly observation: Observation;
  readonly verdict: ReasonedVerdict;
  /** Every certificate node that was checked, in the order of the page. */
  readonly nodes: readonly CheckedNode[];
  /** The page check report without the id, which a service adds. */
  readonly report: UnnamedReport;
  /** The verification of the certificate that determined the verdict; absent if none was verified. */
  readonly verification?: VerificationResult;
}

/**
 * Derives the report from an observation: the second half of a page check. To be repeated for every response: keys may be
 * revoked and products deleted after the page was observed.
 *
 * @throws what `verifyProduct` throws
 * @example
 * ```ts
 * import { judgePage } from '@touchstone/page';
 *
 * const observation = {
 *   url: 'https://shop.example/products/cup',
 *   finalUrl: 'https://shop.example/products/cup',
 *   fetchedAt: '2026-03-01T12:00:00Z',
 *   outcome: { kind: 'failed', code: 'timed_out', detail: '' },
 * } as const;
 * const options = { baseUrls: ['https://certificates.example'], verifyProduct: async () => null };
 * (await judgePage(observation, options)).report.verdict; // 'page_fetch_failed'
 * ```
 */
export async function judgePage(observation: Observation, options: CheckNodesOptions): Promise<CheckedPage> {
  const nodes = await checkNodes(observation, options);
  const verdict = pageVerdict(observation, nodes);
  const report = pageReport(observation, verdict);
  const { decidedBy } = verdict;
  const verification = decidedBy?.kind === 'checked' ? { verification: decidedBy.result } : {};
  return { observation, verdict, nodes, report, ...verification };
}
