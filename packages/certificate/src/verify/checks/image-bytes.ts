import type { ProofReading } from '../../proof/compact-jws.ts';
import { truncate } from '../describe.ts';
import type { ManifestReading, ProfileCheckResult } from '../profile-types.ts';

const passed: ProfileCheckResult = { result: true, reason: 'ok' };
const notGiven: ProfileCheckResult = { result: null, reason: 'image_not_given' };

/** The bytes under evaluation are those that the proof was issued for: their SHA-256 is the signed `uhash`. */
export async function imageBound(
  proof: ProofReading | null,
  image: Uint8Array | undefined,
): Promise<ProfileCheckResult> {
  if (image === undefined) return notGiven;
  if (proof === null) return { result: null, reason: 'nothing_signed' };
  if (proof.claims === null) return { result: false, reason: proof.claimsFault };
  const expected = proof.claims.uhash;
  if (expected === undefined) return { result: null, reason: 'image_unbound' };
  if (typeof expected !== 'string')
    return { result: false, reason: 'claim_wrong_type', expected: 'uhash: text' };
  const actual = hex(new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(image))));
  if (actual === expected) return passed;
  return { result: false, reason: 'image_differs', expected: truncate(expected), actual };
}

/** The bytes carry a C2PA manifest whose integrity validates. Trust in its signer depends on a list: kept apart. */
export function c2paValid(
  image: Uint8Array | undefined,
  manifest: ManifestReading | undefined,
): ProfileCheckResult {
  if (image === undefined) return notGiven;
  if (manifest === undefined) return { result: null, reason: 'manifest_not_read' };
  if (!manifest.hasManifest) return { result: false, reason: 'manifest_absent' };
  if (manifest.valid) return passed;
  const codes = manifest.failures.map(({ code }) => code).join(', ');
  return {
    result: false,
    reason: 'manifest_invalid',
    ...(codes === '' ? {} : { actual: truncate(codes) }),
  };
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
