import { createStatusLists, type StatusLists } from '@touchstone/certificate/withdrawal';

/**
 * The status lists of the service that serves this page, read from this origin only: whatever a certificate or the user names, no other
 * address is requested. Of other issuers nothing is looked up.
 *
 * @param issuers - present and former addresses of the service
 */
export function ownStatusLists(
  issuers: readonly string[],
  request: typeof fetch = (address, init) => fetch(new URL(String(address)).pathname, init),
): StatusLists {
  return createStatusLists({ trustedIssuers: issuers.filter(hasSafeKeys), fetch: request });
}

/** Keys are only taken over https, or from this machine; of another issuer nothing is looked up. */
function hasSafeKeys(issuer: string): boolean {
  try {
    createStatusLists({ trustedIssuers: [issuer] });
    return true;
  } catch {
    return false;
  }
}
