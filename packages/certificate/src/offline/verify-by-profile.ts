import { hostOf } from '../binding/hosts.ts';
import { PROOF_TYP, type ProofKind } from '../proof/proof-rules.ts';
import { verifyProfiles } from '../verify/profile.ts';
import type { Profile, ProfileStatus, ProfileVerification, ReadManifest } from '../verify/profile-types.ts';
import type { Trusting } from './trust.ts';
import { type PageInQuestion, trustOf } from './verify-product-certificate.ts';

/** What `verifyByProfile` is asked. */
export type VerifyByProfileOptions = PageInQuestion &
  Trusting & {
    /** What the caller wants to rest on. Full needs the certificate of an image, and the image. */
    readonly profile: Profile;
    /** Which kind of certificate it must be. Default: a product's. */
    readonly kind?: ProofKind | undefined;
    /** The bytes that the visitor sees, not those that the certificate points to. */
    readonly image?: Uint8Array | undefined;
    /** Reads C2PA manifests, as `manifestReader` of `@touchstone/image` makes it. */
    readonly readManifest?: ReadManifest | undefined;
  };

/** What the profile comes to, with every check behind it. */
export interface ProfileAnswer extends ProfileVerification {
  /** What the profile that was asked for comes to. */
  readonly status: ProfileStatus;
}

/**
 * Verifies a certificate by one of the profiles of spec "Authentication", 5: Minimal is the proof and the domain,
 * Standard adds page and product, Full the bytes of the image and their C2PA manifest. Trusts as
 * `verifyProductCertificate` does.
 *
 * @throws CannotVerifyError when there can be no verdict: nobody is trusted, or the keys cannot be had
 * @throws TypeError for options of the wrong type
 * @example
 * ```ts
 * import { verifyByProfile } from '@touchstone/certificate';
 * import { createTestIssuer, TEST_ISSUER, TEST_NOW } from '@touchstone/certificate/testing';
 *
 * const issuer = await createTestIssuer();
 * const answer = await verifyByProfile(await issuer.certificate(), {
 *   profile: 'minimal',
 *   pageUrl: 'https://shop.example/another/page',
 *   trustedIssuers: [TEST_ISSUER],
 *   jwks: issuer.jwks,
 *   now: TEST_NOW,
 * });
 * answer.status; // 'trusted'
 * answer.profiles.standard; // 'untrusted'
 * ```
 */
export async function verifyByProfile(
  document: unknown,
  options: VerifyByProfileOptions,
): Promise<ProfileAnswer> {
  const { profile, kind = 'product', pageUrl, productId, now, image, readManifest } = options;
  if (!['minimal', 'standard', 'full'].includes(profile)) {
    throw new TypeError("profile must be 'minimal', 'standard' or 'full'.");
  }
  if (!Object.hasOwn(PROOF_TYP, kind)) throw new TypeError("kind must be 'product', 'asset' or 'image'.");
  if (image !== undefined && !ArrayBuffer.isView(image)) {
    throw new TypeError('image must be its bytes, as a Uint8Array.');
  }
  const verification = await verifyProfiles({
    document,
    kind,
    now,
    ...(await trustOf(options).keysFor(document, now)),
    context: { domain: hostOf(pageUrl) ?? '', pageUrl, ...(productId === undefined ? {} : { productId }) },
    ...(image === undefined ? {} : { image }),
    ...(readManifest === undefined ? {} : { readManifest }),
  });
  return { status: verification.profiles[profile], ...verification };
}
