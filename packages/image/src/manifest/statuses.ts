import { boundedText } from './bounded.ts';
import type { StatusCode } from './store.ts';

/** Entries of one list of a report. */
export const MAX_ITEMS = 100;

/**
 * Codes that say whether we know the signer, not whether the bytes are intact. An expired or revoked credential is not
 * among them: without a time stamp it leaves open whether the signature was made while it held.
 */
const TRUST_CODES: readonly string[] = ['signingCredential.untrusted', 'timeStamp.untrusted'];

/** Whether a status is a complaint about integrity: neither about whom we know nor about identity (CAWG). */
export function isFault({ code }: StatusCode): boolean {
  return !TRUST_CODES.includes(code) && !code.startsWith('cawg.');
}

/** Statuses as they are reported: text of strangers. */
export function boundedStatuses(statuses: readonly StatusCode[]): readonly StatusCode[] {
  return statuses.slice(0, MAX_ITEMS).map(({ code, explanation }) => ({
    code: boundedText(code),
    ...(explanation === undefined ? {} : { explanation: boundedText(explanation) }),
  }));
}
