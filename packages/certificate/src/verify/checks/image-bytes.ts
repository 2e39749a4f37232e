import { hostOf } from '../../binding/hosts.ts';
import { imageFileOf, otherStoreOf } from '../../binding/image-files.ts';
import type { ProofReading } from '../../proof/compact-jws.ts';
import { truncate } from '../describe.ts';
import type { ManifestReading, ProfileCheckResult } from '../profile-types.ts';

const passed: ProfileCheckResult = { result: true, reason: 'ok' };
const notGiven: ProfileCheckResult = { result: null, reason: 'image_not_given' };

/**
 * The bytes are those that the proof was issued for: their SHA-256 equals the signed `uhash`, or that of the source
 * file of the certified image; and no manifest in them states that they were signed for another store.
 */
export async function imageBound(
  proof: ProofReading | null,
  image: Uint8Array | undefined,
  manifest?: ManifestReading,
): Promise<ProfileCheckResult> {
  if (image === undefined) return notGiven;
  if (proof === null) return { result: null, reason: 'nothing_signed' };
  const { claims } = proof;
  if (claims === null) return { result: null, reason: proof.claimsFault };
  const other = manifest?.valid === true ? otherStoreOf(manifest.assertions ?? [], ownerIn(claims)) : null;
  if (other !== null)
    return {
      result: false,
      reason: 'image_issued_to_another_store',
      expected: truncate(String(claims.domain)),
      actual: truncate(other),
    };
  const { uhash, sourceUhash } = claims;
  if (uhash === undefined) return { result: null, reason: 'image_unbound' };
  if (typeof uhash !== 'string')
    return { result: false, reason: 'claim_wrong_type', expected: 'uhash: text' };
  if (sourceUhash !== undefined && typeof sourceUhash !== 'string')
    return { result: false, reason: 'claim_wrong_type', expected: 'sourceUhash: text' };
  const actual = hex(new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(image))));
  const file = imageFileOf(actual, { uhash, sourceUhash });
  if (file === 'certified') return passed;
  if (file === 'source') return { result: true, reason: 'image_source' };
  return { result: false, reason: 'image_differs', expected: truncate(uhash), actual };
}

/**
 * The bytes carry a C2PA manifest whose integrity validates. Trust in its signer depends on a trust list and is
 * reported separately. A source file without a manifest is not judged: the manifest is in the certified file.
 *
 * @param bound - result of `imageBound`
 */
export function c2paValid(
  image: Uint8Array | undefined,
  manifest: ManifestReading | undefined,
  bound: ProfileCheckResult,
): ProfileCheckResult {
  if (image === undefined) return notGiven;
  if (manifest === undefined) return { result: null, reason: 'manifest_not_read' };
  if (!manifest.hasManifest) {
    const isSource = bound.reason === 'image_source';
    return isSource
      ? { result: null, reason: 'manifest_in_certified_file' }
      : { result: false, reason: 'manifest_absent' };
  }
  if (manifest.valid) return passed;
  const codes = manifest.failures.map(({ code }) => code).join(', ');
  return {
    result: false,
    reason: 'manifest_invalid',
    ...(codes === '' ? {} : { actual: truncate(codes) }),
  };
}

/** The image's owner according to the proof. */
function ownerIn({ domain, productId, storeUrl, url }: Readonly<Record<string, unknown>>) {
  const hosts = [storeUrl, url].map((address) => (typeof address === 'string' ? hostOf(address) : null));
  return {
    productId: typeof productId === 'string' ? productId : '',
    hosts: [domain, ...hosts].filter((host) => typeof host === 'string'),
  };
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
