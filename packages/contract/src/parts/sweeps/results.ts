export interface SweepResult {
  /** Follows a number of pages in the summary of a store. */
  readonly counted: string;
  readonly sentence: string;
  /** What the merchant can do about it; empty if nothing needs to be done. */
  readonly nextStep: string;
}

/** Results of checking a page in a sweep, the best first. A closed list (docs/codes.md). */
export const SWEEP_RESULTS = {
  verified: {
    counted: 'verified',
    sentence: 'The page carries the certificate of its product, and it is verified.',
    nextStep: '',
  },
  stale: {
    counted: 'served from a stale cache',
    sentence: 'The certificate on the page was replaced by a newer one more than 30 hours ago.',
    nextStep:
      'Purge the cache of the page, and make sure that certificates are put into pages at least once a day.',
  },
  expired: {
    counted: 'expired',
    sentence: 'The certificate on the page has expired.',
    nextStep:
      'Put the current certificate into the page and purge its cache: certificates expire after 7 days.',
  },
  lost: {
    counted: 'lost theirs',
    sentence: 'The page carried a certificate before, but carries none now.',
    nextStep: 'Check whether the theme or plugin that puts it there was changed, then put it there again.',
  },
  missing: {
    counted: 'without one so far',
    sentence: 'No certificate has been found on the page yet.',
    nextStep: 'Put the certificate of the product into the page.',
  },
  failed: {
    counted: 'failed',
    sentence: 'The certificate on the page is not valid for this page and product.',
    nextStep:
      'See the report of the page; most often the address of the page differs from that of the product.',
  },
  unreachable: {
    counted: 'not reachable',
    sentence: 'The page could not be fetched, or is protected by a password.',
    nextStep: 'See the report of the page; let the service fetch it, or remove the product.',
  },
} as const satisfies Readonly<Record<string, SweepResult>>;

export type SweepResultName = keyof typeof SWEEP_RESULTS;

/** Reasons that only sweeps give, in addition to those of page checks. */
export const SWEEP_CODES = {
  certificate_of_another_product: 'The page carries the certificate of another product.',
  page_drifted:
    'The page states something else than the catalogue of the store, or than the certificate that it carries. Bring the page in line, or send the product again.',
  certificate_superseded: 'A newer certificate of the product has been available for more than 30 hours.',
} as const;

/** Fields of a product that sweeps compare with its page. A closed list. */
export const DRIFT_FIELDS = ['name', 'brand', 'sku', 'gtin', 'pictures', 'price', 'availability'] as const;
export type DriftField = (typeof DRIFT_FIELDS)[number];
