/** A status code of the C2PA specification (15.2), or one of our own. */
export interface StatusCode {
  readonly code: string;
  readonly explanation?: string;
}

/** A status in the engine's result. */
export interface StoredStatus extends StatusCode {
  /** The box that it concerns. */
  readonly url?: string;
}

/** The engine's result: the members that are read here. They come from the file, and any may be missing. */
export interface ManifestStore {
  readonly active_manifest?: string;
  readonly manifests?: Readonly<Record<string, StoredManifest>>;
  /** `Invalid`, `Valid`, or `Trusted`. */
  readonly validation_state?: string;
  readonly validation_results?: {
    readonly activeManifest?: Statuses;
    readonly ingredientDeltas?: readonly { readonly validationDeltas?: Statuses }[] | null;
  };
}

export interface Statuses {
  readonly success?: readonly StoredStatus[];
  readonly informational?: readonly StoredStatus[];
  readonly failure?: readonly StoredStatus[];
}

export interface StoredManifest {
  readonly claim_version?: number;
  readonly claim_generator?: string;
  readonly claim_generator_info?: readonly { readonly name?: string; readonly version?: string }[];
  readonly title?: string;
  readonly assertions?: readonly { readonly label: string; readonly data: unknown }[];
  readonly ingredients?: readonly StoredIngredient[];
  readonly signature_info?: {
    readonly issuer?: string;
    readonly common_name?: string;
    readonly time?: string;
    readonly alg?: string;
  } | null;
}

export interface StoredIngredient {
  readonly title?: string;
  readonly relationship?: string;
  /** Label of its own manifest. */
  readonly active_manifest?: string;
  /** In ingredients of version 1 and 2. */
  readonly validation_status?: readonly StoredStatus[];
  /** In ingredients of version 3. */
  readonly validation_results?: {
    readonly activeManifest?: Statuses;
    readonly ingredientDeltas?: readonly { readonly validationDeltas?: Statuses }[] | null;
  };
}
