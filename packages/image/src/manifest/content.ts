import { bounded, boundedText, optionalText } from './bounded.ts';
import { ingredientsOf } from './ingredients.ts';
import type { Action, ManifestReport, SignerInfo } from './manifest-report.ts';
import { MAX_ITEMS } from './statuses.ts';
import type { ManifestStore, StoredManifest } from './store.ts';

/** Maximum characters of all assertions together. */
const MAX_ASSERTION_CHARS = 50_000;

/**
 * The contents of the active manifest.
 *
 * @param passed codes of its checks that passed
 */
export function contentOf(
  store: ManifestStore,
  passed: ReadonlySet<string>,
): Partial<ManifestReport> & Pick<ManifestReport, 'actions' | 'ingredients' | 'assertions'> {
  const manifest = store.manifests?.[store.active_manifest ?? ''];
  if (manifest === undefined) return { actions: [], ingredients: [], assertions: [] };
  const { signature_info: signature, title } = manifest;
  const [generator] = manifest.claim_generator_info ?? [];
  const named =
    generator === undefined ? manifest.claim_generator : [generator.name, generator.version].join(' ');
  const assertions = (manifest.assertions ?? []).slice(0, MAX_ITEMS);
  const budget = { left: MAX_ASSERTION_CHARS };
  return {
    ...(signature === undefined || signature === null
      ? {}
      : { signer: signerOf(manifest, signature, passed) }),
    ...optionalText('claimGenerator', named?.trim()),
    ...optionalText('title', title),
    actions: assertions.filter(({ label }) => isActions(label)).flatMap(({ data }) => actionsOf(data)),
    ingredients: ingredientsOf(store),
    assertions: assertions
      .filter(({ label }) => !isActions(label) && !label.startsWith('c2pa.hash.'))
      .map(({ label, data }) => ({ label: boundedText(label), data: bounded(data, budget) })),
  };
}

function signerOf(
  { claim_version: version = 1 }: StoredManifest,
  signature: NonNullable<StoredManifest['signature_info']>,
  passed: ReadonlySet<string>,
): SignerInfo {
  const isTimed = passed.has('timeStamp.validated') && typeof signature.time === 'string';
  // for claims of version 1 the engine accepts any time-stamp authority without a list
  const timeTrusted = version >= 2 && passed.has('timeStamp.trusted');
  return {
    ...optionalText('issuer', signature.issuer),
    ...optionalText('commonName', signature.common_name),
    ...(isTimed ? { ...optionalText('time', signature.time), timeTrusted } : {}),
    ...optionalText('algorithm', signature.alg?.toLowerCase()),
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
      {
        action: boundedText(entry.action),
        ...optionalText('when', entry.when),
        ...optionalText('softwareAgent', agentName),
      },
    ];
  });
}
