import type { IdentityReport, IdentityStatus } from './manifest-report.ts';
import { boundedStatuses } from './statuses.ts';
import type { ManifestStore, StatusCode, StoredStatus } from './store.ts';

export const NO_IDENTITY: IdentityReport = { status: 'none', findings: [] };

/** Label of an identity assertion (CAWG 1.2, section 5); a number follows where there are several. */
const LABEL = /^cawg\.identity(__\d+)?$/;

/** Whether anybody states an identity in the active manifest. */
export function statesIdentity({ manifests, active_manifest: active }: ManifestStore): boolean {
  return (manifests?.[active ?? '']?.assertions ?? []).some(({ label }) => LABEL.test(label));
}

/** What says whether we know whoever vouches, not whether the assertion holds. */
const UNKNOWN_ISSUERS: readonly string[] = [
  'cawg.ica.untrusted_issuer',
  'cawg.identity.untrusted',
  'cawg.x509.credential.untrusted',
  'cawg.x509.signing_credential.untrusted',
];
/** The document that holds the issuer's key lies elsewhere: nothing is fetched because an image says so. */
const ELSEWHERE = 'cawg.ica.did_unavailable';
const KNOWN_ISSUERS: readonly string[] = ['cawg.x509.credential.trusted', 'cawg.ica.credential_valid'];

/**
 * What the engine found about the identity assertions.
 *
 * @param store judged without them
 * @param identified the same judged with them; there is at least one
 */
export function identityOf(store: ManifestStore, identified: ManifestStore): IdentityReport {
  const before = new Set((store.validation_results?.activeManifest?.failure ?? []).map(keyOf));
  const {
    success = [],
    informational = [],
    failure = [],
  } = identified.validation_results?.activeManifest ?? {};
  const findings = [
    ...failure.filter((status) => !before.has(keyOf(status))),
    ...informational.filter(({ code }) => code.startsWith('cawg.')),
  ];
  const isKnown = success.some(({ code }) => KNOWN_ISSUERS.includes(code));
  return { status: statusOf(findings, isKnown), findings: boundedStatuses(findings) };
}

const keyOf = ({ code, url = '' }: StoredStatus) => `${code} ${url}`;

function statusOf(findings: readonly StatusCode[], isKnown: boolean): IdentityStatus {
  const codes = findings.map(({ code }) => code);
  if (codes.some((code) => code !== ELSEWHERE && !UNKNOWN_ISSUERS.includes(code))) return 'invalid';
  if (codes.includes(ELSEWHERE)) return 'unchecked';
  return isKnown && codes.length === 0 ? 'trusted' : 'untrusted';
}
