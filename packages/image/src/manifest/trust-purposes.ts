import type { FurtherTrustList, TrustList } from './manifest-report.ts';
import type { ManifestStore, StatusCode } from './store.ts';

/*
 * The engine does not distinguish anchors of signers from those of time stamps, and names the list of an anchor only in an
 * explanation. So each certificate is passed once, with the names of all its purposes, and the result is checked against them.
 */

type Purpose = 'signers' | FurtherTrustList['purpose'];

/** Trust anchors in the engine's settings. */
export interface EngineAnchors {
  readonly trust_anchors: string;
  readonly trust_kind: 'manifest' | 'cawg';
  /** Their purposes, separated by `+`. */
  readonly trust_uri: string;
}

/** @param only leaves out anchors without this purpose */
export function anchorsOf(trust: TrustList, only?: Purpose): EngineAnchors[] {
  const groups = new Map<string, string[]>();
  for (const [pem, purposes] of purposesByCertificate(trust)) {
    const name = [...purposes].toSorted().join('+');
    groups.set(name, [...(groups.get(name) ?? []), pem]);
  }
  return [...groups].flatMap(([name, certificates]) => {
    const purposes = name.split('+');
    if (only !== undefined && !purposes.includes(only)) return [];
    const trust_anchors = certificates.join('\n');
    const kinds: EngineAnchors['trust_kind'][] = purposes.includes('identities')
      ? ['manifest', 'cawg']
      : ['manifest'];
    return kinds.map((trust_kind) => ({ trust_anchors, trust_kind, trust_uri: name }));
  });
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function purposesByCertificate({ anchorsPem, further = [] }: TrustList): ReadonlyMap<string, Set<Purpose>> {
  const found = new Map<string, Set<Purpose>>();
  const add = (pem: string, purpose: Purpose) => {
    for (const [certificate] of pem.matchAll(CERTIFICATE)) {
      const key = certificate.replace(/\s*\n\s*/g, '\n');
      found.set(key, (found.get(key) ?? new Set()).add(purpose));
    }
  };
  add(anchorsPem, 'signers');
  for (const { purpose, anchorsPem: pem } of further) add(pem, purpose);
  // without a list for time stamps, the list of signers also serves for them
  if (!further.some(({ purpose }) => purpose === 'time_stamps')) add(anchorsPem, 'time_stamps');
  return found;
}

/** The purposes of the anchor that the engine found for a signer or time stamp. */
function purposesFound(store: ManifestStore, code: string): readonly string[] {
  const { explanation = '' } = statuses(store).find((status) => status.code === code) ?? {};
  const [, signer, stamp] =
    /found in \[([a-z_+]+)\] trust anchors$|, trust list: ([a-z_+]+)$/.exec(explanation) ?? [];
  return (signer ?? stamp ?? '').split('+');
}

const statuses = (store: ManifestStore): readonly StatusCode[] =>
  store.validation_results?.activeManifest?.success ?? [];

const SIGNER_TRUSTED = 'signingCredential.trusted';
const STAMP_TRUSTED = 'timeStamp.trusted';

/** Whether the engine accepted a time stamp of an authority that is not trusted for time stamps. */
export function isStampMisjudged(store: ManifestStore): boolean {
  const isTrusted = statuses(store).some(({ code }) => code === STAMP_TRUSTED);
  return isTrusted && !purposesFound(store, STAMP_TRUSTED).includes('time_stamps');
}

/** The engine's result, in which a signer is trusted only if a list for signers has its anchor; and that list. */
export function judgedByPurpose(
  store: ManifestStore,
  trust: TrustList,
): { readonly store: ManifestStore; readonly list: TrustList } {
  const purposes = purposesFound(store, SIGNER_TRUSTED);
  const legacy = trust.further?.find(({ purpose }) => purpose === 'legacy');
  if (purposes.includes('signers')) return { store, list: trust };
  if (legacy === undefined) return { store: withoutTrust(store), list: trust };
  if (purposes.includes('legacy')) return { store, list: { ...trust, name: legacy.name, date: legacy.date } };
  return { store: withoutTrust(store), list: bothOf(trust, legacy) };
}

/** For a signer on neither list: both names, and the older of the two dates, which is true of both. */
function bothOf(trust: TrustList, legacy: FurtherTrustList): TrustList {
  if (trust.anchorsPem.trim() === '') return { ...trust, name: legacy.name, date: legacy.date };
  const date = trust.date < legacy.date ? trust.date : legacy.date;
  return { ...trust, name: `${trust.name} and ${legacy.name}`, date };
}

function withoutTrust(store: ManifestStore): ManifestStore {
  const { activeManifest, ...rest } = store.validation_results ?? {};
  const success = (activeManifest?.success ?? []).filter(({ code }) => code !== SIGNER_TRUSTED);
  return { ...store, validation_results: { ...rest, activeManifest: { ...activeManifest, success } } };
}

/** The result without the wrong time stamp, with the trust in the signer from the result with it, if that is still valid. */
export function withSignerOf(first: ManifestStore, second: ManifestStore): ManifestStore {
  const trusted = statuses(first).filter(({ code }) => code === SIGNER_TRUSTED);
  const active = second.validation_results?.activeManifest ?? {};
  if (active.failure?.some(({ code }) => /^signingCredential\.(?!untrusted)/.test(code))) return second;
  const success = [...(active.success ?? []), ...trusted];
  return {
    ...second,
    validation_results: { ...second.validation_results, activeManifest: { ...active, success } },
  };
}
