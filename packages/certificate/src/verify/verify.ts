import { hostOf } from '../binding.ts';
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
import { readProof } from './compact-jws.ts';
import { resultErrors, resultWarnings } from './notes.ts';
import { readSubmittedDocument } from './submitted-document.ts';
import {
  CHECK_NAMES,
  type CheckName,
  type CheckResult,
  type VerificationResult,
  type VerifyInput,
} from './types.ts';
import { foldStatus } from './verdict.ts';

/** The nine checks by their wire names. Each runs on its own, so that expired is told from forged. */
const CHECKS: Readonly<Record<CheckName, (context: CheckContext) => CheckResult>> = {
  domainKnown,
  domainVerified,
  boundToUrl,
  boundToDomain,
  productIdMatches,
  signatureValid,
  certificateIntegrity,
  trustDataCurrent,
  timestampValid,
};

/**
 * Verifies a product certificate against the page it was found on (spec "Verify a product certificate").
 *
 * Pure: no clock, network or environment; whom to trust and what the registry knows come in as data. Hostile
 * documents are data too: the answer is a verdict with reasons, never an exception.
 *
 * @throws only what the signature primitive of `keySet` throws when it cannot work at all
 * @example
 * ```ts
 * const result = await verify({
 *   document,
 *   pageUrl: 'https://shop.example/products/cup',
 *   productId: '0b54ecb8-6a0c-4d43-a2ee-ae49e0c8a0a6',
 *   keySet: createKeySet(jwks),
 *   issuers: ['https://certificates.example'],
 *   now: new Date(),
 * });
 * result.status; // 'verified' | 'failed' | 'unverified'
 * ```
 */
export async function verify(input: VerifyInput): Promise<VerificationResult> {
  const submitted = readSubmittedDocument(input.document);
  const proof = submitted.jwt === null ? null : readProof(submitted.jwt);
  const context: CheckContext = {
    proof,
    signature: proof === null ? 'nothing_signed' : await checkSignature(proof, input.keySet),
    kind: 'product',
    document: submitted.node,
    pageUrl: input.pageUrl,
    pageHost: hostOf(input.pageUrl),
    productId: input.productId,
    issuers: input.issuers,
    now: Math.floor(input.now.getTime() / 1000),
    registry: input.registry ?? null,
  };
  const checkDetails = runChecks(context);
  return {
    status: foldStatus(proof !== null, checkDetails),
    productId: input.productId,
    ...(input.registry === undefined ? {} : { issuedFor: input.registry.issuedFor }),
    checks: mapChecks((name) => checkDetails[name].result),
    checkDetails,
    warnings: resultWarnings(context, checkDetails, submitted.dropped),
    errors: proof === null ? [] : resultErrors(checkDetails),
  };
}

function runChecks(context: CheckContext): Record<CheckName, CheckResult> {
  return mapChecks((name) => CHECKS[name](context));
}

function mapChecks<T>(of: (name: CheckName) => T): Record<CheckName, T> {
  const entries = CHECK_NAMES.map((name) => [name, of(name)] as const);
  return Object.fromEntries(entries) as Record<CheckName, T>;
}
