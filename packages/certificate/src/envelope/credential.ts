import { readProof } from '../proof/compact-jws.ts';
import { isObject } from '../proof/strict-json.ts';

/** The context of the W3C Verifiable Credentials Data Model 2.0. */
export const VC_CONTEXT = 'https://www.w3.org/ns/credentials/v2';

/** A product certificate as a credential (VC Data Model 2.0), with the claims of a JWT. */
export interface ProductCredential {
  readonly '@context': readonly [typeof VC_CONTEXT, Readonly<Record<string, unknown>>];
  readonly type: readonly ['VerifiableCredential', 'ProductCertificateCredential'];
  readonly issuer: string;
  /** RFC 3339. */
  readonly validFrom: string;
  readonly validUntil: string;
  readonly credentialSubject: {
    /** The product: `urn:uuid:` with its id. */
    readonly id: string;
    readonly type: 'CertifiedProduct';
    /** The page for which it is certified. */
    readonly url: string;
    /** The certificate, whole, so that its own proof can be verified. */
    readonly certificate: object;
  };
  /** The entry of a Token Status List, as the proof names it; absent if it names none. */
  readonly credentialStatus?: {
    readonly type: 'TokenStatusListEntry';
    readonly statusListIndex: number;
    readonly statusListUri: string;
  };
  readonly iss: string;
  readonly iat: number;
  readonly exp: number;
}

/**
 * A certificate as a credential. It says nothing that the proof of the certificate does not: the same certificate always gives the same
 * credential.
 *
 * @param certificate - of a product, with its proof
 * @throws TypeError if it has no readable proof, such as an identity-only document
 * @example
 * ```ts
 * import { credentialOf } from '@touchstone/certificate/envelope';
 * import { createTestIssuer } from '@touchstone/certificate/testing';
 *
 * const issuer = await createTestIssuer();
 * credentialOf(await issuer.certificate()).validUntil; // '2026-03-08T12:00:00Z'
 * ```
 */
export function credentialOf(certificate: object): ProductCredential {
  const claims = proofClaimsOf(certificate);
  if (claims === null) throw new TypeError('the certificate has no readable proof');
  const { issuer, issuedAt, expiresAt, productId, url, status } = claims;
  return {
    '@context': [VC_CONTEXT, termsOf(certificate)],
    type: ['VerifiableCredential', 'ProductCertificateCredential'],
    issuer,
    validFrom: timeOf(issuedAt),
    validUntil: timeOf(expiresAt),
    credentialSubject: { id: `urn:uuid:${productId}`, type: 'CertifiedProduct', url, certificate },
    ...(status && {
      credentialStatus: {
        type: 'TokenStatusListEntry',
        statusListIndex: status.index,
        statusListUri: status.uri,
      },
    }),
    iss: issuer,
    iat: issuedAt,
    exp: expiresAt,
  };
}

/** What a credential repeats of the proof of its certificate; not verified. */
interface ProofClaims {
  readonly issuer: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly productId: string;
  readonly url: string;
  readonly status?: { readonly index: number; readonly uri: string };
}

function proofClaimsOf(certificate: object): ProofClaims | null {
  const { proof } = certificate as { readonly proof?: { readonly jwt?: unknown } };
  const { claims } = readProof(proof?.jwt);
  if (claims === null) return null;
  const { iss, iat, exp, productId, url, status } = claims;
  const isWhole =
    typeof iss === 'string' &&
    typeof productId === 'string' &&
    typeof url === 'string' &&
    isTime(iat) &&
    isTime(exp);
  if (!isWhole) return null;
  const list = isObject(status) ? status.status_list : undefined;
  const isListed = isObject(list) && typeof list.uri === 'string' && Number.isSafeInteger(list.idx);
  return {
    issuer: iss,
    issuedAt: iat,
    expiresAt: exp,
    productId,
    url,
    ...(isListed && { status: { index: list.idx as number, uri: list.uri as string } }),
  };
}

/** Seconds of a time that can be written. */
function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && Math.abs(value as number) < 8e12;
}

function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

/** The terms that are not of the W3C. The certificate is a JSON literal: it has a context and a proof of its own. */
function termsOf(certificate: object): Readonly<Record<string, unknown>> {
  const { '@context': context } = certificate as { readonly '@context'?: unknown };
  const [, own] = Array.isArray(context) ? (context as unknown[]) : [];
  return {
    svc: isObject(own) && typeof own.svc === 'string' ? own.svc : 'urn:svc:',
    ProductCertificateCredential: 'svc:ProductCertificateCredential',
    CertifiedProduct: 'svc:CertifiedProduct',
    TokenStatusListEntry: 'svc:TokenStatusListEntry',
    statusListIndex: 'svc:statusListIndex',
    statusListUri: { '@id': 'svc:statusListUri', '@type': '@id' },
    url: { '@id': 'https://schema.org/url', '@type': '@id' },
    certificate: { '@id': 'svc:certificate', '@type': '@json' },
  };
}
