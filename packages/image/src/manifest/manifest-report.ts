import type { StatusCode } from './store.ts';

/** The trust anchors of manifest signers. No others are trusted. */
export interface TrustList {
  /** Display name. */
  readonly name: string;
  /** Date of its contents, YYYY-MM-DD. */
  readonly date: string;
  /** Certificates of authorities, PEM, concatenated; may be empty. */
  readonly anchorsPem: string;
  /** Further lists, each for one purpose only (C2PA 2.1, 14.4). */
  readonly further?: readonly FurtherTrustList[] | undefined;
}

/** A list of authorities for one purpose. */
export interface FurtherTrustList {
  /**
   * `legacy`: signers from before the C2PA conformance programme; reports name this list for them; `time_stamps`: time-stamp
   * authorities; `identities`: signers of CAWG identity assertions.
   */
  readonly purpose: 'legacy' | 'time_stamps' | 'identities';
  readonly name: string;
  /** Date of its contents, YYYY-MM-DD. */
  readonly date: string;
  /** PEM, concatenated. */
  readonly anchorsPem: string;
}

/** Whether a signer is on the trust list. */
export type TrustStatus = 'trusted' | 'untrusted' | 'none';

/** The signer, as named in the signing certificate. */
export interface SignerInfo {
  readonly issuer?: string;
  readonly commonName?: string;
  /** When it was signed, according to the signature's time stamp; see `timeTrusted`. */
  readonly time?: string;
  /** Present with `time`: whether the time-stamp authority was checked, and is on the list. */
  readonly timeTrusted?: boolean;
  /** Algorithm of the signature, lower case, such as `es256`. */
  readonly algorithm?: string;
}

/** Whether the C2PA manifest of an image is valid, and its contents, all of which are untrusted text. */
export interface ManifestReport {
  /** Whether the bytes contain a manifest, valid or not. */
  readonly hasManifest: boolean;
  /** Its signature is valid and all that it covers is unaltered: `hasC2PA` of spec "Resources". */
  readonly valid: boolean;
  /** Why it is not valid. Neither trust in the signer nor `identity` is part of this. */
  readonly failures: readonly StatusCode[];
  /** Result for the identity assertions. Not part of `valid`. */
  readonly identity: IdentityReport;
  /** Whether the signature is valid and its signer on the list; `none` without a manifest. */
  readonly trust: { readonly status: TrustStatus; readonly list: string; readonly listDate: string };
  readonly signer?: SignerInfo;
  /** The program that created the manifest, and its version. */
  readonly claimGenerator?: string;
  readonly title?: string;
  readonly actions: readonly Action[];
  /** The image's ingredients, with failures found when it was signed. Not part of `valid`. */
  readonly ingredients: readonly Ingredient[];
  /** At most 100, of limited size: `…` replaces what is left out. */
  readonly assertions: readonly { readonly label: string; readonly data: unknown }[];
}

/** An action on the image, as the manifest states it. */
export interface Action {
  readonly action: string;
  /** As the manifest states it. */
  readonly when?: string;
  readonly softwareAgent?: string;
}

/** An ingredient of the image. */
export interface Ingredient {
  readonly title?: string;
  /** `parentOf`, `componentOf` or `inputTo`. */
  readonly relationship: string;
  /** Failures found when it was added, as the manifest states them. */
  readonly failures: readonly StatusCode[];
  /** Its own ingredients, by its own manifest; absent if there are none. */
  readonly ingredients?: readonly Ingredient[];
}

/**
 * The status of the identity assertions (CAWG 1.2), in which persons or organisations other than the signer vouch for the content.
 * `unchecked`: the issuer's key is remote, and nothing is fetched. The worst status of several assertions.
 */
export type IdentityStatus = 'none' | 'trusted' | 'untrusted' | 'unchecked' | 'invalid';

/** The result for the identity assertions of a manifest. */
export interface IdentityReport {
  readonly status: IdentityStatus;
  /** Status codes of CAWG, such as `cawg.x509.credential.untrusted`. */
  readonly findings: readonly StatusCode[];
}
