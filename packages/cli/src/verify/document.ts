import { parseCanonicalSource, type Trust, verifyProductCertificate } from '@touchstone/certificate';
import {
  type CheckName,
  type CheckResult,
  LOAD_BEARING_CHECKS,
  type ProfileCheckResult,
  type VerificationResult,
  type VerifyStatus,
} from '@touchstone/certificate/verify';
import { type PageCode, pageNote } from '@touchstone/page';
import { type CertificateKind, kindOf, nodeOf } from './found-node.ts';
import { type ProfileOutcome, verifyFoundByProfile } from './profile.ts';

/** A document given directly, with the user's statements about it. */
export interface DocumentInput {
  readonly document: unknown;
  readonly pageUrl: string;
  readonly productId?: string | undefined;
  readonly trust: Trust;
  readonly now: Date;
}

/** The core's result for a product; for an image, with the checks that apply. */
export interface DocumentResult extends Omit<VerificationResult, 'productId' | 'checks' | 'checkDetails'> {
  readonly kind: CertificateKind;
  readonly productId?: string;
  readonly checks: Readonly<Partial<Record<CheckName, boolean | null>>>;
  readonly checkDetails: Readonly<Partial<Record<CheckName, CheckResult>>>;
}

/** The verification result, or why the document leads to no product of a trusted issuer. */
export type DocumentOutcome =
  | { readonly kind: 'result'; readonly result: DocumentResult }
  | { readonly kind: 'canonical_mismatch' | 'invalid_certificate'; readonly error: string };

/**
 * Verifies one document of the kind that it states; a proof of another kind is not valid for it. If the user names the product id, a
 * product's document need not have a canonical source.
 */
export async function verifyDocument(input: DocumentInput): Promise<DocumentOutcome> {
  const document = nodeOf(input.document);
  const question = { ...input, document };
  const kind = kindOf(document);
  if (kind !== 'product') {
    const outcome = await verifyFoundByProfile({ ...question, profile: 'standard' });
    return { kind: 'result', result: resultOfImage(outcome) };
  }
  const named =
    input.productId === undefined
      ? productNamed(document, input.trust.issuers)
      : { productId: input.productId };
  if ('error' in named) return named;
  const { pageUrl, trust, now } = input;
  const result = await verifyProductCertificate(document, { pageUrl, trust, now, ...named });
  return { kind: 'result', result: { kind, ...result } };
}

/** The product id of its canonical source; without one the core uses the signed id. */
function productNamed(
  node: unknown,
  issuers: readonly string[],
): { readonly productId?: string } | Exclude<DocumentOutcome, { kind: 'result' }> {
  const source = parseCanonicalSource(node, issuers);
  if (source.kind === 'ok') return { productId: source.productId };
  if (source.kind === 'mismatch') {
    return { kind: 'canonical_mismatch', error: pageNote(source.code, source.host) };
  }
  if (source.code === 'canonical_source_missing') return {};
  const code: PageCode = source.code;
  return { kind: 'invalid_certificate', error: pageNote(code, source.detail) };
}

/** The checks of an image certificate are combined like those of a product: none of them is optional. */
function resultOfImage(outcome: ProfileOutcome): DocumentResult {
  const { kind, checks, signed, warnings, errors, verifier } = outcome;
  const details = LOAD_BEARING_CHECKS.flatMap((name) => {
    const check = checks[name];
    return wasAsked(check) ? [[name, check] as const] : [];
  });
  return {
    kind,
    ...(signed === undefined ? {} : { signed }),
    warnings,
    errors,
    status: imageStatus(outcome.status, checks.signatureValid),
    checks: Object.fromEntries(details.map(([name, { result }]) => [name, result])),
    checkDetails: Object.fromEntries(details),
    verifier,
  };
}

/** Excludes the check of the product id if none was given: the signed one is then used. */
function wasAsked(check: ProfileCheckResult): check is CheckResult {
  return check.reason !== 'context_not_given';
}

function imageStatus(status: ProfileOutcome['status'], signature: ProfileCheckResult): VerifyStatus {
  if (signature.result === null) return 'unverified';
  return status === 'trusted' ? 'verified' : 'failed';
}
