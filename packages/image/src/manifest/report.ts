import { bounded, boundedText } from './bounded.ts';
import type { ManifestStore, StatusCode, StoredManifest } from './store.ts';

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
  /** When it was signed, by a time stamp of an authority on the trust list. */
  readonly time?: string;
  /** Of the signature, lower case, such as `es256`. */
  readonly algorithm?: string;
}

/** Whether the C2PA manifest of an image is valid, and what it says. All text in it comes from strangers. */
export interface ManifestReport {
  /** The bytes carry a manifest, sound or not. */
  readonly hasManifest: boolean;
  /** Its signature and all that it covers are intact: `hasC2PA` of spec "Resources". */
  readonly valid: boolean;
  /** Why it is not. Trust in the signer is no part of this. */
  readonly failures: readonly StatusCode[];
  /** Whether the signature holds and its signer is on the list; `none` without a manifest. */
  readonly trust: { readonly status: TrustStatus; readonly list: string; readonly listDate: string };
  readonly signer?: SignerInfo;
  /** The program that made the manifest, and its version. */
  readonly claimGenerator?: string;
  readonly title?: string;
  readonly actions: readonly Action[];
  /** What the image was made from, and what its signer found wrong with that. No part of `valid`. */
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
  /** What its signer found wrong with it. */
  readonly failures: readonly StatusCode[];
}

/** Evidence without which nothing counts as intact: the absence of complaints is no pass. */
const SIGNED = 'claimSignature.validated';
const BOUND = ['assertion.dataHash.match', 'assertion.bmffHash.match', 'assertion.boxesHash.match'];
const MAX_ITEMS = 100;
/** Characters of all assertions together. */
const MAX_ASSERTION_CHARS = 50_000;

/** The report of a file that has no manifest, or one that could not be read at all. */
export function emptyReport(
  trust: TrustList,
  hasManifest: boolean,
  failures: readonly StatusCode[],
): ManifestReport {
  return {
    hasManifest,
    valid: false,
    failures,
    trust: { status: hasManifest ? 'untrusted' : 'none', list: trust.name, listDate: trust.date },
    actions: [],
    ingredients: [],
    assertions: [],
  };
}

/** What the engine found, with integrity and trust kept apart. */
export function reportOf(store: ManifestStore, trust: TrustList): ManifestReport {
  const active = store.validation_results?.activeManifest;
  const deltas = store.validation_results?.ingredientDeltas ?? [];
  const passed = new Set((active?.success ?? []).map(({ code }) => code));
  const complaints = [
    active?.failure ?? [],
    ...deltas.map((delta) => delta.validationDeltas?.failure ?? []),
  ].flat();
  const failures = integrityFailures(complaints);
  const proven = passed.has(SIGNED) && BOUND.some((code) => passed.has(code));
  const manifest = store.manifests?.[store.active_manifest ?? ''];
  return {
    hasManifest: true,
    valid: proven && failures.length === 0,
    failures: proven || failures.length > 0 ? failures : [UNPROVEN],
    trust: {
      status: passed.has(SIGNED) && passed.has('signingCredential.trusted') ? 'trusted' : 'untrusted',
      list: trust.name,
      listDate: trust.date,
    },
    ...(manifest === undefined
      ? { actions: [], ingredients: [], assertions: [] }
      : contentOf(manifest, passed)),
  };
}

/**
 * Codes that say whether we know the signer, not whether the bytes are intact. An expired or revoked credential is not
 * among them: without a time stamp it leaves open whether the signature was made while it held.
 */
const TRUST_CODES: readonly string[] = [
  'signingCredential.untrusted',
  'timeStamp.untrusted',
  'cawg.identity.untrusted',
  'cawg.x509.signing_credential.untrusted',
];

const UNPROVEN: StatusCode = {
  code: 'manifest.unproven',
  explanation: 'No check of the signature and of the image bytes was reported.',
};

function integrityFailures(complaints: readonly StatusCode[]): readonly StatusCode[] {
  return complaints
    .filter(({ code }) => !TRUST_CODES.includes(code))
    .slice(0, MAX_ITEMS)
    .map(boundedStatus);
}

function boundedStatus({ code, explanation }: StatusCode): StatusCode {
  return {
    code: boundedText(code),
    ...(explanation === undefined ? {} : { explanation: boundedText(explanation) }),
  };
}

function contentOf(manifest: StoredManifest, passed: ReadonlySet<string>) {
  const { signature_info: signature, title } = manifest;
  const [generator] = manifest.claim_generator_info ?? [];
  const named =
    generator === undefined ? manifest.claim_generator : [generator.name, generator.version].join(' ');
  const assertions = (manifest.assertions ?? []).slice(0, MAX_ITEMS);
  const budget = { left: MAX_ASSERTION_CHARS };
  return {
    ...(signature === undefined || signature === null
      ? {}
      : { signer: signerOf(signature, passed.has('timeStamp.trusted')) }),
    ...text('claimGenerator', named?.trim()),
    ...text('title', title),
    actions: assertions.filter(({ label }) => isActions(label)).flatMap(({ data }) => actionsOf(data)),
    ingredients: (manifest.ingredients ?? []).slice(0, MAX_ITEMS).map((ingredient) => ({
      ...text('title', ingredient.title),
      relationship: boundedText(ingredient.relationship ?? ''),
      failures: integrityFailures(ingredient.validation_results?.activeManifest?.failure ?? []),
    })),
    assertions: assertions
      .filter(({ label }) => !isActions(label) && !label.startsWith('c2pa.hash.'))
      .map(({ label, data }) => ({ label: boundedText(label), data: bounded(data, budget) })),
  };
}

function signerOf(signature: NonNullable<StoredManifest['signature_info']>, isTimed: boolean): SignerInfo {
  return {
    ...text('issuer', signature.issuer),
    ...text('commonName', signature.common_name),
    ...(isTimed ? text('time', signature.time) : {}),
    ...text('algorithm', signature.alg?.toLowerCase()),
  };
}

const isActions = (label: string) => /^c2pa\.actions(\.v\d+)?(__\d+)?$/.test(label);

function actionsOf(data: unknown): readonly Action[] {
  const list = (data as { actions?: unknown } | null)?.actions;
  if (!Array.isArray(list)) return [];
  return list.slice(0, MAX_ITEMS).flatMap((entry: Partial<Record<string, unknown>> | null) => {
    if (typeof entry?.action !== 'string') return [];
    const { softwareAgent: agent } = entry;
    const agentName = typeof agent === 'object' ? (agent as { name?: unknown } | null)?.name : agent;
    return [
      { action: boundedText(entry.action), ...text('when', entry.when), ...text('softwareAgent', agentName) },
    ];
  });
}

/** A member that is there only when there is text for it. */
function text<K extends string>(name: K, value: unknown): { readonly [P in K]?: string } {
  const entry: { [P in K]?: string } = {};
  if (typeof value === 'string' && value !== '') entry[name] = boundedText(value);
  return entry;
}
