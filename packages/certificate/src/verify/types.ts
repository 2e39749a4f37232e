import type { Coverage } from '../claims/snapshot.ts';
import type { KeySet } from '../keys/key-set.ts';
import type { ProofKind } from '../proof/proof-rules.ts';
import type { Reason } from './reasons.ts';

/** The nine checks of spec "Verification result (product-keyed)", by their wire names. */
export const CHECK_NAMES = [
  'domainKnown',
  'domainVerified',
  'boundToUrl',
  'boundToDomain',
  'productIdMatches',
  'signatureValid',
  'certificateIntegrity',
  'trustDataCurrent',
  'timestampValid',
] as const;

/** One of the nine checks. */
export type CheckName = (typeof CHECK_NAMES)[number];

/** What one check answers. `null`: it did not run. `false`: it ran and failed. */
export interface CheckResult {
  readonly result: boolean | null;
  readonly reason: Reason;
  /** What a passing document would have said, where that helps the reader. */
  readonly expected?: string;
  /** What this one said, truncated to 200 characters. */
  readonly actual?: string;
}

/** `failed`: something signed did not hold. `unverified`: nothing signed was there. */
export type VerifyStatus = 'verified' | 'failed' | 'unverified';

/**
 * What was signed, and nothing else: there only where the signature is valid and the issuer trusted, whatever the other
 * checks say. Names and addresses are the shop's own words, which the service vouches for having recorded.
 */
export interface SignedClaims {
  /** What it was signed for. */
  readonly kind: ProofKind;
  /** Base address of the service that signed. */
  readonly issuer: string;
  /** RFC 3339, like `expiresAt`. */
  readonly issuedAt: string;
  readonly expiresAt: string;
  readonly domain: string;
  readonly url: string;
  readonly productId: string;
  readonly externalProductId: string;
  readonly productName: string;
  readonly storeName: string;
  readonly storeUrl: string;
  /** The counts stand in proofs of products only. */
  readonly certifiedAssets?: number;
  readonly totalAssets?: number;
  readonly coveragePercent?: number;
  /** The rest stands in proofs of images only. */
  readonly assetId?: string;
  readonly imageId?: string;
  readonly contentUrl?: string;
  readonly uhash?: string;
  readonly phash?: string;
}

/** Spec "Verification result (product-keyed)", and `checkDetails`: each check with its reason. */
export interface VerificationResult {
  readonly status: VerifyStatus;
  /** The product that was asked about. */
  readonly productId: string;
  /** The registry's domain; absent where no registry was asked. Never an unverified claim. */
  readonly issuedFor?: string;
  /** What was signed; absent unless the signature is valid and the issuer trusted. */
  readonly signed?: SignedClaims;
  /** The results alone, as the spec has them. */
  readonly checks: Readonly<Record<CheckName, boolean | null>>;
  readonly checkDetails: Readonly<Record<CheckName, CheckResult>>;
  /** `code: sentence`. */
  readonly warnings: readonly string[];
  /** `code: sentence`, one per load-bearing check that is not true. */
  readonly errors: readonly string[];
  /** Name and version of the verifier that judged. */
  readonly verifier: string;
}

/** What the registry knows of a product now; plain data, so that verifying stays pure. */
export interface RegistryFacts {
  /** The domain that the product's certificate is issued for now. */
  readonly issuedFor: string;
  /** Domains of the product's store, normalised. */
  readonly domains: readonly { readonly hostname: string; readonly verified: boolean }[];
  /**
   * Hosts, normalised, that a certificate of this product may name, and that another merchant has proven to control.
   * Left out: none.
   */
  readonly lostHosts?: readonly string[];
  /** The counts of today. */
  readonly coverage: Coverage;
  /** False for a product that is not active: its saved pages still carry genuine proofs. */
  readonly publishing: boolean;
}

/** What `verify` is asked; plain data, but for the signature primitive in `keySet`. */
export interface VerifyInput {
  /** What was found on the page, or nothing. A string is parsed; anything but one node is dropped. */
  readonly document?: unknown;
  /** Address of the page that the document came from. */
  readonly pageUrl: string;
  /** The service's identifier of the product in question. */
  readonly productId: string;
  readonly keySet: KeySet;
  /** Whom the caller trusts: values of `iss`. Trust never comes from the document. */
  readonly issuers: readonly string[];
  /** The moment of judging. */
  readonly now: Date;
  /** Left out, `domainKnown`, `domainVerified` and `trustDataCurrent` are `null`. */
  readonly registry?: RegistryFacts;
}
