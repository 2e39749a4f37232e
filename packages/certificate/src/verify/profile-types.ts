import type { KeySet } from '../keys/key-set.ts';
import type { ProofKind } from '../proof/proof-rules.ts';
import type { Reason } from './reasons.ts';
import type { SignedClaims } from './types.ts';
import { LOAD_BEARING_CHECKS } from './verdict.ts';

/** Reasons that only profiles give, beside those of the checks; the list is closed like theirs. */
export const PROFILE_REASONS = {
  context_not_given: 'What to compare with was not given.',
  image_not_given: 'The bytes of the image were not given.',
  manifest_not_read: 'No reader of C2PA manifests was given.',
  image_unbound:
    'The proof names no hash of an image, so nothing ties these bytes to it: take the certificate of the image.',
  image_differs: 'The proof was issued for other bytes.',
  image_source:
    'The image is the file that the certified one was made from: the shop serves it in place of the certified file.',
  image_issued_to_another_store: 'The image was signed by this service for another store.',
  manifest_absent: 'The image carries no C2PA manifest.',
  manifest_in_certified_file:
    'These bytes carry no C2PA manifest: it is in the certified file that was made from them.',
  manifest_invalid: 'The C2PA manifest of the image does not validate.',
  signer_untrusted: 'The signer of the C2PA manifest is not on the trust list that was asked.',
} as const;

/** A code of `PROFILE_REASONS`. */
export type ProfileReason = keyof typeof PROFILE_REASONS;

/** What a profile may rest on: checks of the proof, of the context, and of the image's bytes. */
export const PROFILE_CHECKS = [...LOAD_BEARING_CHECKS, 'imageBound', 'c2paValid'] as const;

/** A check that profiles rest on. */
export type ProfileCheck = (typeof PROFILE_CHECKS)[number];

/** As `CheckResult`, with the reasons of profiles. */
export interface ProfileCheckResult {
  /** `null`: it did not run. `false`: it ran and failed. */
  readonly result: boolean | null;
  readonly reason: Reason | ProfileReason;
  readonly expected?: string;
  readonly actual?: string;
}

/** The profiles of spec "Authentication", 5. */
export type Profile = 'minimal' | 'standard' | 'full';

/** `undetermined`: nothing failed, and something that the profile rests on could not be checked. */
export type ProfileStatus = 'trusted' | 'untrusted' | 'undetermined';

/** What a certificate comes to by each profile. */
export interface ProfileVerification {
  /** What was signed; absent unless the signature is valid and the issuer trusted. */
  readonly signed?: SignedClaims;
  readonly profiles: Readonly<Record<Profile, ProfileStatus>>;
  readonly checks: Readonly<Record<ProfileCheck, ProfileCheckResult>>;
  /** `code: sentence`. */
  readonly warnings: readonly string[];
  /** `code: sentence`, one per check that is false. */
  readonly errors: readonly string[];
  /** Name and version of the verifier that judged. */
  readonly verifier: string;
}

/** What was found in the bytes of an image, as far as profiles ask. */
export interface ManifestReading {
  readonly hasManifest: boolean;
  /** There is one and its integrity validates; trust in its signer apart. */
  readonly valid: boolean;
  /** C2PA status codes. */
  readonly failures: readonly { readonly code: string }[];
  /** Whether its signer is on the list; a warning, never a failed check. */
  readonly trust: { readonly status: 'trusted' | 'untrusted' | 'none'; readonly list: string };
  /** What the manifest asserts; without them it is not told that the service signed the image for another store. */
  readonly assertions?: readonly { readonly label: string; readonly data: unknown }[];
}

/**
 * Reads and validates the C2PA manifest of an image. Whatever the bytes are, it answers; it throws only when it
 * cannot work at all.
 */
export type ReadManifest = (image: Uint8Array) => ManifestReading | Promise<ManifestReading>;

/** What `verifyProfiles` is asked; plain data, but for the two primitives. */
export interface ProfileInput {
  /** The certificate as it was found; a string is parsed; anything but one signed node counts as no proof. */
  readonly document: unknown;
  /** Which kind of certificate is called for: Full needs that of the image, since a product's names no bytes. */
  readonly kind: ProofKind;
  readonly keySet: KeySet;
  /** Whom the caller trusts: values of `iss`. */
  readonly issuers: readonly string[];
  /** The moment of judging. */
  readonly now: Date;
  /** What was observed, and where. */
  readonly context: {
    /** Hostname; left out, nothing is said of it, and no profile can be `trusted`. */
    readonly domain?: string;
    readonly pageUrl?: string;
    /** The service's identifier of the product. */
    readonly productId?: string;
  };
  /** The bytes under evaluation: those that the visitor sees, not those that the certificate points to. */
  readonly image?: Uint8Array;
  /** Left out, `c2paValid` is `null`, and Full is `undetermined` at best. */
  readonly readManifest?: ReadManifest;
}
