import { createTrust, type IssuerKeys, type Trust } from '@touchstone/certificate';

/**
 * Trust in issuers whose keys are already loaded: each key is valid only for the issuers that it is given for, and no request is sent. If
 * two sets are given for an issuer, the first counts: nobody can paste keys over those of this service.
 *
 * @throws CannotVerifyError `no_trusted_issuer`, and `keys_unavailable` for a key set without keys
 */
export function trustIn(issuers: readonly IssuerKeys[]): Trust {
  const named = new Set<string>();
  const keys = issuers.map((one) => {
    const own = one.issuers.filter((issuer) => !named.has(issuer));
    for (const issuer of own) named.add(issuer);
    return { ...one, issuers: own };
  });
  return createTrust({ trustedIssuers: [...named], keys });
}
