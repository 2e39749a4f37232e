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
