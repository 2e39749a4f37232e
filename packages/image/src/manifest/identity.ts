import type { IdentityReport, IdentityStatus } from './manifest-report.ts';
import { boundedStatuses } from './statuses.ts';
import type { ManifestStore, StatusCode, StoredStatus } from './store.ts';

export const NO_IDENTITY: IdentityReport = { status: 'none', findings: [] };

/** Label of an identity assertion (CAWG 1.2, section 5), followed by a number if there are several. */
const LABEL = /^cawg\.identity(__\d+)?$/;

/** Whether the active manifest has an identity assertion. */
export function statesIdentity({ manifests, active_manifest: active }: ManifestStore): boolean {
  return (manifests?.[active ?? '']?.assertions ?? []).some(({ label }) => LABEL.test(label));
}

/** Codes for an untrusted issuer of an assertion that is otherwise valid. */
const UNKNOWN_ISSUERS: readonly string[] = [
  'cawg.ica.untrusted_issuer',
  'cawg.identity.untrusted',
  'cawg.x509.credential.untrusted',
  'cawg.x509.signing_credential.untrusted',
];
/** The document with the issuer's key is remote: nothing is fetched because an image names it. */
const REMOTE_KEY = 'cawg.ica.did_unavailable';
const KNOWN_ISSUERS: readonly string[] = ['cawg.x509.credential.trusted', 'cawg.ica.credential_valid'];

/**
 * The result for the identity assertions.
 *
 * @param store validated without them
 * @param identified the same, validated with them; there is at least one
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
  if (codes.some((code) => code !== REMOTE_KEY && !UNKNOWN_ISSUERS.includes(code))) return 'invalid';
  if (codes.includes(REMOTE_KEY)) return 'unchecked';
  return isKnown && codes.length === 0 ? 'trusted' : 'untrusted';
}
