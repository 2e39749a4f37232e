import { hostOf } from '../binding/hosts.ts';
import { PROOF_TYP, type ProofKind } from '../proof/proof-rules.ts';
import { verifyProfiles } from '../verify/profile.ts';
import type { Profile, ProfileStatus, ProfileVerification, ReadManifest } from '../verify/profile-types.ts';
import type { Trusting } from './trust.ts';
import { type PageInQuestion, trustOf } from './verify-product-certificate.ts';

/** Options of `verifyByProfile`. */
export type VerifyByProfileOptions = Omit<PageInQuestion, 'pageUrl'> &
  Trusting & {
    /**
     * Address of the page that the certificate was seen on, after redirects. Absent if nobody knows it: `boundToDomain`
     * and `boundToUrl` are then `null`, and no profile is `trusted`. Never taken from the certificate or a file.
     */
    readonly pageUrl?: string | undefined;
    /** The profile to verify. Full needs the certificate of an image, and the image's bytes. */
    readonly profile: Profile;
    /** The kind of certificate that is required. Default: `product`. */
    readonly kind?: ProofKind | undefined;
    /** The bytes shown to the visitor, not those that the certificate points to. */
    readonly image?: Uint8Array | undefined;
    /** Reads C2PA manifests; created by `manifestReader` of `@touchstone/image`. */
    readonly readManifest?: ReadManifest | undefined;
  };

/** The status of the requested profile, with all checks behind it. */
export interface ProfileAnswer extends ProfileVerification {
  /** The status of the requested profile. */
  readonly status: ProfileStatus;
}

/**
 * Verifies a certificate by one of the profiles of spec "Authentication", 5: Minimal checks the proof and the domain,
 * Standard also the page and product, Full also the image's bytes and their C2PA manifest. Trust works as in
 * `verifyProductCertificate`.
 *
 * @throws CannotVerifyError if no verdict is possible: no trusted issuer, or the keys are unavailable
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
    ...(await trustOf({ ...options, pageUrl: pageUrl ?? '' }).keysFor(document, now)),
    context: {
      ...(pageUrl === undefined ? {} : { domain: hostOf(pageUrl) ?? '', pageUrl }),
      ...(productId === undefined ? {} : { productId }),
    },
    ...(image === undefined ? {} : { image }),
    ...(readManifest === undefined ? {} : { readManifest }),
  });
  return { status: verification.profiles[profile], ...verification };
}
