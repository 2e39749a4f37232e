import type { PageReport } from '@touchstone/certificate/schema';
import { VERIFIER } from '@touchstone/certificate/verify';
import { boundedReport } from './bounded-report.ts';
import type { CheckedNode } from './certificate-nodes.ts';
import { withoutCredentials } from './text.ts';
import { NO_FACTS, type Observation, type UnnamedReport } from './types.ts';
import type { PageJudgement } from './verdict.ts';

/**
 * The report of one page check (spec "Page check report"), of 64 KB at the most. Pure.
 *
 * @param further - findings from beside the page, which come last
 * @param explain - whether to tell what each fact was chosen from
 * @example
 * ```ts
 * import { pageReport, pageVerdict } from '@touchstone/page';
 *
 * const observation = {
 *   url: 'https://shop.example/products/cup',
 *   finalUrl: 'https://shop.example/products/cup',
 *   fetchedAt: '2026-03-01T12:00:00Z',
 *   outcome: { kind: 'failed', code: 'timed_out', detail: '' },
 * } as const;
 * pageReport(observation, pageVerdict(observation, [])).platform_detected; // 'custom'
 * ```
 */
export function pageReport(
  { url, finalUrl, fetchedAt, outcome }: Observation,
  { verdict, decidedBy, findings, warnings, errors }: PageJudgement,
  further: readonly string[] = [],
  { explain = false }: { readonly explain?: boolean | undefined } = {},
): UnnamedReport {
  // what stands on a gate or a bot wall is nothing that a product page states
  const isPage =
    outcome.kind === 'page' && verdict !== 'password_protected' && verdict !== 'page_fetch_failed';
  const platform = outcome.kind === 'page' ? outcome.reading.platform_detected : outcome.platform_detected;
  return boundedReport({
    url: withoutCredentials(url),
    final_url: withoutCredentials(finalUrl),
    fetched_at: fetchedAt,
    platform_detected: platform ?? 'custom',
    verdict,
    facts: isPage ? outcome.reading.facts : NO_FACTS,
    mc4p: reportedCertificate(decidedBy),
    findings: [...findings, ...further],
    warnings: [...warnings],
    errors: [...errors],
    ...(explain && isPage && { explanation: [...(outcome.reading.explanation ?? [])] }),
    verifier: VERIFIER,
  });
}

/** Only what the registry knows and what was signed, never an unverified claim: a forgery would print the name of the shop it imitates. */
function reportedCertificate(decidedBy: CheckedNode | undefined): PageReport['mc4p'] {
  if (decidedBy === undefined) return { present: false };
  if (decidedBy.kind === 'unknown_product') return { present: true, product_id: decidedBy.productId };
  if (decidedBy.kind !== 'checked') return { present: true };
  const { productId, issuedFor, signed, status, checks } = decidedBy.result;
  return {
    present: true,
    product_id: productId,
    ...(issuedFor === undefined ? {} : { issued_to: issuedFor }),
    status,
    ...(signed === undefined ? {} : { signed }),
    checks,
  };
}
