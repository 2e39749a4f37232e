import { normalizeHost } from '../binding/hosts.ts';
import { createPageNormalizer } from '../binding/normalize-page-url.ts';
import { readProof } from '../proof/compact-jws.ts';
import { VERIFIER } from '../version.ts';
import { compareMembers } from './altered-member.ts';
import type { CheckContext } from './check-context.ts';
import { assetIntegrity } from './checks/asset-integrity.ts';
import { boundToDomain } from './checks/bound-to-domain.ts';
import { boundToUrl } from './checks/bound-to-url.ts';
import { c2paValid, imageBound } from './checks/image-bytes.ts';
import { productIdMatches } from './checks/product-id-matches.ts';
import { checkSignature, signatureValid } from './checks/signature-valid.ts';
import { timestampValid } from './checks/timestamp-valid.ts';
import { notesOf } from './notes.ts';
import {
  PROFILE_CHECKS,
  PROFILE_REASONS,
  type Profile,
  type ProfileCheck,
  type ProfileCheckResult,
  type ProfileInput,
  type ProfileReason,
  type ProfileStatus,
  type ProfileVerification,
} from './profile-types.ts';
import { REASONS, type Reason } from './reasons.ts';
import { signedClaims } from './signed-claims.ts';
import { readSubmittedDocument } from './submitted-document.ts';

type Checks = ProfileVerification['checks'];

/**
 * Verifies a certificate offline by the profiles of spec "Authentication", 5 and 6: Minimal checks the proof and the
 * domain, Standard also the product and page that it is bound to, Full also the image's bytes and their C2PA manifest.
 * Pure, like `verify`. Responses of a server, including `certificateConsistency`, are not taken into account.
 *
 * @throws what the signature primitive or `readManifest` throws if it cannot work at all
 * @example
 * ```ts
 * import { createKeySet, verifyProfiles } from '@touchstone/certificate/verify';
 * import { createTestIssuer, TEST_ISSUER, TEST_NOW } from '@touchstone/certificate/testing';
 *
 * const issuer = await createTestIssuer();
 * const { profiles } = await verifyProfiles({
 *   document: await issuer.certificate(),
 *   kind: 'product',
 *   keySet: createKeySet(issuer.jwks),
 *   issuers: [TEST_ISSUER],
 *   now: TEST_NOW,
 *   context: { domain: 'shop.example', pageUrl: 'https://shop.example/products/cup' },
 * });
 * profiles; // { minimal: 'trusted', standard: 'trusted', full: 'undetermined' }
 * ```
 */
export async function verifyProfiles(input: ProfileInput): Promise<ProfileVerification> {
  const submitted = readSubmittedDocument(input.document);
  const proof = submitted.jwt === null ? null : readProof(submitted.jwt, input.keySet.headers);
  const { domain, pageUrl, productId } = input.context;
  const { keySet, kind } = input;
  const signature = proof === null ? 'nothing_signed' : await checkSignature(proof, keySet);
  const compared = await compareMembers(submitted.node, { proof, signature, kind, sha256: keySet.sha256 });
  const context: CheckContext = {
    proof,
    signature,
    kind,
    ...compared,
    issuers: input.issuers,
    now: Math.floor(input.now.getTime() / 1000),
    pageUrl: pageUrl ?? domain ?? '',
    pageHost: domain === undefined ? null : normalizeHost(domain),
    normalizePage: createPageNormalizer(),
    productId: productId ?? '',
    registry: null,
  };
  const manifest = input.image && input.readManifest && (await input.readManifest(input.image));
  const bound = await imageBound(proof, input.image, manifest);
  const checks: Checks = {
    signatureValid: signatureValid(context),
    certificateIntegrity: assetIntegrity(context),
    timestampValid: timestampValid(context),
    boundToDomain: domain === undefined ? notGiven : boundToDomain(context),
    productIdMatches: productId === undefined ? notGiven : productIdMatches(context),
    boundToUrl: pageUrl === undefined ? notGiven : boundToUrl(context),
    imageBound: bound,
    c2paValid: c2paValid(input.image, manifest, bound),
  };
  const isSignerUntrusted = manifest?.valid === true && manifest.trust.status === 'untrusted';
  const warnings: (Reason | ProfileReason)[] = [];
  if (submitted.dropped !== undefined) warnings.push(submitted.dropped);
  if (context.isContextForeign) warnings.push('context_foreign');
  if (isSignerUntrusted) warnings.push('signer_untrusted');
  if (bound.reason === 'image_source') warnings.push('image_source');
  const failures = PROFILE_CHECKS.map((name) => checks[name]).filter(({ result }) => result === false);
  // a withdrawal is looked for afterwards, if at all
  const sentences = { ...REASONS, ...PROFILE_REASONS } as Readonly<
    Record<ProfileCheckResult['reason'], string>
  >;
  const signed = signedClaims(context);
  return {
    ...(signed === undefined ? {} : { signed }),
    profiles: combineProfiles(context, checks),
    checks,
    warnings: notesOf(
      warnings.map((reason) => ({ reason })),
      sentences,
    ),
    errors: notesOf(failures, sentences),
    verifier: VERIFIER,
  };
}

const notGiven: ProfileCheckResult = { result: null, reason: 'context_not_given' };

const MINIMAL = ['signatureValid', 'certificateIntegrity', 'timestampValid', 'boundToDomain'] as const;
const CONTEXT = ['productIdMatches', 'boundToUrl'] as const;
const BYTES = ['imageBound', 'c2paValid'] as const;

/**
 * Fails closed: without a proof, Standard and Full are untrusted, whatever else was found. Under a remote context that is
 * not known here, nothing is trusted.
 */
function combineProfiles(
  { proof, isContextForeign }: CheckContext,
  checks: Checks,
): Record<Profile, ProfileStatus> {
  // at least one of product and page must be given, and each that is given must match
  const known = CONTEXT.filter((name) => checks[name].reason !== 'context_not_given');
  const context = known.length === 0 ? CONTEXT : known;
  const standard = [...MINIMAL, ...context];
  const combine = (names: readonly ProfileCheck[]): ProfileStatus => {
    if (names.some((name) => checks[name].result === false)) return 'untrusted';
    const isTrue = names.every((name) => checks[name].result === true);
    return isTrue && !isContextForeign ? 'trusted' : 'undetermined';
  };
  return {
    minimal: combine(MINIMAL),
    standard: proof === null ? 'untrusted' : combine(standard),
    full: proof === null ? 'untrusted' : combine([...standard, ...BYTES]),
  };
}
