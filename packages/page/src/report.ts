import type { PageVerdict } from '@touchstone/certificate';
import type { CheckName } from '@touchstone/certificate/verify';
import type { JudgedCandidate } from './candidates.ts';
import type { Observation, PageFacts, Platform } from './types.ts';
import { pageVerdict } from './verdict.ts';

/** Spec "Page check report", field by field. */
export interface PageReport {
  readonly id: string;
  readonly url: string;
  /** After redirects. */
  readonly final_url: string;
  /** RFC 3339: when the page was seen, not when this was answered. */
  readonly fetched_at: string;
  readonly platform_detected: Platform;
  readonly verdict: PageVerdict;
  readonly facts: PageFacts;
  readonly mc4p: ReportedCertificate;
  readonly findings: readonly string[];
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
}

/** Of the certificate that decided. Only what the registry knows is told, never an unverified claim. */
export interface ReportedCertificate {
  readonly present: boolean;
  readonly product_id?: string;
  readonly issued_to?: string;
  readonly status?: string;
  readonly checks?: Readonly<Record<CheckName, boolean | null>>;
}

/**
 * The report of one page check. Pure: made anew from the observation on every answer (decision 17).
 *
 * @example
 * ```ts
 * import { pageReport } from '@touchstone/page';
 *
 * const observation = {
 *   url: 'https://shop.example/products/cup',
 *   finalUrl: 'https://shop.example/products/cup',
 *   fetchedAt: '2026-03-01T12:00:00Z',
 *   outcome: { kind: 'failed', code: 'timed_out', detail: '' },
 * } as const;
 * pageReport('some-id', observation, []).verdict; // 'page_fetch_failed'
 * ```
 */
export function pageReport(
  id: string,
  observation: Observation,
  candidates: readonly JudgedCandidate[],
): PageReport {
  const { verdict, decidedBy, findings, warnings, errors } = pageVerdict(observation, candidates);
  const { outcome } = observation;
  // what stands on a gate or a bot wall is nothing that a product page states
  const isPage =
    outcome.kind === 'page' && verdict !== 'password_protected' && verdict !== 'page_fetch_failed';
  const platform = outcome.kind === 'page' ? outcome.reading.platform_detected : outcome.platform_detected;
  return {
    id,
    url: observation.url,
    final_url: observation.finalUrl,
    fetched_at: observation.fetchedAt,
    platform_detected: platform ?? 'custom',
    verdict,
    facts: isPage ? outcome.reading.facts : NO_FACTS,
    mc4p: reportedCertificate(decidedBy),
    findings,
    warnings,
    errors,
  };
}

function reportedCertificate(candidate: JudgedCandidate | undefined): ReportedCertificate {
  if (candidate === undefined) return { present: false };
  if (candidate.kind === 'unknown_product') return { present: true, product_id: candidate.productId };
  if (candidate.kind !== 'verified_by') return { present: true };
  const { productId, issuedFor, status, checks } = candidate.result;
  return {
    present: true,
    product_id: productId,
    ...(issuedFor === undefined ? {} : { issued_to: issuedFor }),
    status,
    checks,
  };
}

const NO_FACTS: PageFacts = {
  name: null,
  description: null,
  price: null,
  currency: null,
  availability: null,
  sku: null,
  brand: null,
  images: [],
};
