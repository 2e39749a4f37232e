/** A status code of the C2PA specification (15.2), or one of our own for what it has no code for. */
export interface StatusCode {
  readonly code: string;
  readonly explanation?: string;
}

/** As the engine states it. */
export interface StoredStatus extends StatusCode {
  /** The box that it is about. */
  readonly url?: string;
}

/** The part of the engine's manifest store that is read here. Its values come from the file: any may be missing. */
export interface ManifestStore {
  readonly active_manifest?: string;
  readonly manifests?: Readonly<Record<string, StoredManifest>>;
  /** `Invalid`, `Valid`, or `Trusted`: the engine's own word. */
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
  /** Of ingredients of version 1 and 2. */
  readonly validation_status?: readonly StoredStatus[];
  /** Of ingredients of version 3. */
  readonly validation_results?: {
    readonly activeManifest?: Statuses;
    readonly ingredientDeltas?: readonly { readonly validationDeltas?: Statuses }[] | null;
  };
}
