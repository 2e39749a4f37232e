/** The ten verdicts of spec "Page check verdicts". */
export const PAGE_VERDICTS = [
  'verified',
  'unverified',
  'certificate_expired',
  'checks_failed',
  'no_certificate',
  'invalid_certificate',
  'canonical_mismatch',
  'product_deleted',
  'password_protected',
  'page_fetch_failed',
] as const;

/** Result of a page check. */
export type PageVerdict = (typeof PAGE_VERDICTS)[number];

/** The codes of the warning that a report is about another page than the requested one; one of them comes first. */
export const LANDING_WARNINGS = ['redirected_to_another_host', 'redirected_to_another_page'] as const;

/**
 * Whether a page check report is about another page than the requested one, to which redirects led. If so, `verified`
 * says nothing about the requested address.
 *
 * @example
 * ```ts
 * import { isAboutAnotherPage } from '@touchstone/certificate';
 *
 * isAboutAnotherPage({ warnings: [] }); // false
 * ```
 */
export function isAboutAnotherPage({ warnings }: { readonly warnings: readonly string[] }): boolean {
  return warnings.some((warning) => LANDING_WARNINGS.some((code) => warning.startsWith(`${code}:`)));
}
