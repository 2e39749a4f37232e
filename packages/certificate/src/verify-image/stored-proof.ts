import { imageClaims } from '../claims/build-claims.ts';
import type { ImageSnapshot, ProductSnapshot } from '../claims/snapshot.ts';
import type { KeySet } from '../keys/key-set.ts';
import { canonicalJson } from '../proof/canonical-json.ts';
import { readProof } from '../proof/compact-jws.ts';
import type { BoundMembers } from '../proof/members.ts';
import type { SignedClaims } from '../verify/types.ts';
import { verifyProof } from '../verify/verify-proof.ts';
import { statusEntryOf } from '../withdrawal/status-claim.ts';

/** Data that a stored proof is compared with. */
export interface StoredProofContext {
  readonly keySet: KeySet;
  /** The current `iss` of our proofs. */
  readonly issuer: string;
  readonly now: Date;
  /** The registry's current data on the product and the image. */
  readonly product: ProductSnapshot;
  readonly image: ImageSnapshot;
  /** What a proof of the current document would bind (`bindMembers`). */
  readonly bound?: BoundMembers;
}

/** Result of checking a stored proof. */
export interface StoredProofCheck {
  /** The proof verifies, and every claim of it equals the current record. */
  readonly certificateConsistency: boolean;
  /** The signed claims; absent unless the signature is valid and the issuer is ours. */
  readonly signed?: SignedClaims;
}

/**
 * Checks whether the stored proof of an image verifies and equals the current record, and returns its claims. It makes
 * no statement about the image's bytes or their C2PA manifest (spec "Boundaries").
 *
 * @example
 * ```ts
 * import { createKeySet } from '@touchstone/certificate';
 * import { TEST_ISSUER, TEST_NOW, TEST_PRODUCT } from '@touchstone/certificate/testing';
 * import { checkStoredProof } from '@touchstone/certificate/verify-image';
 *
 * const [image] = TEST_PRODUCT.images;
 * const keySet = createKeySet({ keys: [] });
 * const record = { keySet, issuer: TEST_ISSUER, now: TEST_NOW, product: TEST_PRODUCT };
 * image && (await checkStoredProof('no proof', { ...record, image })); // { certificateConsistency: false }
 * ```
 */
export async function checkStoredProof(jwt: string, context: StoredProofContext): Promise<StoredProofCheck> {
  const { keySet, issuer, now } = context;
  const { signed, ...checks } = await verifyProof(jwt, keySet, { now, kind: 'image', issuers: [issuer] });
  const holds = Object.values(checks).every(({ result }) => result === true);
  return {
    certificateConsistency: holds && saysWhatIsRecorded(jwt, context),
    ...(signed === undefined ? {} : { signed }),
  };
}

function saysWhatIsRecorded(jwt: string, { issuer, product, image, bound }: StoredProofContext): boolean {
  const claims = readProof(jwt).claims ?? {};
  const issuedAt = new Date((claims.iat as number) * 1000);
  // a proof has its own place in a status list, and older ones have none
  const status = statusEntryOf(claims, issuer);
  if (typeof status === 'string') return false;
  const recorded: Readonly<Record<string, unknown>> = {
    // older proofs bind no members
    ...imageClaims(product, image, {
      issuer,
      issuedAt,
      ...(status && { status }),
      ...(claims.members && bound ? { bound } : {}),
    }),
  };
  return canonicalJson(claims) === canonicalJson(recorded);
}
