import { normalizePageUrl } from '../binding/normalize-page-url.ts';
import { createKeySet, type KeySet } from '../keys/key-set.ts';
import { readProof } from '../proof/compact-jws.ts';
import type { ProofKind } from '../proof/proof-rules.ts';
import type { ProofContext } from './check-context.ts';
import { certificateIntegrity } from './checks/certificate-integrity.ts';
import { checkSignature, signatureValid } from './checks/signature-valid.ts';
import { timestampValid } from './checks/timestamp-valid.ts';
import { signedClaims } from './signed-claims.ts';
import type { CheckResult, SignedClaims } from './types.ts';

/** The checks that need only the proof. */
export interface ProofVerification {
  readonly signatureValid: CheckResult;
  readonly certificateIntegrity: CheckResult;
  readonly timestampValid: CheckResult;
  /** The signed claims; absent unless the signature is valid and, if `issuers` are given, the issuer is trusted. */
  readonly signed?: SignedClaims;
}

/** What a proof is checked against. */
export interface VerifyProofOptions {
  /** The time of verification. */
  readonly now: Date;
  /** The required kind of proof. Default: `product`. */
  readonly kind?: ProofKind;
  /** The trusted issuers that the keys belong to: values of `iss`. If left out, `iss` is not checked. */
  readonly issuers?: readonly string[];
}

/**
 * Checks a proof on its own, without the document or the page it belongs to (spec "Authentication", 3).
 *
 * @param jwt - the proof; any value is accepted, and hostile input never throws
 * @param keys - the keys of one service: a parsed JWKS, or a key set created from one
 * @example
 * ```ts
 * import { verifyProof } from '@touchstone/certificate/verify';
 *
 * const { signatureValid } = await verifyProof('not a proof', { keys: [] }, { now: new Date() });
 * signatureValid; // { result: false, reason: 'proof_malformed' }
 * ```
 */
export async function verifyProof(
  jwt: unknown,
  keys: unknown,
  options: VerifyProofOptions,
): Promise<ProofVerification> {
  const keySet = isKeySet(keys) ? keys : createKeySet(keys);
  const proof = readProof(jwt, keySet.headers);
  const signature = await checkSignature(proof, keySet);
  const context: ProofContext = {
    proof,
    signature,
    kind: options.kind ?? 'product',
    document: null,
    altered: null,
    isContextForeign: false,
    issuers: options.issuers ?? null,
    normalizePage: normalizePageUrl,
    now: Math.floor(options.now.getTime() / 1000),
  };
  const signed = signedClaims(context);
  return {
    signatureValid: signatureValid(context),
    certificateIntegrity: certificateIntegrity(context),
    timestampValid: timestampValid(context),
    ...(signed === undefined ? {} : { signed }),
  };
}

function isKeySet(keys: unknown): keys is KeySet {
  // a parsed JWKS holds no functions; `find` would not tell, since arrays have one too
  return typeof (keys as Partial<KeySet> | null | undefined)?.verify === 'function';
}
