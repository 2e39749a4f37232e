import { conclude } from '@touchstone/certificate';
import type { PageReport, RelatedToPage } from '@touchstone/certificate/schema';
import { withoutCredentials } from '@touchstone/certificate/text';
import { VERIFIER } from '@touchstone/certificate/verify';
import { agreementOf, priceWarnings } from './agreement.ts';
import { boundedReport } from './bounded-report.ts';
import type { CheckedNode } from './certificate-nodes.ts';
import { NO_FACTS, type Observation, type UnnamedReport } from './types.ts';
import type { ReasonedVerdict } from './verdict.ts';

/**
 * Builds the report of one page check (spec "Page check report"), limited to 64 KB. Pure.
 *
 * @param further - findings from other sources than the page, such as the comparison of images; appended to the others
 * @param related - what a registry knows that is alike to the page
 * @param explain - whether to include the candidates of each fact
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
  observation: Observation,
  { verdict, decidedBy, list, findings, warnings, errors }: ReasonedVerdict,
  further: readonly string[] = [],
  {
    explain = false,
    related = [],
  }: { readonly explain?: boolean | undefined; readonly related?: readonly RelatedToPage[] } = {},
): UnnamedReport {
  const { url, finalUrl, fetchedAt, outcome } = observation;
  // facts read from a gate are not facts of the product page
  const isPage =
    outcome.kind === 'page' && verdict !== 'password_protected' && verdict !== 'page_fetch_failed';
  const platform = outcome.kind === 'page' ? outcome.reading.platform_detected : outcome.platform_detected;
  const mc4p = { ...reportedCertificate(decidedBy), ...(list && { list: [...list.listed] }) };
  const isVerified = verdict === 'verified';
  const ofPrice = isVerified ? priceWarnings(observation, decidedBy) : [];
  const notes = {
    findings: [...findings, ...further],
    warnings: [...warnings, ...ofPrice],
    errors: [...errors],
  };
  const { checks, signed } = mc4p;
  const agreement = isVerified ? agreementOf(observation, decidedBy) : undefined;
  return boundedReport({
    url: withoutCredentials(url),
    final_url: withoutCredentials(finalUrl),
    fetched_at: fetchedAt,
    platform_detected: platform ?? 'custom',
    verdict,
    conclusion: conclude(verdict, { checks, signed, agreement: agreement?.outcome, ...notes }),
    facts: isPage ? outcome.reading.facts : NO_FACTS,
    mc4p,
    ...(agreement && { agreement }),
    ...(isPage && outcome.reading.claims !== undefined && { claims: [...outcome.reading.claims] }),
    ...(related.length > 0 && { related: [...related] }),
    ...notes,
    ...(explain && isPage && { explanation: [...(outcome.reading.explanation ?? [])] }),
    verifier: VERIFIER,
  });
}

/** Contains only registry data and signed claims: an unverified claim of a forgery could name the shop that it imitates. */
function reportedCertificate(decidedBy: CheckedNode | undefined): PageReport['mc4p'] {
  if (decidedBy === undefined) return { present: false };
  if (decidedBy.kind === 'unknown_product') return { present: true, product_id: decidedBy.productId };
  if (decidedBy.kind !== 'checked') return { present: true };
  const { productId, issuedFor, signed, status, checks, withdrawal } = decidedBy.result;
  return {
    present: true,
    product_id: productId,
    ...(issuedFor === undefined ? {} : { issued_to: issuedFor }),
    status,
    ...(signed === undefined ? {} : { signed }),
    checks,
    ...(withdrawal === undefined ? {} : { withdrawal }),
  };
}
