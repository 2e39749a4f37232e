import { imageClaims } from '../claims/build-claims.ts';
import type { ImageSnapshot, ProductSnapshot } from '../claims/snapshot.ts';
import type { KeySet } from '../keys/key-set.ts';
import { canonicalJson } from '../proof/canonical-json.ts';
import { readProof } from '../proof/compact-jws.ts';
import type { BoundMembers } from '../proof/members.ts';
import { verifyProof } from '../verify/verify-proof.ts';

/** What a stored proof is compared with. */
export interface StoredProofContext {
  readonly keySet: KeySet;
  /** The `iss` that our proofs carry now. */
  readonly issuer: string;
  readonly now: Date;
  /** What the registry says of the product and the image now. */
  readonly product: ProductSnapshot;
  readonly image: ImageSnapshot;
  /** What the proof of a document made of these binds (`bindMembers`). */
  readonly bound?: BoundMembers;
}

/**
 * `certificateConsistency`: the stored proof of an image verifies, and every claim of it is what the record says
 * now. It is no statement about the image's bytes or their C2PA manifest (spec "Boundaries").
 *
 * @example
 * ```ts
 * import { createKeySet } from '@touchstone/certificate';
 * import { TEST_ISSUER, TEST_NOW, TEST_PRODUCT } from '@touchstone/certificate/testing';
 * import { isStoredProofConsistent } from '@touchstone/certificate/verify-image';
 *
 * const [image] = TEST_PRODUCT.images;
 * const keySet = createKeySet({ keys: [] });
 * const record = { keySet, issuer: TEST_ISSUER, now: TEST_NOW, product: TEST_PRODUCT };
 * image && (await isStoredProofConsistent('no proof', { ...record, image })); // false
 * ```
 */
export async function isStoredProofConsistent(jwt: string, context: StoredProofContext): Promise<boolean> {
  const { keySet, issuer, now, product, image, bound } = context;
  const checks = await verifyProof(jwt, keySet, { now, kind: 'image', issuers: [issuer] });
  if (!Object.values(checks).every(({ result }) => result === true)) return false;
  const signed = readProof(jwt).claims ?? {};
  const issuedAt = new Date((signed.iat as number) * 1000);
  const recorded: Readonly<Record<string, unknown>> = {
    // a proof of before binds no members
    ...imageClaims(product, image, { issuer, issuedAt, ...(signed.members && bound ? { bound } : {}) }),
  };
  return canonicalJson(signed) === canonicalJson(recorded);
}
