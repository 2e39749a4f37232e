import type { VerificationResult } from '@touchstone/certificate/verify';
import { createStatusLists, type Withdrawal, withWithdrawal } from '@touchstone/certificate/withdrawal';

/** Adds to a result what is known about a withdrawal. */
type TellWithdrawal = (result: VerificationResult, document: unknown, now: Date) => VerificationResult;

const UNKNOWN: Withdrawal = { status: null, reason: 'not_looked_at' };

/**
 * Looks up withdrawals in the status lists of the issuers, once per page view and proof: a request names a list that up to a million
 * certificates share, and neither the page nor anything by which the browser could be recognised. Until there is an answer, and if there is
 * none, the result stays as it was verified offline.
 *
 * @param onKnown - called when an answer makes a difference
 */
export function createWithdrawals(issuers: readonly string[], onKnown: () => void): TellWithdrawal {
  const lists = createStatusLists({
    trustedIssuers: issuers,
    fetch: (url, init) =>
      fetch(url, { ...init, redirect: 'manual', credentials: 'omit', referrerPolicy: 'no-referrer' }),
  });
  const known = new Map<string, Withdrawal>();
  return (result, document, now) => {
    const { jwt } = (document as { readonly proof: { readonly jwt: string } }).proof;
    if (!known.has(jwt)) {
      known.set(jwt, UNKNOWN);
      void lists.lookUp(document, result.signed?.issuer, now).then((withdrawal) => {
        known.set(jwt, withdrawal);
        if (withdrawal.reason !== 'not_withdrawn') onKnown();
      });
    }
    return withWithdrawal(result, known.get(jwt) ?? UNKNOWN);
  };
}
