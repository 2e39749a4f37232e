import type { KeySet } from '../../keys/key-set.ts';
import type { ProofReading } from '../../proof/compact-jws.ts';
import { failed, notRun, type ProofContext, passed } from '../check-context.ts';
import type { Reason } from '../reasons.ts';
import type { CheckResult } from '../types.ts';

/** RS256 signature matches a public key of the service (spec "Verify verdicts"). */
export function signatureValid({ proof, signature }: ProofContext): CheckResult {
  if (proof === null) return notRun(signature);
  if (signature === 'ok') return passed;
  // certificateIntegrity reports which issuer it is
  if (signature === 'issuer_untrusted') return failed(signature);
  return failed(signature, undefined, proof.jws === null ? undefined : `kid ${proof.jws.kid}`);
}

/** Checks the signature itself. */
export async function checkSignature(proof: ProofReading, keySet: KeySet): Promise<Reason> {
  if (proof.jws === null) return proof.fault;
  const key = keySet.find(proof.jws.kid);
  if (typeof key === 'string') return key;
  const isValid = await keySet.verify(key, proof.jws.signature, proof.jws.signingInput);
  return isValid ? 'ok' : 'signature_mismatch';
}
