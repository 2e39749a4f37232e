import { imageClaims } from '../claims/build-claims.ts';
import type { ImageSnapshot, ProductSnapshot } from '../claims/snapshot.ts';
import type { KeySet } from '../keys/key-set.ts';
import { canonicalJson } from '../proof/canonical-json.ts';
import { readProof } from '../proof/compact-jws.ts';
import type { BoundMembers } from '../proof/members.ts';
import type { SignedClaims } from '../verify/types.ts';
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

/** What a stored proof comes to. */
export interface StoredProofCheck {
  /** It verifies, and every claim of it is what the record says now. */
  readonly certificateConsistency: boolean;
  /** What was signed; absent unless the signature is valid and the issuer ours. */
  readonly signed?: SignedClaims;
}

/**
 * Whether the stored proof of an image verifies and says what the record says now, and what it says. It is no statement
 * about the image's bytes or their C2PA manifest (spec "Boundaries").
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
  const recorded: Readonly<Record<string, unknown>> = {
    // a proof of before binds no members
    ...imageClaims(product, image, { issuer, issuedAt, ...(claims.members && bound ? { bound } : {}) }),
  };
  return canonicalJson(claims) === canonicalJson(recorded);
}
