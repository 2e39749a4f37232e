import { type ProofKind, type Trust, verifyProductCertificate } from '@touchstone/certificate';
import {
  hostOf,
  type ProfileVerification,
  type ProofVerification,
  type ReadManifest,
  type VerificationResult,
  verifyProfiles,
  verifyProof,
} from '@touchstone/certificate/verify';

/** By what is judged: keys that are here already, so that nothing is asked of anybody. */
export interface Judging {
  readonly trust: Trust;
  readonly now: Date;
  /** Reads C2PA manifests; left out, `c2paValid` is `null`. */
  readonly readManifest?: ReadManifest | undefined;
}

/** Where a certificate was seen. What is left out is not compared. */
export interface Place {
  readonly pageUrl?: string | undefined;
  /** Hostname, where no more is known. */
  readonly domain?: string | undefined;
  readonly productId?: string | undefined;
}

/** What a document comes to. */
export interface DocumentJudgement {
  readonly kind: 'document';
  readonly certificate: ProofKind;
  /** Of a product's certificate that was seen on a page: the nine checks, as the service answers them. */
  readonly verification?: VerificationResult;
  readonly profiles: ProfileVerification;
}

/** What a proof comes to by itself, and by profiles. */
export interface ProofJudgement {
  readonly kind: 'proof';
  readonly certificate: ProofKind;
  readonly proof: ProofVerification;
  readonly profiles: ProfileVerification;
}

/** A certificate to judge, where it was seen, and the bytes that were seen with it. */
export interface DocumentInQuestion {
  /** Left out: nothing was submitted. */
  readonly document?: unknown;
  readonly certificate: ProofKind;
  readonly place: Place;
  readonly image?: Uint8Array | undefined;
}

/**
 * Judges a certificate by the SDK, as the service would but for its registry: product certificates by the nine checks
 * where the page is known, certificates of any kind by the three profiles.
 *
 * @throws CannotVerifyError where the keys are not to be had
 */
export async function judgeDocument(
  { document, certificate, place, image }: DocumentInQuestion,
  { trust, now, readManifest }: Judging,
): Promise<DocumentJudgement> {
  const { pageUrl, productId } = place;
  const domain = place.domain ?? (pageUrl === undefined ? undefined : (hostOf(pageUrl) ?? ''));
  const profiles = await verifyProfiles({
    document,
    kind: certificate,
    now,
    ...(await trust.keysFor(document, now)),
    context: {
      ...(domain === undefined ? {} : { domain }),
      ...(pageUrl === undefined ? {} : { pageUrl }),
      ...(productId === undefined ? {} : { productId }),
    },
    ...(image === undefined ? {} : { image }),
    ...(readManifest === undefined ? {} : { readManifest }),
  });
  const verification =
    certificate === 'product' && pageUrl !== undefined
      ? await verifyProductCertificate(document, { pageUrl, productId, trust, now })
      : undefined;
  return {
    kind: 'document',
    certificate,
    ...(verification === undefined ? {} : { verification }),
    profiles,
  };
}

/**
 * Judges a proof that came without its document.
 *
 * @throws CannotVerifyError where the keys are not to be had
 */
export async function judgeProof(
  { jwt, certificate, place }: { jwt: unknown; certificate: ProofKind; place: Place },
  judging: Judging,
): Promise<ProofJudgement> {
  const document = { proof: { jwt } };
  const { now, trust } = judging;
  const { keySet, issuers } = await trust.keysFor(document, now);
  const proof = await verifyProof(jwt, keySet, { now, issuers, kind: certificate });
  const { profiles } = await judgeDocument({ document, certificate, place }, judging);
  return { kind: 'proof', certificate, proof, profiles };
}
