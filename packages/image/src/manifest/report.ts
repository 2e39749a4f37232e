import { contentOf } from './content.ts';
import { identityOf, NO_IDENTITY } from './identity.ts';
import type { ManifestReport, TrustList } from './manifest-report.ts';
import { boundedStatuses, isIntegrityFailure } from './statuses.ts';
import type { ManifestStore, StatusCode } from './store.ts';

/** Checks that must have passed for a manifest to be valid: the absence of failures is not enough. */
const SIGNED = ['claimSignature.validated', 'claimSignature.insideValidity'];
const BOUND = ['assertion.dataHash.match', 'assertion.bmffHash.match', 'assertion.boxesHash.match'];

const UNPROVEN: StatusCode = {
  code: 'manifest.unproven',
  explanation: 'No check of the signature and of the image bytes was reported.',
};

/** The report for a file without a manifest, or with one that cannot be read. */
export function emptyReport(
  trust: TrustList,
  hasManifest: boolean,
  failures: readonly StatusCode[],
): ManifestReport {
  return {
    hasManifest,
    valid: false,
    failures,
    identity: NO_IDENTITY,
    trust: { status: hasManifest ? 'untrusted' : 'none', list: trust.name, listDate: trust.date },
    actions: [],
    ingredients: [],
    assertions: [],
  };
}

/**
 * The report for the engine's result, with integrity, trust and identity separated.
 *
 * @param store validated without identity assertions, so that they do not affect integrity
 * @param identified the same, validated with identity assertions, if there are any
 */
export function reportOf(store: ManifestStore, trust: TrustList, identified?: ManifestStore): ManifestReport {
  const active = store.validation_results?.activeManifest;
  const deltas = store.validation_results?.ingredientDeltas ?? [];
  const passed = new Set((active?.success ?? []).map(({ code }) => code));
  const allFailures = [
    active?.failure ?? [],
    ...deltas.map((delta) => delta.validationDeltas?.failure ?? []),
  ].flat();
  const failures = boundedStatuses(allFailures.filter(isIntegrityFailure));
  const isProven = SIGNED.every((code) => passed.has(code)) && BOUND.some((code) => passed.has(code));
  const isSound = store.validation_state === 'Valid' || store.validation_state === 'Trusted';
  return {
    hasManifest: true,
    valid: isProven && isSound && failures.length === 0,
    failures: (isProven && isSound) || failures.length > 0 ? failures : [UNPROVEN],
    identity: identified === undefined ? NO_IDENTITY : identityOf(store, identified),
    trust: {
      status:
        passed.has('claimSignature.validated') && passed.has('signingCredential.trusted')
          ? 'trusted'
          : 'untrusted',
      list: trust.name,
      listDate: trust.date,
    },
    ...contentOf(identified ?? store, passed),
  };
}
