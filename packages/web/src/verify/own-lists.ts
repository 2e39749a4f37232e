import { createStatusLists, type StatusLists } from '@touchstone/certificate/withdrawal';

/**
 * The status lists of the service that serves this page, at all its base addresses. They are fetched from this origin, whatever the base
 * address is, since the page may connect to no other; those of other issuers are therefore never looked at.
 */
export function openOwnLists(issuers: readonly string[]): StatusLists {
  const lists = createStatusLists({
    trustedIssuers: issuers,
    keys: [{ issuers }],
    fetch: (input, init) => {
      const { pathname } = new URL(String(input));
      return fetch(pathname.slice(pathname.indexOf('/api/v1/')), init);
    },
  });
  return {
    lookUp: (proof, issuer, now) => lists.lookUp(proof, issuer, now),
  };
}
