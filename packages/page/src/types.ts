import type { PageStatements } from '@touchstone/certificate/agreement';
import type { Fact, FactExplanation, PageClaim, PageReport } from '@touchstone/certificate/schema';
import type { PageCode } from './codes.ts';

export { PAGE_VERDICTS, type PageVerdict } from '@touchstone/certificate';
export type { Fact, FactExplanation, PageClaim, PageReport } from '@touchstone/certificate/schema';

/** The page check report without the id that a service gives it. */
export type UnnamedReport = Omit<PageReport, 'id'>;

/** Where a fact was read. */
export type FactSource = Fact['source'];

/** What the page states about its product; `null` for a fact that it does not state. */
export type PageFacts = PageReport['facts'];

/** `custom`: neither Shopify nor WooCommerce was recognised. */
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

/** A page that was served in place of the product page: a password prompt or a bot challenge. */
export interface Gate {
  /** `password`: a storefront that is not open to visitors, coming-soon pages included. `challenge`: a bot challenge or block. */
  readonly kind: 'password' | 'challenge';
  readonly code: PageCode;
}

/** The result of reading HTML, without access to a network or registry. */
export interface PageReading {
  readonly facts: PageFacts;
  /** All candidates of each fact with their weights; absent in readings stored by older releases. */
  readonly explanation?: readonly FactExplanation[];
  /** What the page states to identify its product; absent if reading stopped, and in readings stored by older releases. */
  readonly statements?: PageStatements;
  /**
   * Whether the page states a product of its own, apart from those that it lists; absent if reading stopped, and in readings stored by
   * older releases.
   */
  readonly statesProduct?: boolean;
  /** What others are said to certify; nothing of it is verified. Absent if there is none, and in readings stored by older releases. */
  readonly claims?: readonly PageClaim[];
  readonly platform_detected: Platform;
  readonly gate: Gate | null;
  /** All Product nodes with `svc:issuedFor`, as parsed from JSON-LD; untrusted data. */
  readonly certificates: readonly Readonly<Record<string, unknown>>[];
  /** The page's canonical link as an absolute URL; `null` if it has none. */
  readonly canonicalUrl: string | null;
  /** Each as `code: sentence`. */
  readonly findings: readonly string[];
}

/** The context and limits for reading a page. */
export interface ReadOptions {
  /** Address of the page after redirects; relative addresses are resolved against it. */
  readonly url: string;
  /** `Content-Type` of the response, if known; its charset takes precedence over the one declared in the page. */
  readonly contentType?: string;
  /** JSON-LD namespace of each trusted service; full IRIs in it are read like the `svc:` prefix. */
  readonly namespaceUrl?: string | readonly string[];
  /**
   * Work limit for reading the facts, in steps; default: `BOUNDS.steps`. When it is exceeded, the reading contains no facts, only
   * the certificates and the finding `reading_stopped`.
   */
  readonly maxSteps?: number;
}

/** A page as fetched at one time. Observations can be stored and reused; verdicts are derived from them anew, since they change. */
export interface Observation {
  readonly url: string;
  /** After redirects. */
  readonly finalUrl: string;
  /** RFC 3339. */
  readonly fetchedAt: string;
  /** SHA-256 of the bytes that were read, base64url; absent if none were, and in observations stored by older releases. */
  readonly sha256?: string;
  readonly outcome: ObservationOutcome;
}

export type ObservationOutcome =
  | { readonly kind: 'page'; readonly status: number; readonly reading: PageReading }
  | FailedObservation;

/** The reason why a page could not be fetched or read. */
export interface FailedObservation {
  readonly kind: 'failed';
  /** A code of `codes.ts`. */
  readonly code: string;
  readonly detail: string;
  /** The gate found in the HTML of an error response, such as one with status 401, 403 or 503. */
  readonly gate?: Gate;
  readonly platform_detected?: Platform;
}
