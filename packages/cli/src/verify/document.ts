import {
  conclude,
  parseCanonicalSource,
  type Trust,
  verifyProductCertificate,
} from '@touchstone/certificate';
import {
  type CheckName,
  LOAD_BEARING_CHECKS,
  type ProfileCheckResult,
  type VerificationResult,
  type VerifyStatus,
} from '@touchstone/certificate/verify';
import { type PageCode, pageNote } from '@touchstone/page';
import { type CertificateKind, kindOf, nodeOf } from './found-node.ts';
import type { TellLog } from './log.ts';
import { type ProfileOutcome, verifyFoundByProfile } from './profile.ts';
import type { TellWithdrawal } from './withdrawal.ts';

/** A document given directly, with the user's statements about it. */
interface DocumentInput {
  readonly document: unknown;
  /** Absent: nobody has said where it was seen. */
  readonly pageUrl?: string | undefined;
  readonly productId?: string | undefined;
  readonly trust: Trust;
  readonly now: Date;
  readonly tellWithdrawal: TellWithdrawal;
  readonly tellLog: TellLog;
}

/** The core's result for a product; for an image, or without a page, with the checks that apply. */
export interface DocumentResult
  extends Omit<VerificationResult, 'productId' | 'status' | 'checks' | 'checkDetails'> {
  readonly kind: CertificateKind;
  /** `undetermined`: nothing failed, but nobody has said where it was seen. */
  readonly status: VerifyStatus | 'undetermined';
  readonly productId?: string;
  readonly checks: Readonly<Partial<Record<CheckName, boolean | null>>>;
  readonly checkDetails: Readonly<Partial<Record<CheckName, ProfileCheckResult>>>;
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
    return { kind: 'result', result: await resultByProfile(question) };
  }
  const named =
    input.productId === undefined
      ? productNamed(document, input.trust.issuers)
      : { productId: input.productId };
  if ('error' in named) return named;
  const { pageUrl, trust, now, tellWithdrawal, tellLog } = input;
  if (pageUrl === undefined)
    return { kind: 'result', result: await resultByProfile({ ...question, ...named }) };
  const verified = await verifyProductCertificate(document, { pageUrl, trust, now, ...named });
  const known = await tellWithdrawal(verified, document, verified.signed?.issuer, now);
  const result = await tellLog(known, document);
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

/** The checks are combined like those of a product on a page: none of them is optional. */
async function resultByProfile(question: DocumentInput): Promise<DocumentResult> {
  const outcome = await verifyFoundByProfile({ ...question, profile: 'standard' });
  const { kind, checks, signed, warnings, errors, withdrawal, log, verifier } = outcome;
  const details = LOAD_BEARING_CHECKS.flatMap((name) => {
    const check = checks[name];
    // if no product was named, the signed one is used
    const isLeftOut = name === 'productIdMatches' && check.reason === 'context_not_given';
    return isLeftOut ? [] : [[name, check] as const];
  });
  const status = statusOf(outcome.status, checks.signatureValid);
  const results = Object.fromEntries(details.map(([name, { result }]) => [name, result]));
  return {
    kind,
    ...(signed === undefined ? {} : { signed }),
    warnings,
    errors,
    status,
    checks: results,
    checkDetails: Object.fromEntries(details),
    conclusion: conclude(status, { checks: results, signed, warnings, errors }),
    ...(withdrawal === undefined ? {} : { withdrawal }),
    ...(log === undefined ? {} : { log }),
    verifier,
  };
}

function statusOf(status: ProfileOutcome['status'], signature: ProfileCheckResult): DocumentResult['status'] {
  if (signature.result === null) return 'unverified';
  return ({ trusted: 'verified', untrusted: 'failed', undetermined: 'undetermined' } as const)[status];
}
