import {
  CHECKS,
  type Check,
  type CheckExpectation,
  type DocumentVector,
  type ProofCheck,
  type ProofVector,
  type VectorRegistry,
} from '../kit/vectors.ts';
import { ISSUER, NOW, PAGE_URL, PRODUCT_ID } from './tokens.ts';

/** The registry's data of the product, unless a vector overrides it. */
export const REGISTRY: VectorRegistry = {
  issuedFor: 'shop.example',
  domains: [
    { hostname: 'shop.example', verified: true },
    { hostname: 'www.shop.example', verified: true },
  ],
  coverage: { certifiedAssets: 3, totalAssets: 4, coveragePercent: 75 },
  publishing: true,
};

/** The result of a check other than `true, ok`: a failure by its reason, or `[null, reason]`. */
export type Answer = string | readonly [null, string];

const ok: CheckExpectation = { result: true, reason: 'ok' };

function expectation(answer: Answer | undefined): CheckExpectation {
  if (answer === undefined) return ok;
  return typeof answer === 'string'
    ? { result: false, reason: answer }
    : { result: answer[0], reason: answer[1] };
}

const ADVISORY: readonly Check[] = ['domainKnown', 'domainVerified', 'trustDataCurrent'];

/** A vector's data besides its checks. */
export interface DocumentCase {
  readonly id: string;
  readonly title: string;
  readonly rules: readonly string[];
  readonly jwks?: string;
  /** Absent: nothing was submitted. */
  readonly document?: unknown;
  readonly context?: Partial<Omit<DocumentVector['context'], 'registry' | 'now'>> & {
    /** Seconds since 1970. */
    readonly now?: number;
    readonly registry?: Partial<VectorRegistry>;
  };
  readonly status: 'verified' | 'failed' | 'unverified';
  /** Every check other than `true, ok`, written by hand. */
  readonly checks?: Partial<Record<Check, Answer>>;
  /** Codes besides those of false advisory checks. */
  readonly warnings?: readonly string[];
}

/**
 * A document vector. The verdict and every check are written by hand; the codes are derived from them: each false advisory check gives a
 * warning with its reason, each false decisive check an error with its reason.
 */
export function documentVector(given: DocumentCase): DocumentVector {
  const { now = NOW, registry = {}, ...context } = given.context ?? {};
  const checks = Object.fromEntries(
    CHECKS.map((name) => [name, expectation(given.checks?.[name])]),
  ) as Record<Check, CheckExpectation>;
  const reasons = (advisory: boolean) =>
    CHECKS.filter((name) => ADVISORY.includes(name) === advisory && checks[name].result === false).map(
      (name) => checks[name].reason,
    );
  return {
    id: given.id,
    title: given.title,
    rules: given.rules,
    kind: 'document',
    input: 'document' in given ? { document: given.document } : {},
    context: {
      pageUrl: PAGE_URL,
      productId: PRODUCT_ID,
      issuers: [ISSUER],
      ...context,
      now: timestamp(now),
      registry: { ...REGISTRY, ...registry },
    },
    jwks: given.jwks ?? 'issuer',
    expect: {
      status: given.status,
      checks,
      warnings: unique([...(given.warnings ?? []), ...reasons(true)]),
      errors: unique(reasons(false)),
    },
  };
}

export interface ProofCase {
  readonly id: string;
  readonly title: string;
  readonly rules: readonly string[];
  readonly jwt: unknown;
  readonly jwks?: string;
  readonly proofKind?: 'product' | 'asset' | 'image';
  readonly issuers?: readonly string[];
  /** Seconds since 1970. */
  readonly now?: number;
  /** Every check other than `true, ok`, written by hand. */
  readonly checks?: Partial<Record<ProofCheck, Answer>>;
}

/** A proof vector: the three checks of a proof by itself, written by hand. */
export function proofVector(given: ProofCase): ProofVector {
  const { id, title, rules, jwt, checks = {} } = given;
  return {
    id,
    title,
    rules,
    kind: 'proof',
    input: { jwt },
    context: {
      proofKind: given.proofKind ?? 'product',
      issuers: given.issuers ?? [ISSUER],
      now: timestamp(given.now ?? NOW),
    },
    jwks: given.jwks ?? 'issuer',
    expect: {
      checks: {
        signatureValid: expectation(checks.signatureValid),
        certificateIntegrity: expectation(checks.certificateIntegrity),
        timestampValid: expectation(checks.timestampValid),
      },
    },
  };
}

/** No check is true, for one reason: the proof could not be parsed. */
export function unreadable(reason: string): Record<ProofCheck, Answer> {
  return { signatureValid: reason, certificateIntegrity: reason, timestampValid: [null, reason] };
}

/** The signature is valid, but the payload is not a set of claims. */
export const noClaims = {
  certificateIntegrity: 'claims_unreadable',
  timestampValid: [null, 'claims_unreadable'],
} as const;

/** The checks that need signed claims, if there are none. */
export const nothingSigned = {
  boundToUrl: [null, 'nothing_signed'],
  boundToDomain: [null, 'nothing_signed'],
  productIdMatches: [null, 'nothing_signed'],
  signatureValid: [null, 'nothing_signed'],
  certificateIntegrity: [null, 'nothing_signed'],
  trustDataCurrent: [null, 'nothing_signed'],
  timestampValid: [null, 'nothing_signed'],
} as const satisfies Partial<Record<Check, Answer>>;

/** A certificate node as in a page, with changes; `undefined` removes a member. */
export function certificate(jwt: unknown, changes: Readonly<Record<string, unknown>> = {}) {
  return {
    '@type': 'Product',
    productID: PRODUCT_ID,
    url: PAGE_URL,
    'svc:issuedFor': { domain: 'shop.example', productID: PRODUCT_ID },
    proof: { type: 'JsonWebSignature2020', jwt, algorithm: 'RS256' },
    ...changes,
  };
}

/** A node with the proof only, which repeats none of its claims. */
export function bareCertificate(jwt: unknown) {
  return { '@type': 'Product', proof: { jwt } };
}

export function timestamp(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

function unique(codes: readonly string[]): string[] {
  return [...new Set(codes)];
}
