import type { ControlClaim } from '../claims/build-claims.ts';
import { PROOF_TYP, type ProofKind, REQUIRED_CLAIMS } from '../proof/proof-rules.ts';
import type { ProofContext } from './check-context.ts';
import { claimFault, issuerFault } from './checks/certificate-integrity.ts';
import { utc } from './describe.ts';
import type { SignedClaims } from './types.ts';

const KINDS = Object.keys(PROOF_TYP) as ProofKind[];

/** Claims that are returned under other names. */
const RENAMED: readonly string[] = ['iss', 'iat', 'exp'];

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
  for (const name of Object.keys(REQUIRED_CLAIMS[kind]))
    if (!RENAMED.includes(name)) told[name] = claims[name];
  for (const name of ['uhash', 'phash']) if (typeof claims[name] === 'string') told[name] = claims[name];
  const control = claims.control as ControlClaim | undefined;
  if (control !== undefined) {
    const { method, checkedAt } = control;
    told.control = { method, ...(checkedAt === undefined ? {} : { checkedAt: utc(checkedAt) }) };
  }
  return told as unknown as SignedClaims;
}
