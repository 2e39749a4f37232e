import type { StatusCode } from './store.ts';

/** Whose signers count as trusted. Nothing is trusted beside it. */
export interface TrustList {
  /** What it is called, for people. */
  readonly name: string;
  /** Day of its state, YYYY-MM-DD. */
  readonly date: string;
  /** Certificates of authorities, PEM, one after another; may be empty. */
  readonly anchorsPem: string;
  /** Lists beside it, each for its own purpose alone (C2PA 2.1, 14.4). */
  readonly further?: readonly FurtherTrustList[] | undefined;
}

/** A list of authorities for one purpose. */
export interface FurtherTrustList {
  /**
   * `legacy`: signers of before the C2PA conformance programme, who count as trusted by this list, which is then named;
   * `time_stamps`: authorities of time stamps; `identities`: signers of CAWG identity assertions.
   */
  readonly purpose: 'legacy' | 'time_stamps' | 'identities';
  readonly name: string;
  /** Day of its state, YYYY-MM-DD. */
  readonly date: string;
  /** PEM, one after another. */
  readonly anchorsPem: string;
}

/** Whether a signer is on the trust list. */
export type TrustStatus = 'trusted' | 'untrusted' | 'none';

/** Who signed, as the certificate of the signer names it. */
export interface SignerInfo {
  readonly issuer?: string;
  readonly commonName?: string;
  /** When it was signed, by a time stamp that belongs to the signature. Whose clock that is: see `timeTrusted`. */
  readonly time?: string;
  /** There with `time`: whether the authority of the time stamp was checked, and is on the list. */
  readonly timeTrusted?: boolean;
  /** Of the signature, lower case, such as `es256`. */
  readonly algorithm?: string;
}

/** Whether the C2PA manifest of an image is valid, and what it says. All text in it comes from strangers. */
export interface ManifestReport {
  /** The bytes carry a manifest, sound or not. */
  readonly hasManifest: boolean;
  /** Its signature and all that it covers are intact: `hasC2PA` of spec "Resources". */
  readonly valid: boolean;
  /** Why it is not. Neither trust in the signer nor `identity` is part of this. */
  readonly failures: readonly StatusCode[];
  /** Whether the identity that somebody states in the manifest holds. No part of `valid`. */
  readonly identity: IdentityReport;
  /** Whether the signature holds and its signer is on the list; `none` without a manifest. */
  readonly trust: { readonly status: TrustStatus; readonly list: string; readonly listDate: string };
  readonly signer?: SignerInfo;
  /** The program that made the manifest, and its version. */
  readonly claimGenerator?: string;
  readonly title?: string;
  readonly actions: readonly Action[];
  /** What the image was made from, and what was found wrong with that when it was signed. No part of `valid`. */
  readonly ingredients: readonly Ingredient[];
  /** At most 100, their text bounded: `…` stands for what is left out. */
  readonly assertions: readonly { readonly label: string; readonly data: unknown }[];
}

/** Something that was done to the image, by its own manifest. */
export interface Action {
  readonly action: string;
  /** As the manifest states it. */
  readonly when?: string;
  readonly softwareAgent?: string;
}

/** What the image was made from. */
export interface Ingredient {
  readonly title?: string;
  /** `parentOf`, `componentOf` or `inputTo`. */
  readonly relationship: string;
  /** What was wrong with it when it was put in, by the manifest that names it. */
  readonly failures: readonly StatusCode[];
  /** What it was made from itself, by its own manifest; absent where that names nothing. */
  readonly ingredients?: readonly Ingredient[];
}

/**
 * Identity assertions (CAWG 1.2): who vouches for the content, beside its signer. `unchecked`: what it takes lies
 * elsewhere, and nothing is fetched. Of several assertions the worst.
 */
export type IdentityStatus = 'none' | 'trusted' | 'untrusted' | 'unchecked' | 'invalid';

/** What was found about the identity assertions of a manifest. */
export interface IdentityReport {
  readonly status: IdentityStatus;
  /** Status codes of CAWG, such as `cawg.x509.credential.untrusted`. */
  readonly findings: readonly StatusCode[];
}
