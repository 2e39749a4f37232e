import type { Fact, FactExplanation, PageReport } from '@touchstone/certificate/schema';

export { PAGE_VERDICTS, type PageVerdict } from '@touchstone/certificate';
export type { Fact, FactExplanation, PageReport } from '@touchstone/certificate/schema';

/** The page check report without the id that a service gives it. */
export type UnnamedReport = Omit<PageReport, 'id'>;

/** Where a fact was read. */
export type FactSource = Fact['source'];

/** What the page says of its product; `null`: it does not say. */
export type PageFacts = PageReport['facts'];

/** `custom`: neither of the two. */
export type Platform = PageReport['platform_detected'];

/** The facts of a page that states nothing. */
export const NO_FACTS: PageFacts = {
  name: null,
  description: null,
  price: null,
  currency: null,
  availability: null,
  sku: null,
  brand: null,
  images: [],
  variant: null,
  offers: null,
};

/** What stands between the fetcher and the page. */
export interface Gate {
  /** `password`: a storefront that lets nobody in yet (coming-soon pages too). `challenge`: a bot wall. */
  readonly kind: 'password' | 'challenge';
  /** A code of `codes.ts`. */
  readonly code: string;
}

/** What saved HTML says, with no network and no registry. */
export interface PageReading {
  readonly facts: PageFacts;
  /** Every value that was weighed, per fact; absent in readings of before. */
  readonly explanation?: readonly FactExplanation[];
  readonly platform_detected: Platform;
  readonly gate: Gate | null;
  /** Every Product node that carries `svc:issuedFor`, as parsed from JSON-LD; hostile data. */
  readonly certificates: readonly Readonly<Record<string, unknown>>[];
  /** The page's own canonical link, absolute, where it has one. */
  readonly canonicalUrl: string | null;
  /** `code: sentence`. */
  readonly findings: readonly string[];
}

/** What is known of a page beside its bytes. */
export interface ReadOptions {
  /** Address that the page was read from (after redirects); relative addresses are resolved against it. */
  readonly url: string;
  /** `Content-Type` of the response, where known: its charset wins over the page's own. */
  readonly contentType?: string;
  /** JSON-LD namespace of the service, or of each that is trusted: names written out in full mean the same as `svc:` ones. */
  readonly namespaceUrl?: string | readonly string[];
  /**
   * Steps that reading the page's facts may take; by default `BOUNDS.steps`. Where they do not suffice there are no facts,
   * only the certificates, and the finding `reading_stopped`.
   */
  readonly maxSteps?: number;
}

/** A page as it was fetched at one moment: what is kept and reused, since verdicts change but this does not. */
export interface Observation {
  readonly url: string;
  /** After redirects. */
  readonly finalUrl: string;
  /** RFC 3339. */
  readonly fetchedAt: string;
  readonly outcome: ObservationOutcome;
}

export type ObservationOutcome =
  | { readonly kind: 'page'; readonly status: number; readonly reading: PageReading }
  | FailedObservation;

/** A page that could not be observed, and why. */
export interface FailedObservation {
  readonly kind: 'failed';
  /** A code of `codes.ts`. */
  readonly code: string;
  readonly detail: string;
  /** What the HTML beside a status like 401, 403 or 503 shows: a password gate, a bot wall. */
  readonly gate?: Gate;
  readonly platform_detected?: Platform;
}
