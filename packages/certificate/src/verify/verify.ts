import { hostOf } from '../binding/hosts.ts';
import { createPageNormalizer } from '../binding/normalize-page-url.ts';
import { readProof } from '../proof/compact-jws.ts';
import { VERIFIER } from '../version.ts';
import { compareMembers } from './altered-member.ts';
import type { CheckContext } from './check-context.ts';
import { boundToDomain } from './checks/bound-to-domain.ts';
import { boundToUrl } from './checks/bound-to-url.ts';
import { certificateIntegrity } from './checks/certificate-integrity.ts';
import { domainKnown } from './checks/domain-known.ts';
import { domainVerified } from './checks/domain-verified.ts';
import { productIdMatches } from './checks/product-id-matches.ts';
import { checkSignature, signatureValid } from './checks/signature-valid.ts';
import { timestampValid } from './checks/timestamp-valid.ts';
import { trustDataCurrent } from './checks/trust-data-current.ts';
import { concludeBy } from './conclusion/conclude.ts';
import { VERIFICATION_ROWS } from './conclusion/conclusions.ts';
import { resultErrors, resultWarnings } from './notes.ts';
import type { VerificationResult } from './result.ts';
import { signedClaims } from './signed-claims.ts';
import { readSubmittedDocument } from './submitted-document.ts';
import type { CheckName, CheckResult, VerifyInput } from './types.ts';
import { statusOf } from './verdict.ts';

/**
 * Verifies a product certificate against the page it was found on (spec "Verify a product certificate").
 *
 * Pure: no clock, network or environment; trusted issuers and registry data are passed in. A hostile document gets a
 * verdict with reasons, never an exception.
 *
 * @throws only what the signature primitive of `keySet` throws if it cannot work at all
 * @example
 * ```ts
 * import { createKeySet, verify } from '@touchstone/certificate/verify';
 * import { createTestIssuer, TEST_ISSUER, TEST_NOW } from '@touchstone/certificate/testing';
 *
 * const issuer = await createTestIssuer();
 * const result = await verify({
 *   document: await issuer.certificate(),
 *   pageUrl: 'https://shop.example/products/cup',
 *   productId: '0b54ecb8-6a0c-4d43-a2ee-ae49e0c8a0a6',
 *   keySet: createKeySet(issuer.jwks),
 *   issuers: [TEST_ISSUER],
 *   now: TEST_NOW,
 * });
 * result.status; // 'verified'
 * ```
 */
export async function verify(input: VerifyInput): Promise<VerificationResult> {
  const submitted = readSubmittedDocument(input.document);
  const { keySet } = input;
  const proof = submitted.jwt === null ? null : readProof(submitted.jwt, keySet.headers);
  const signature = proof === null ? 'nothing_signed' : await checkSignature(proof, keySet);
  const compared = await compareMembers(submitted.node, {
    proof,
    signature,
    kind: 'product',
    sha256: keySet.sha256,
  });
  const normalizePage = createPageNormalizer();
  const context: CheckContext = {
    proof,
    signature,
    kind: 'product',
    ...compared,
    pageUrl: input.pageUrl,
    // an address too long to be compared still has a host
    pageHost: normalizePage(input.pageUrl)?.host ?? hostOf(input.pageUrl),
    normalizePage,
    productId: input.productId,
    issuers: input.issuers,
    now: Math.floor(input.now.getTime() / 1000),
    registry: input.registry ?? null,
  };
  const checkDetails = runChecks(context);
  const status = statusOf(proof !== null, checkDetails);
  const signed = signedClaims(context);
  const checks = resultsOf(checkDetails);
  const warnings = resultWarnings(context, checkDetails, submitted.dropped);
  const errors = status === 'failed' ? resultErrors(checkDetails) : [];
  return {
    status,
    productId: input.productId,
    ...(input.registry === undefined ? {} : { issuedFor: input.registry.issuedFor }),
    ...(signed === undefined ? {} : { signed }),
    checks,
    checkDetails,
    warnings,
    errors,
    conclusion: concludeBy(VERIFICATION_ROWS, status, { checks, signed, errors, warnings }),
    verifier: VERIFIER,
  };
}

/** The nine checks by their wire names. Each runs independently, so that expired can be distinguished from forged. */
function runChecks(context: CheckContext): Record<CheckName, CheckResult> {
  return {
    domainKnown: domainKnown(context),
    domainVerified: domainVerified(context),
    boundToUrl: boundToUrl(context),
    boundToDomain: boundToDomain(context),
    productIdMatches: productIdMatches(context),
    signatureValid: signatureValid(context),
    certificateIntegrity: certificateIntegrity(context),
    trustDataCurrent: trustDataCurrent(context),
    timestampValid: timestampValid(context),
  };
}

function resultsOf(details: Readonly<Record<CheckName, CheckResult>>): Record<CheckName, boolean | null> {
  const results: Partial<Record<CheckName, boolean | null>> = {};
  for (const name of Object.keys(details) as CheckName[]) results[name] = details[name].result;
  return results as Record<CheckName, boolean | null>;
}
