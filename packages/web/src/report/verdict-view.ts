import { isAboutAnotherPage, isContextForeign, type PageVerdict } from '@touchstone/certificate';
import type { PageReport } from '@touchstone/contract';
import type { Texts } from '../text/texts.ts';

/** The appearance of a verdict, besides its text: shape of the mark and colour. */
export type Tone = 'good' | 'bad' | 'caution' | 'neutral';

/** A verdict on a page; `checks_failed` has two more specific names, and so has `verified` if it is not to be relied on. */
export type VerdictName = keyof Texts['verdicts'];

export interface VerdictView {
  readonly name: VerdictName;
  readonly tone: Tone;
  /** The site that the certificate was signed for, if the verdict names it; untrusted. */
  readonly site?: string;
  /** The page to which redirects led, if the verdict names it; untrusted. */
  readonly page?: string;
}

const TONES: Readonly<Record<VerdictName, Tone>> = {
  verified: 'good',
  redirected: 'caution',
  foreign_context: 'caution',
  unverified: 'neutral',
  certificate_expired: 'caution',
  checks_failed: 'bad',
  another_site: 'bad',
  another_page: 'bad',
  no_certificate: 'neutral',
  invalid_certificate: 'bad',
  canonical_mismatch: 'caution',
  product_deleted: 'caution',
  password_protected: 'neutral',
  page_fetch_failed: 'neutral',
};

export function verdictOf(name: VerdictName, site?: string): VerdictView {
  return { name, tone: TONES[name], ...(site === undefined ? {} : { site }) };
}

/**
 * The verdict of a report. Another page than the requested one that is verified has its own verdict, and so has a valid
 * signature for another site or page.
 */
export function verdictOfReport(
  report: Pick<PageReport, 'verdict' | 'mc4p' | 'warnings' | 'final_url'>,
): VerdictView {
  const { verdict, mc4p, final_url: page } = report;
  const { signed, checks } = mc4p;
  if (verdict === 'verified' && isAboutAnotherPage(report)) return { ...verdictOf('redirected'), page };
  if (verdict === 'verified' && isContextForeign(report)) return verdictOf('foreign_context');
  if (verdict !== 'checks_failed' || signed === undefined || checks === undefined)
    return verdictOf(verdict satisfies PageVerdict);
  if (checks.boundToDomain === false) return verdictOf('another_site', signed.domain);
  const others = [
    checks.signatureValid,
    checks.certificateIntegrity,
    checks.productIdMatches,
    checks.timestampValid,
  ];
  const isElsewhere = checks.boundToUrl === false && others.every((result) => result === true);
  return verdictOf(isElsewhere ? 'another_page' : verdict);
}

/** Verdicts before any check of a certificate; what led to them is among the errors of the report. */
const UNCHECKED: readonly PageVerdict[] = [
  'invalid_certificate',
  'canonical_mismatch',
  'password_protected',
  'page_fetch_failed',
];

/** The errors that explain a verdict for which no checks ran: to be shown with it. */
export function whyOf({ verdict, errors }: Pick<PageReport, 'verdict' | 'errors'>): readonly string[] {
  return UNCHECKED.includes(verdict) ? errors : [];
}
