import type { KeySet } from '../keys/key-set.ts';
import type { ProofKind } from '../proof/proof-rules.ts';
import type { LogFinding } from './log-reasons.ts';
import type { Reason } from './reasons.ts';
import type { SignedClaims } from './types.ts';
import { LOAD_BEARING_CHECKS } from './verdict.ts';
import type { Withdrawal, WithdrawnCheckReason } from './withdrawal-reasons.ts';

/** Reasons that only profiles give, in addition to those of the checks; also a closed list. */
export const PROFILE_REASONS = {
  context_not_given: 'The value to compare with was not given.',
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
  manifest_invalid: 'The C2PA manifest of the image is not valid.',
  signer_untrusted: 'The signer of the C2PA manifest is not on the trust list that was used.',
} as const;

/** A code of `PROFILE_REASONS`. */
export type ProfileReason = keyof typeof PROFILE_REASONS;

/** Checks that a profile may require: of the proof, of the context, and of the image's bytes. */
export const PROFILE_CHECKS = [...LOAD_BEARING_CHECKS, 'imageBound', 'c2paValid'] as const;

/** A check that a profile may require. */
export type ProfileCheck = (typeof PROFILE_CHECKS)[number];

/** Like `CheckResult`, with the reasons of profiles. */
export interface ProfileCheckResult {
  /** `null`: it did not run. `false`: it ran and failed. */
  readonly result: boolean | null;
  readonly reason: Reason | ProfileReason | WithdrawnCheckReason;
  readonly expected?: string;
  readonly actual?: string;
}

/** The profiles of spec "Authentication", 5. */
export type Profile = 'minimal' | 'standard' | 'full';

/** `undetermined`: nothing failed, but a check that the profile requires could not run. */
export type ProfileStatus = 'trusted' | 'untrusted' | 'undetermined';

/** Result of verifying a certificate by every profile. */
export interface ProfileVerification {
  /** The signed claims; absent unless the signature is valid and the issuer trusted. */
  readonly signed?: SignedClaims;
  readonly profiles: Readonly<Record<Profile, ProfileStatus>>;
  readonly checks: Readonly<Record<ProfileCheck, ProfileCheckResult>>;
  /** `code: sentence`. */
  readonly warnings: readonly string[];
  /** `code: sentence`, one per reason of the checks that are false. */
  readonly errors: readonly string[];
  /** Whether the certificate has been withdrawn; absent if nobody looked (`withWithdrawal`). */
  readonly withdrawal?: Withdrawal;
  /** Whether the proof is in a transparency log; absent if nobody looked (`withLog`). */
  readonly log?: LogFinding;
  /** Name and version of the verifier. */
  readonly verifier: string;
}

/** What profiles need to know about the manifest in an image. */
export interface ManifestReading {
  readonly hasManifest: boolean;
  /** There is a manifest and its integrity validates, whether or not its signer is trusted. */
  readonly valid: boolean;
  /** C2PA status codes. */
  readonly failures: readonly { readonly code: string }[];
  /** Whether its signer is on the trust list; `untrusted` is a warning, never a failed check. */
  readonly trust: { readonly status: 'trusted' | 'untrusted' | 'none'; readonly list: string };
  /** Assertions of the manifest. If left out, it cannot be detected that the service signed the image for another store. */
  readonly assertions?: readonly { readonly label: string; readonly data: unknown }[];
}

/** Reads and validates the C2PA manifest of an image. Returns a reading for any bytes; throws only if it cannot work at all. */
export type ReadManifest = (image: Uint8Array) => ManifestReading | Promise<ManifestReading>;

/** Input of `verifyProfiles`; plain data except for functions such as the signature primitive. */
export interface ProfileInput {
  /** The certificate as found; a string is parsed. Anything other than one signed node counts as no proof. */
  readonly document: unknown;
  /** The required kind of certificate. Full needs that of the image, since a product's certificate names no bytes. */
  readonly kind: ProofKind;
  /** The keys of one service, as for `verify`. */
  readonly keySet: KeySet;
  /** The trusted issuers that `keySet` belongs to: values of `iss`. */
  readonly issuers: readonly string[];
  /** The time of verification. */
  readonly now: Date;
  /** What was observed, and where. */
  readonly context: {
    /** Hostname. If left out, `boundToDomain` does not run, and no profile can be `trusted`. */
    readonly domain?: string;
    readonly pageUrl?: string;
    /** The service's identifier of the product. */
    readonly productId?: string;
  };
  /** The bytes shown to the visitor, not those that the certificate points to. */
  readonly image?: Uint8Array;
  /** If left out, `c2paValid` is `null`, and Full is `undetermined` at best. */
  readonly readManifest?: ReadManifest;
}
