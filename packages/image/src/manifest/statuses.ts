import { boundedText } from './bounded.ts';
import type { StatusCode } from './store.ts';

/** Maximum entries of one list in a report. */
export const MAX_ITEMS = 100;

/**
 * Codes about trust in the signer, not about integrity. An expired or revoked credential is not among them: without a time stamp
 * it leaves open whether the signature was made while it was valid.
 */
const TRUST_CODES: readonly string[] = ['signingCredential.untrusted', 'timeStamp.untrusted'];

/** Whether a failure concerns integrity: neither trust nor identity (CAWG). */
export function isIntegrityFailure({ code }: StatusCode): boolean {
  return !TRUST_CODES.includes(code) && !code.startsWith('cawg.');
}

/** Statuses for a report, with their untrusted text limited. */
export function boundedStatuses(statuses: readonly StatusCode[]): readonly StatusCode[] {
  return statuses.slice(0, MAX_ITEMS).map(({ code, explanation }) => ({
    code: boundedText(code),
    ...(explanation === undefined ? {} : { explanation: boundedText(explanation) }),
  }));
}
