import { type ProofKind, type Trust, verifyProductCertificate } from '@touchstone/certificate';
import { type Loggable, withLog } from '@touchstone/certificate/log';
import {
  hostOf,
  type ProfileVerification,
  type ProofVerification,
  type ReadManifest,
  type VerificationResult,
  verifyProfiles,
  verifyProof,
} from '@touchstone/certificate/verify';
import {
  type StatusLists,
  type Withdrawable,
  type WithdrawalPolicy,
  withWithdrawal,
} from '@touchstone/certificate/withdrawal';
import type { PageFacts } from '@touchstone/page';
import type { LookAtLog } from './own-log.ts';

/** Settings of a verification: keys that are already loaded, so that no request is sent. */
export interface Judging {
  readonly trust: Trust;
  readonly now: Date;
  /** Reads C2PA manifests; if absent, `c2paValid` is `null`. */
  readonly readManifest?: ReadManifest | undefined;
  /** Where withdrawals are looked up; absent: they are not. */
  readonly lists?: StatusLists | undefined;
  /** Default: `ifReachable`. */
  readonly policy?: WithdrawalPolicy | undefined;
  /** Verifies what the certificate says about its log; absent: nothing is looked at. */
  readonly lookAtLog?: LookAtLog | undefined;
}

/** Where a certificate was seen. Absent members are not compared. */
export interface Place {
  readonly pageUrl?: string | undefined;
  /** Hostname, if the page is unknown. */
  readonly domain?: string | undefined;
  readonly productId?: string | undefined;
}

/** The result of verifying a document. */
export interface DocumentResult {
  readonly kind: 'document';
  readonly certificate: ProofKind;
  /** For a product's certificate seen on a page: the nine checks, as the service returns them. */
  readonly verification?: VerificationResult | undefined;
  readonly profiles: ProfileVerification;
  /** Of the saved page that carries it, if it is in one. */
  readonly facts?: PageFacts;
}

/** The result of verifying a proof by itself, and by profiles. */
export interface ProofResult {
  readonly kind: 'proof';
  readonly certificate: ProofKind;
  readonly proof: ProofVerification;
  readonly profiles: ProfileVerification;
}

/** A certificate to verify, where it was seen, and the image bytes seen with it. */
interface DocumentInQuestion {
  /** Absent: nothing was submitted. */
  readonly document?: unknown;
  readonly certificate: ProofKind;
  readonly place: Place;
  readonly image?: Uint8Array | undefined;
}

/**
 * Verifies a certificate with the SDK, as the service does but without its registry: product certificates by the nine checks if the page is
 * known, all certificates by the three profiles.
 *
 * @throws CannotVerifyError if the keys are unavailable
 */
export async function judgeDocument(
  { document, certificate, place, image }: DocumentInQuestion,
  { trust, now, readManifest, lists, policy, lookAtLog }: Judging,
): Promise<DocumentResult> {
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
  const issuer = policy === 'none' ? undefined : profiles.signed?.issuer;
  const withdrawal = await lists?.lookUp(document, issuer, now);
  const log = await lookAtLog?.(document);
  const told = <R extends Withdrawable & Loggable>(result: R): R => {
    const known = withdrawal === undefined ? result : withWithdrawal(result, withdrawal, policy);
    return log === undefined ? known : withLog(known, log);
  };
  return {
    kind: 'document',
    certificate,
    verification: verification && told(verification),
    profiles: told(profiles),
  };
}

/**
 * Verifies a proof without its document.
 *
 * @throws CannotVerifyError if the keys are unavailable
 */
export async function judgeProof(
  { jwt, certificate, place }: { jwt: unknown; certificate: ProofKind; place: Place },
  judging: Judging,
): Promise<ProofResult> {
  const document = { proof: { jwt } };
  const { now, trust } = judging;
  const { keySet, issuers } = await trust.keysFor(document, now);
  const proof = await verifyProof(jwt, keySet, { now, issuers, kind: certificate });
  const { profiles } = await judgeDocument({ document, certificate, place }, judging);
  return { kind: 'proof', certificate, proof, profiles };
}
