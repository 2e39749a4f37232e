import { contentOf } from './content.ts';
import { identityOf, NO_IDENTITY } from './identity.ts';
import type { ManifestReport, TrustList } from './manifest-report.ts';
import { boundedStatuses, isFault } from './statuses.ts';
import type { ManifestStore, StatusCode } from './store.ts';

/** Evidence without which nothing counts as intact: the absence of complaints is no pass. */
const SIGNED = ['claimSignature.validated', 'claimSignature.insideValidity'];
const BOUND = ['assertion.dataHash.match', 'assertion.bmffHash.match', 'assertion.boxesHash.match'];

const UNPROVEN: StatusCode = {
  code: 'manifest.unproven',
  explanation: 'No check of the signature and of the image bytes was reported.',
};

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
    identity: NO_IDENTITY,
    trust: { status: hasManifest ? 'untrusted' : 'none', list: trust.name, listDate: trust.date },
    actions: [],
    ingredients: [],
    assertions: [],
  };
}

/**
 * What the engine found, with integrity, trust and identity kept apart.
 *
 * @param store as the engine judges it when it leaves identity assertions alone: its word on integrity, and nothing else
 * @param identified the same with identity assertions judged too; where there are any
 */
export function reportOf(store: ManifestStore, trust: TrustList, identified?: ManifestStore): ManifestReport {
  const active = store.validation_results?.activeManifest;
  const deltas = store.validation_results?.ingredientDeltas ?? [];
  const passed = new Set((active?.success ?? []).map(({ code }) => code));
  const complaints = [
    active?.failure ?? [],
    ...deltas.map((delta) => delta.validationDeltas?.failure ?? []),
  ].flat();
  const failures = boundedStatuses(complaints.filter(isFault));
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
