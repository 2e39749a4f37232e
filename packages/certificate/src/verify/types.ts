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

/** Result of one check. `null`: it did not run. `false`: it ran and failed. */
export interface CheckResult<R extends string = Reason> {
  readonly result: boolean | null;
  readonly reason: R;
  /** The value a passing document would have had, where that helps the reader. */
  readonly expected?: string;
  /** The value found, truncated to 200 characters. */
  readonly actual?: string;
}

/** `failed`: a signed document failed a check. `unverified`: there was nothing signed. */
export type VerifyStatus = 'verified' | 'failed' | 'unverified';

/**
 * The signed claims only; present only if the signature is valid and the issuer trusted, whatever the other checks
 * found. Names and addresses are the shop's own; the service only vouches for having recorded them.
 */
export interface SignedClaims {
  /** The kind of certificate. */
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
  /** How control of `domain` had been proven when it was signed; absent in proofs from before this was signed. */
  readonly control?: SignedControl;
  /** The counts are only in proofs of products. */
  readonly certifiedAssets?: number;
  readonly totalAssets?: number;
  readonly coveragePercent?: number;
  /** The following are only in proofs of images. */
  readonly assetId?: string;
  readonly imageId?: string;
  readonly contentUrl?: string;
  readonly uhash?: string;
  readonly phash?: string;
}

/** Whether and how control of a host had been proven when a proof was signed. */
export interface SignedControl {
  /** `dns_txt`, `well_known`, `meta_tag`, or a method of later releases; `none`: it had not been proven. */
  readonly method: string;
  /** The latest check that had succeeded; RFC 3339. Absent exactly if the method is `none`. */
  readonly checkedAt?: string;
}

/** What the registry currently knows about a product; plain data, so that verification stays pure. */
export interface RegistryFacts {
  /** The domain that the product's certificate is currently issued for. */
  readonly issuedFor: string;
  /** Domains of the product's store, normalised. */
  readonly domains: readonly { readonly hostname: string; readonly verified: boolean }[];
  /**
   * Normalised hosts that a certificate of this product may name but that another merchant has proven to control.
   * Default: none.
   */
  readonly lostHosts?: readonly string[];
  /** The current counts. */
  readonly coverage: Coverage;
  /** False for a product that is not active: saved pages may still carry genuine proofs of it. */
  readonly publishing: boolean;
  /** True: the registry could not be read, and these are from shortly before. Default: false. */
  readonly stale?: boolean;
}

/** Input of `verify`; plain data except for the primitives in `keySet`. */
export interface VerifyInput {
  /** The document found on the page, if any. A string is parsed; anything other than one node is dropped. */
  readonly document?: unknown;
  /** Address of the page that the document came from. */
  readonly pageUrl: string;
  /** The service's identifier of the requested product. */
  readonly productId: string;
  /** The keys of one service. For several services, `createTrust` selects the set by the issuer of the proof. */
  readonly keySet: KeySet;
  /**
   * The trusted issuers that `keySet` belongs to, values of `iss`: the base address of the service, and former ones.
   * Trust never comes from the document.
   */
  readonly issuers: readonly string[];
  /** The time of verification. */
  readonly now: Date;
  /** If left out, `domainKnown`, `domainVerified` and `trustDataCurrent` are `null`. */
  readonly registry?: RegistryFacts;
}
