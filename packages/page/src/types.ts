/** Where a fact was read (spec "Page check report"). */
export type FactSource = 'jsonld' | 'meta' | 'html';

/** One thing that the page says about its product. */
export interface Fact {
  readonly value: string;
  readonly source: FactSource;
  /** Where exactly, for example `offers.price` or `og:title`. */
  readonly field: string;
}

/** `null`: the page did not state it. */
export interface PageFacts {
  readonly name: Fact | null;
  readonly description: Fact | null;
  /** Decimal string, point as separator, no currency. */
  readonly price: Fact | null;
  /** ISO 4217. */
  readonly currency: Fact | null;
  /** A schema.org ItemAvailability name, for example `InStock`. */
  readonly availability: Fact | null;
  readonly sku: Fact | null;
  readonly brand: Fact | null;
  /** Absolute addresses. */
  readonly images: readonly Fact[];
}

/** Decision 1. */
export type Platform = 'shopify' | 'woocommerce' | 'custom';

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
  readonly platform_detected: Platform;
  readonly gate: Gate | null;
  /** Every Product node that carries `svc:issuedFor`, as parsed from JSON-LD; hostile data. */
  readonly certificates: readonly Readonly<Record<string, unknown>>[];
  /** The page's own canonical link, absolute, where it has one. */
  readonly canonicalUrl: string | null;
  /** `code: sentence`. */
  readonly findings: readonly string[];
}

export interface ReadOptions {
  /** Address that the page was read from (after redirects); relative addresses are resolved against it. */
  readonly url: string;
  /** `Content-Type` of the response, where known: its charset wins over the page's own. */
  readonly contentType?: string;
  /** JSON-LD namespace of the service, or of each that is trusted: full IRIs of it are read as `svc:` names (decision 1). */
  readonly namespaceUrl?: string | readonly string[];
}

/** A page as it was seen at one moment; what is kept and reused (decision 17). */
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

/** A page that was not seen, and why. */
export interface FailedObservation {
  readonly kind: 'failed';
  /** A code of `codes.ts`. */
  readonly code: string;
  readonly detail: string;
  /** What the HTML beside a status like 401, 403 or 503 shows: a password gate, a bot wall. */
  readonly gate?: Gate;
  readonly platform_detected?: Platform;
}

export { PAGE_VERDICTS, type PageVerdict } from '@touchstone/certificate';
