import { PROOF_TYP, type ProofKind, REQUIRED_CLAIMS } from '../proof/proof-rules.ts';
import type { ProofContext } from './check-context.ts';
import { claimFault, issuerFault } from './checks/certificate-integrity.ts';
import { utc } from './describe.ts';
import type { SignedClaims } from './types.ts';

const KINDS = Object.keys(PROOF_TYP) as ProofKind[];

/** Claims returned under their own names; issuer and times are returned under different names. */
const SUBJECT_CLAIMS: Readonly<Record<ProofKind, readonly string[]>> = {
  product: claimsOf('product'),
  asset: claimsOf('asset'),
  image: claimsOf('image'),
};

function claimsOf(kind: ProofKind): string[] {
  return Object.keys(REQUIRED_CLAIMS[kind]).filter((name) => !['iss', 'iat', 'exp'].includes(name));
}

/**
 * The claims of a proof of any kind whose signature is valid, whose issuer is trusted and whose claims are complete;
 * otherwise `undefined`. Members of a document and unknown claims are left out.
 */
export function signedClaims(context: ProofContext): SignedClaims | undefined {
  const { proof, signature } = context;
  const kind = KINDS.find((one) => PROOF_TYP[one] === proof?.typ);
  if (signature !== 'ok' || !proof?.claims || kind === undefined) return undefined;
  const { claims } = proof;
  if (claimFault(kind, claims) !== null || issuerFault(context, claims) !== null) return undefined;
  const told: Record<string, unknown> = {
    kind,
    issuer: claims.iss,
    issuedAt: utc(claims.iat as number),
    expiresAt: utc(claims.exp as number),
  };
  for (const name of SUBJECT_CLAIMS[kind]) told[name] = claims[name];
  for (const name of ['uhash', 'phash']) if (typeof claims[name] === 'string') told[name] = claims[name];
  return told as unknown as SignedClaims;
}
