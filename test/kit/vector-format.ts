/** The public format of the verification vectors (docs/vectors.md). */
export interface VectorFile {
  readonly format: 'touchstone-vectors/1';
  readonly about: string;
  /** Key sets by the names used in vectors; some are intentionally malformed. */
  readonly jwks: Readonly<Record<string, unknown>>;
  readonly vectors: readonly Vector[];
}

export type Vector = DocumentVector | ProofVector | PageVector | ProfileVector | WithdrawalVector;

interface VectorHead {
  readonly id: string;
  readonly title: string;
  /** Ids of `test/requirements.ts`. */
  readonly rules: readonly string[];
  /** Name of one of the file's key sets: that of all trusted issuers but those in `jwksByIssuer`. */
  readonly jwks: string;
  /** Names of the key sets of issuers that have their own. */
  readonly jwksByIssuer?: Readonly<Record<string, string>>;
  /** When the key sets were read from their issuers, RFC 3339; absent: unknown. */
  readonly keysReadAt?: string;
  readonly expect: {
    /** Why a verifier that knows `keysReadAt` gives no verdict; the others expect the rest of `expect`. */
    readonly refused?: 'keys_unavailable';
  };
}

/** Key sets, each with the trusted issuers that it belongs to; the first is that of `jwks`. */
export type VectorKeys = readonly {
  readonly issuers: readonly string[];
  readonly jwks: unknown;
  /** RFC 3339. */
  readonly readAt?: string;
}[];

export interface CheckExpectation {
  readonly result: boolean | null;
  readonly reason: string;
}

export const CHECKS = [
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

export type Check = (typeof CHECKS)[number];

export interface VectorRegistry {
  readonly issuedFor: string;
  readonly domains: readonly { readonly hostname: string; readonly verified: boolean }[];
  /** Hosts that another merchant has proven since; absent: none. */
  readonly lostHosts?: readonly string[];
  readonly coverage: {
    readonly certifiedAssets: number;
    readonly totalAssets: number;
    readonly coveragePercent: number;
  };
  readonly publishing: boolean;
  /** The registry cannot be reached: its data are from shortly before. Absent: they are of now. */
  readonly stale?: true;
}

/** A submitted document, and its whole verification. */
export interface DocumentVector extends VectorHead {
  readonly kind: 'document';
  readonly input: { readonly document?: unknown };
  readonly context: {
    readonly pageUrl: string;
    readonly productId: string;
    readonly issuers: readonly string[];
    /** RFC 3339. */
    readonly now: string;
    readonly registry: VectorRegistry;
  };
  readonly expect: VectorHead['expect'] & DocumentExpectation;
}

export interface DocumentExpectation {
  readonly status: string;
  readonly checks: Readonly<Record<Check, CheckExpectation>>;
  /** Codes. */
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
}

/** A proof by itself, and its three checks. */
export interface ProofVector extends VectorHead {
  readonly kind: 'proof';
  readonly input: { readonly jwt: unknown };
  readonly context: {
    readonly proofKind: 'product' | 'asset' | 'image';
    readonly issuers: readonly string[];
    readonly now: string;
  };
  readonly expect: VectorHead['expect'] & {
    readonly checks: Readonly<Record<ProofCheck, CheckExpectation>>;
  };
}

export type ProofCheck = 'signatureValid' | 'certificateIntegrity' | 'timestampValid';

/** A fetched page, or why it could not be fetched, and its verdict. */
export interface PageVector extends VectorHead {
  readonly kind: 'page';
  readonly input: {
    readonly url: string;
    readonly finalUrl: string;
    readonly contentType?: string;
    readonly html?: string;
    readonly failed?: { readonly code: string; readonly detail: string };
  };
  readonly context: {
    /** Present and former base addresses of the service. */
    readonly baseUrls: readonly string[];
    readonly issuers: readonly string[];
    readonly now: string;
    /** The registry's data, by product. */
    readonly products: Readonly<Record<string, VectorRegistry>>;
  };
  readonly expect: VectorHead['expect'] & {
    readonly verdict: string;
    /** Checks of the certificate that decided; absent if none was verified. */
    readonly checks?: Readonly<Record<Check, boolean | null>>;
    /** The code that is reported first: an error's, or a warning's if there is no error. */
    readonly lead?: string;
    /** Codes that must be among the findings; others are allowed. */
    readonly findings: readonly string[];
    /** Codes that must not be among the findings. */
    readonly notFindings: readonly string[];
    /** All codes. */
    readonly warnings: readonly string[];
    readonly errors: readonly string[];
    /** By name: members that a fact must have, others are allowed; `null` if the page does not state it. */
    readonly facts?: Readonly<Record<string, ExpectedFact | null>>;
    /** The code of the conclusion. */
    readonly conclusion?: string;
    /** The same without the registry; absent: it is the same. */
    readonly conclusionWithoutRegistry?: string;
  };
}

export type ExpectedFact = Readonly<Record<string, string | readonly string[]>>;

/** A certificate, and what the addresses of its issuer answer about a withdrawal. */
export interface WithdrawalVector extends VectorHead {
  readonly kind: 'withdrawal';
  readonly input: { readonly document: unknown };
  readonly context: {
    readonly pageUrl: string;
    readonly productId: string;
    readonly issuers: readonly string[];
    readonly now: string;
    /** Absent: `ifReachable`. */
    readonly policy?: 'required' | 'none';
    /** By address: a key set of status lists, or a status list. Any other address answers 404. */
    readonly served: Readonly<Record<string, unknown>>;
  };
  readonly expect: VectorHead['expect'] & {
    readonly withdrawal: { readonly status: string | null; readonly reason: string };
    /** The addresses of status lists that are requested, and no others. */
    readonly requested: readonly string[];
    readonly status: string;
    /** All codes. */
    readonly errors: readonly string[];
    readonly warnings: readonly string[];
    /** The code of the conclusion, without a registry and the page itself. */
    readonly conclusion: string;
  };
}

export type ProfileCheck =
  | ProofCheck
  | 'boundToDomain'
  | 'productIdMatches'
  | 'boundToUrl'
  | 'imageBound'
  | 'c2paValid';

/** A certificate, the bytes of an image and the context, with the result of each profile. */
export interface ProfileVector extends VectorHead {
  readonly kind: 'profile';
  readonly input: {
    readonly document?: unknown;
    /** Base64. */
    readonly image?: string;
  };
  readonly context: {
    readonly certificateKind: 'product' | 'asset' | 'image';
    readonly domain: string;
    readonly pageUrl?: string;
    readonly productId?: string;
    readonly issuers: readonly string[];
    readonly now: string;
    /** The result of reading the image's C2PA manifest; absent: there is no manifest reader. */
    readonly manifest?: {
      readonly hasManifest: boolean;
      readonly valid: boolean;
      readonly signer: 'trusted' | 'untrusted' | 'none';
      /** Its assertions; absent: none relevant. */
      readonly assertions?: readonly { readonly label: string; readonly data: unknown }[];
    };
  };
  readonly expect: VectorHead['expect'] & {
    readonly profiles: Readonly<Record<'minimal' | 'standard' | 'full', string>>;
    readonly checks: Readonly<Record<ProfileCheck, CheckExpectation>>;
    /** Codes. */
    readonly warnings: readonly string[];
    readonly errors: readonly string[];
  };
}
