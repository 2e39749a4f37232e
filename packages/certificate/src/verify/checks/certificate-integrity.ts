import { comparePageUrls } from '../../binding/compare-page-urls.ts';
import { normalizeHost, sameHost } from '../../binding/hosts.ts';
import { sameProductId } from '../../binding/product-ids.ts';
import { isDigests } from '../../proof/members.ts';
import {
  type ClaimType,
  PROOF_LIFETIME,
  PROOF_TYP,
  type ProofKind,
  REQUIRED_CLAIMS,
} from '../../proof/proof-rules.ts';
import { isObject } from '../../proof/strict-json.ts';
import { failed, notRun, type ProofContext, passed } from '../check-context.ts';
import { describeValue } from '../describe.ts';
import type { CheckResult } from '../types.ts';

type Claims = Readonly<Record<string, unknown>>;

/**
 * The JWT decodes, is of the required kind, carries every claim, expires 7 days after it was issued and comes from a
 * trusted issuer; the document repeats its claims correctly and is otherwise as issued (spec "Verify verdicts").
 */
export function certificateIntegrity(context: ProofContext): CheckResult {
  const { proof } = context;
  if (proof === null) return notRun('nothing_signed');
  if (proof.claims === null) return failed(proof.claimsFault);
  // claims readable but header malformed: not a JWT, so its kind does not matter
  if (proof.fault === 'proof_malformed') return failed(proof.fault);
  if (proof.typ !== PROOF_TYP[context.kind]) {
    return failed('proof_kind_wrong', PROOF_TYP[context.kind], describeValue(proof.typ));
  }
  return (
    claimFault(context.kind, proof.claims) ??
    bindingFault(proof.claims) ??
    lifetimeFault(proof.claims) ??
    issuerFault(context, proof.claims) ??
    documentFault(context, proof.claims) ??
    memberFault(context) ??
    passed
  );
}

/** The first claim that is missing for this kind of proof or has the wrong type. */
export function claimFault(kind: ProofKind, claims: Claims): CheckResult | null {
  return (
    typeFault(claims, REQUIRED_CLAIMS[kind]) ??
    // older proofs do not have it
    (claims.control === undefined ? null : typeFault(claims, { control: 'method and time' }))
  );
}

/** Requires both claims or neither: older proofs bind no members. */
function bindingFault(claims: Claims): CheckResult | null {
  const isUnbound = claims.namespace === undefined && claims.members === undefined;
  return isUnbound ? null : typeFault(claims, { namespace: 'text', members: 'digests' });
}

function typeFault(claims: Claims, required: Readonly<Record<string, ClaimType>>): CheckResult | null {
  for (const name of Object.keys(required)) {
    const type = required[name] as ClaimType;
    const value = claims[name];
    if (value === undefined) return failed('claim_missing', name);
    if (!isOfType(value, type)) return failed('claim_wrong_type', `${name}: ${type}`, describeValue(value));
  }
  return null;
}

function isOfType(value: unknown, type: ClaimType): boolean {
  if (type === 'text') return typeof value === 'string';
  if (type === 'percent') return typeof value === 'number' && value >= 0 && value <= 100;
  if (type === 'digests') return isDigests(value);
  if (type === 'method and time') {
    // members of later releases are ignored, like unknown claims
    const { method, checkedAt } = (value ?? {}) as Claims;
    return (
      isOfType(method, 'text') && (method === 'none' ? checkedAt === undefined : isOfType(checkedAt, 'time'))
    );
  }
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function lifetimeFault(claims: Claims): CheckResult | null {
  const lifetime = (claims.exp as number) - (claims.iat as number);
  return lifetime === PROOF_LIFETIME
    ? null
    : failed('lifetime_wrong', `${PROOF_LIFETIME} s`, `${lifetime} s`);
}

/** Fails if the issuer is not trusted; if the caller named no issuers, every issuer is accepted. */
export function issuerFault({ issuers }: ProofContext, claims: Claims): CheckResult | null {
  if (issuers === null || issuers.includes(claims.iss as string)) return null;
  return failed('issuer_untrusted', issuers.join(', '), describeValue(claims.iss));
}

/** Where the document repeats a signed value, both must be equal; an absent member is not a difference. */
function documentFault(context: ProofContext, claims: Claims): CheckResult | null {
  const { document, normalizePage } = context;
  if (document === null) return null;
  if (context.signature !== 'ok') {
    // without a valid signature the document is not compared, which saves work on forged input
    return repeatsAnything(document) ? notRun('document_not_compared') : null;
  }
  const productId = claims.productId as string;
  const issuedFor = document['svc:issuedFor'] ?? {};
  if (!isObject(issuedFor)) {
    return failed('document_differs', 'svc:issuedFor', describeValue(issuedFor));
  }
  const samePage = (a: string, b: string) => comparePageUrls(a, b, normalizePage).equal;
  return (
    differs('productID', productId, document.productID, sameProductId) ??
    differs('svc:issuedFor.productID', productId, issuedFor.productID, sameProductId) ??
    differs('svc:issuedFor.domain', claims.domain as string, issuedFor.domain, sameDomain) ??
    differs('url', claims.url as string, document.url, samePage)
  );
}

function memberFault({ altered }: ProofContext): CheckResult | null {
  return altered === null ? null : failed('member_altered', altered.expected, altered.actual);
}

function repeatsAnything(document: Claims): boolean {
  return (document.productID ?? document.url ?? document['svc:issuedFor'] ?? null) !== null;
}

function differs(
  name: string,
  signed: string,
  repeated: unknown,
  same: (a: string, b: string) => boolean,
): CheckResult | null {
  if (repeated === undefined || repeated === null) return null;
  if (typeof repeated === 'string' && same(signed, repeated)) return null;
  return failed('document_differs', `${name} ${signed}`, describeValue(repeated));
}

function sameDomain(a: string, b: string): boolean {
  return a === b || sameHost(normalizeHost(a), normalizeHost(b));
}
