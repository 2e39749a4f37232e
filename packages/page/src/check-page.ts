import type { Trust } from '@touchstone/certificate';
import { type VerificationResult, verify } from '@touchstone/certificate/verify';
import { type CheckNodesOptions, checkNodes } from './certificate-nodes.ts';
import { type ObserveOptions, observePage } from './observe.ts';
import { pageReport } from './report.ts';
import type { Observation, UnnamedReport } from './types.ts';
import { type PageJudgement, pageVerdict } from './verdict.ts';

/** What a page check comes to. */
export interface CheckedPage {
  readonly observation: Observation;
  readonly judgement: PageJudgement;
  /** The page check report, but for the id that a service gives it. */
  readonly report: UnnamedReport;
  /** Of the certificate that decided; absent where none was verified. */
  readonly verification?: VerificationResult;
}

/**
 * Checks a page: fetches and reads it, then judges what was read.
 *
 * A service that keeps observations calls the two halves, `observePage` and `judgePage`, itself.
 *
 * @throws what `fetch`, `read` and `verifyProduct` throw
 * @example
 * ```ts
 * import { checkPage } from '@touchstone/page';
 *
 * const { report } = await checkPage('https://shop.example/products/cup', {
 *   fetch: async (finalUrl) => ({ kind: 'page', finalUrl, status: 200, body: '<h1>Cup</h1>' }),
 *   fetchedAt: new Date(),
 *   baseUrls: ['https://certificates.example'],
 *   verifyProduct: async () => null,
 * });
 * report.verdict; // 'no_certificate'
 * ```
 */
export async function checkPage<Body extends string | Uint8Array>(
  url: string,
  options: ObserveOptions<Body> & CheckNodesOptions,
): Promise<CheckedPage> {
  return judgePage(await observePage(url, options), options);
}

/**
 * From an observation to its report: the second half of a page check. Done anew for every answer, since keys are
 * revoked and products deleted while the observation stays the same.
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
  const judgement = pageVerdict(observation, nodes);
  const report = pageReport(observation, judgement);
  const { decidedBy } = judgement;
  const verification = decidedBy?.kind === 'checked' ? { verification: decidedBy.result } : {};
  return { observation, judgement, report, ...verification };
}

/**
 * How to check a page by trust alone, without a registry: what only a registry knows is not said, and a deleted product
 * is judged by its proof.
 *
 * @param now - the moment of fetching and judging
 * @param productId - the product that the page must be about; by default the one that its certificate names
 * @example
 * ```ts
 * import { createTrust } from '@touchstone/certificate';
 * import { checkPage, withoutRegistry } from '@touchstone/page';
 *
 * const trust = createTrust({ trustedIssuers: ['https://certificates.example'] });
 * const { report } = await checkPage('https://shop.example/products/cup', {
 *   ...withoutRegistry(trust, new Date()),
 *   fetch: async (finalUrl) => ({ kind: 'page', finalUrl, status: 200, body: '<h1>Cup</h1>' }),
 * });
 * report.verdict; // 'no_certificate'
 * ```
 */
export function withoutRegistry(
  trust: Trust,
  now: Date,
  productId?: string,
): Omit<ObserveOptions, 'fetch' | 'read'> & CheckNodesOptions {
  return {
    namespaceUrl: trust.issuers.map((issuer) => `${issuer}/ns#`),
    fetchedAt: now,
    baseUrls: trust.issuers,
    verifyProduct: async (named, { document, pageUrl }) => {
      const keys = await trust.keysFor(document, now);
      return verify({ document, pageUrl, productId: productId ?? named, now, ...keys });
    },
  };
}
