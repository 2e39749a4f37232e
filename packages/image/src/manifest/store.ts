/** A status code of the C2PA specification (15.2), or one of our own for what it has no code for. */
export interface StatusCode {
  readonly code: string;
  readonly explanation?: string;
}

/** The part of the engine's manifest store that is read here. Its values come from the file: any may be missing. */
export interface ManifestStore {
  readonly active_manifest?: string;
  readonly manifests?: Readonly<Record<string, StoredManifest>>;
  readonly validation_results?: {
    readonly activeManifest?: Statuses;
    readonly ingredientDeltas?: readonly { readonly validationDeltas?: Statuses }[] | null;
  };
}

export interface Statuses {
  readonly success?: readonly StatusCode[];
  readonly failure?: readonly StatusCode[];
}

export interface StoredManifest {
  readonly claim_generator?: string;
  readonly claim_generator_info?: readonly { readonly name?: string; readonly version?: string }[];
  readonly title?: string;
  readonly assertions?: readonly { readonly label: string; readonly data: unknown }[];
  readonly ingredients?: readonly {
    readonly title?: string;
    readonly relationship?: string;
    readonly validation_results?: { readonly activeManifest?: Statuses };
  }[];
  readonly signature_info?: {
    readonly issuer?: string;
    readonly common_name?: string;
    readonly time?: string;
    readonly alg?: string;
  } | null;
}
