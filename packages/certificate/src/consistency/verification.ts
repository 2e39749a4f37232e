import { comparePageUrls } from '../binding/compare-page-urls.ts';
import { hostOf, isDomainOf, normalizeHost } from '../binding/hosts.ts';
import { sameProductId } from '../binding/product-ids.ts';
import { withoutUnseen } from '../text/unseen.ts';
import { type Concluded, type Conclusion, conclude } from '../verify/conclusion/conclude.ts';
import type { Evidence } from '../verify/conclusion/evidence.ts';
import { truncate } from '../verify/describe.ts';
import type { VerificationResult } from '../verify/result.ts';
import { CHECK_NAMES, type CheckName, type SignedClaims } from '../verify/types.ts';
import { LOAD_BEARING_CHECKS } from '../verify/verdict.ts';
import { STATUS_CLAIM_FAULTS, type Withdrawal } from '../verify/withdrawal-reasons.ts';
import type { ImageVerificationResult } from '../verify-image/verify-image.ts';

type Results = Readonly<Record<CheckName, boolean | null>>;

/** Signed claims as in a response, whose optional members may be present and undefined. */
type Signed = { readonly [Name in keyof SignedClaims]: SignedClaims[Name] | undefined };

/** A withdrawal as received. */
export type ReceivedWithdrawal = Pick<Withdrawal, 'status' | 'reason'>;

/** A result as received. */
export type ReceivedVerification = Pick<
  VerificationResult,
  'status' | 'productId' | 'checks' | 'errors' | 'warnings' | 'conclusion'
> & {
  readonly signed?: Signed | undefined;
  readonly withdrawal?: ReceivedWithdrawal | undefined;
  readonly checkDetails: Readonly<Record<CheckName, { readonly result: boolean | null }>>;
};

/**
 * Returns what in the verification of a product certificate contradicts the question or the result itself, as
 * sentences; empty if nothing does. A caller must not rely on a result that contradicts itself.
 *
 * @param asked - the request to which it is the response
 * @example
 * ```ts
 * import { verificationContradictions, verify } from '@touchstone/certificate';
 * import { createKeySet } from '@touchstone/certificate/verify';
 *
 * const asked = { productId: '0b54ecb8-6a0c-4d43-a2ee-ae49e0c8a0a6', pageUrl: 'https://shop.example/products/cup' };
 * const result = await verify({ ...asked, keySet: createKeySet({ keys: [] }), issuers: [], now: new Date() });
 * verificationContradictions(result, asked); // []
 * verificationContradictions({ ...result, status: 'verified' }, asked).length > 0; // true
 * ```
 */
export function verificationContradictions(
  result: ReceivedVerification,
  asked: { readonly productId: string; readonly pageUrl: string; readonly document?: unknown },
): string[] {
  const { status, productId, checks, checkDetails, errors, signed } = result;
  const found = statusContradictions(status, checks);
  if (!sameProductId(asked.productId, productId)) {
    found.unshift(`The question is about product ${shown(asked.productId)}, the result about ${productId}.`);
  }
  if (status !== 'unverified' && (asked.document ?? null) === null) {
    found.push(`The status is ${status}, although no document was submitted.`);
  }
  for (const name of CHECK_NAMES) {
    const { result: detailed } = checkDetails[name];
    if (detailed !== checks[name]) found.push(`${name} is ${checks[name]}, and ${detailed} in checkDetails.`);
  }
  if (status === 'verified' && errors.length > 0)
    found.push('The status is verified, but errors are listed.');
  return [
    ...found,
    ...signedContradictions(signed, { checks, productId, pageUrl: asked.pageUrl }),
    ...withdrawalContradictions(result.withdrawal, checks, result),
    ...conclusionContradictions(result.conclusion, status, { ...result, signed: signed as SignedClaims }),
  ];
}

/** The conclusion follows from the verdict and everything else that is answered (`conclude`). */
export function conclusionContradictions(
  told: Conclusion | undefined,
  verdict: Evidence['verdict'],
  concluded: Concluded,
): string[] {
  const { level, code } = conclude(verdict, concluded);
  if (told?.level === level && told.code === code) return [];
  const is = told === undefined ? 'missing' : shown(`${told.code} (${told.level})`);
  return [`The conclusion is ${is}, but ${code} (${level}) follows from the rest.`];
}

const STATUS_OF: Readonly<Partial<Record<Withdrawal['reason'], Withdrawal['status']>>> = {
  not_withdrawn: 'valid',
  withdrawn: 'invalid',
  key_revoked: 'invalid',
  suspended: 'suspended',
};

/** What was withdrawn is not bound, what is suspended is told first, and nothing is known of a certificate that nobody signed. */
export function withdrawalContradictions(
  withdrawal: ReceivedWithdrawal | undefined,
  checks: Results,
  { errors, warnings }: Pick<VerificationResult, 'errors' | 'warnings'>,
): string[] {
  const { status, reason } = withdrawal ?? { status: null, reason: 'not_looked_at' };
  const has = (notes: readonly string[], code: string) => notes.some((note) => note.startsWith(`${code}:`));
  const found: string[] = [];
  const is = `The certificate is ${status === 'invalid' ? 'withdrawn' : (status ?? 'not known to be withdrawn')}`;
  if (status !== (STATUS_OF[reason] ?? null)) found.push(`${is}, but the reason is ${reason}.`);
  // the registry no longer accepts the signature of a key that it revoked
  if (status !== null && checks.signatureValid !== true && reason !== 'key_revoked')
    found.push(`${is}, but signatureValid is ${checks.signatureValid}.`);
  if (status === 'invalid' && checks.boundToDomain !== false)
    found.push(`${is}, but boundToDomain is ${checks.boundToDomain}.`);
  if (status !== 'invalid' && has(errors, 'certificate_withdrawn'))
    found.push(`${is}, but an error says that it was withdrawn.`);
  if ((status === 'suspended') !== has(warnings.slice(0, 1), 'certificate_suspended'))
    found.push(`${is}, but the first warning is ${shown(warnings[0] ?? 'missing')}.`);
  if (STATUS_CLAIM_FAULTS.some((fault) => fault === reason) && checks.certificateIntegrity !== false)
    found.push(`The reason is ${reason}, but certificateIntegrity is ${checks.certificateIntegrity}.`);
  return found;
}

/** The status follows from the load-bearing checks (`statusOf`). */
export function statusContradictions(status: VerificationResult['status'], checks: Results): string[] {
  const wanted = status === 'verified' ? true : null;
  const found =
    status === 'failed'
      ? []
      : LOAD_BEARING_CHECKS.filter((name) => checks[name] !== wanted).map(
          (name) => `The status is ${status}, but ${name} is ${checks[name]}.`,
        );
  if (status === 'failed' && LOAD_BEARING_CHECKS.every((name) => checks[name] === true)) {
    found.push('The status is failed, but every load-bearing check passed.');
  }
  if (checks.domainVerified === true && checks.domainKnown !== true) {
    found.push(`domainVerified is true, but domainKnown is ${checks.domainKnown}.`);
  }
  return found;
}

/** The signed claims are those of a valid signature, and bind what the checks say they bind. */
export function signedContradictions(
  signed: Signed | undefined,
  {
    checks,
    productId,
    pageUrl,
  }: { readonly checks: Results; readonly productId: string | undefined; readonly pageUrl: string },
): string[] {
  if (signed === undefined) return [];
  if (checks.signatureValid !== true) {
    return [`There are signed claims, but signatureValid is ${checks.signatureValid}.`];
  }
  const bound = [
    ['productIdMatches', signed.productId, sameProductId(signed.productId ?? '', productId ?? '')],
    ['boundToDomain', signed.domain, isDomainOf(signed.domain ?? '', hostOf(pageUrl))],
    ['boundToUrl', signed.url, comparePageUrls(signed.url ?? '', pageUrl).equal],
  ] as const;
  return bound
    .filter(([name, , holds]) => checks[name] === true && !holds)
    .map(([name, claim]) => `${name} is true, but ${shown(claim ?? 'nothing')} was signed.`);
}

/** A result as received. */
export type ReceivedImageVerification = Pick<
  ImageVerificationResult,
  'verified' | 'imageId' | 'checks' | 'errors'
> & {
  readonly currentDomain?: string | undefined;
  readonly signed?: Signed | undefined;
};

/**
 * The same for the verification of an image-keyed certificate.
 *
 * @param asked - the request to which it is the response
 * @example
 * ```ts
 * import { imageVerificationContradictions } from '@touchstone/certificate';
 *
 * const imageId = '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01';
 * const checks = { domainMatches: false, certificateConsistency: true };
 * const result = { verified: true, imageId, checks, errors: [] };
 * const [first] = imageVerificationContradictions(result, { imageId, domain: 'shop.example' });
 * first; // 'It is verified, but domainMatches is false.'
 * ```
 */
export function imageVerificationContradictions(
  { verified, imageId, currentDomain, checks, errors, signed }: ReceivedImageVerification,
  asked: { readonly imageId: string; readonly domain: string },
): string[] {
  const found: string[] = [];
  const about = (what: string, question: string, answer: string) =>
    found.push(`The question is about ${what} ${shown(question)}, the result about ${shown(answer)}.`);
  if (!sameProductId(asked.imageId, imageId)) about('image', asked.imageId, imageId);
  if (currentDomain !== undefined && normalizeHost(currentDomain) !== normalizeHost(asked.domain)) {
    about('domain', asked.domain, currentDomain);
  }
  if (!verified) return found;
  for (const name of ['domainMatches', 'certificateConsistency'] as const) {
    if (checks[name] !== true) found.push(`It is verified, but ${name} is false.`);
  }
  if (errors.length > 0) found.push('It is verified, but errors are listed.');
  if (signed?.imageId !== undefined && !sameProductId(signed.imageId, imageId)) {
    found.push(`It is verified, but image ${shown(signed.imageId)} was signed.`);
  }
  return found;
}

/** Text of the response in a sentence of ours. */
export function shown(text: string): string {
  return truncate(withoutUnseen(text));
}
