import { createTrust, type Trust } from '@touchstone/certificate';

/** The public keys of an issuer, as they were had once. */
export interface IssuerKeys {
  /** What its proofs call it (`iss`): its base address, and former ones. */
  readonly issuers: readonly string[];
  /** As parsed JSON; not judged yet. */
  readonly jwks: unknown;
}

/**
 * Trust in issuers whose keys are at hand: the keys of one never speak for another, and nobody is asked.
 *
 * @throws CannotVerifyError `no_trusted_issuer`, and `keys_unavailable` for a key set without keys
 */
export function trustIn(keys: readonly IssuerKeys[]): Trust {
  const trusts = keys.map(({ issuers, jwks }) => createTrust({ trustedIssuers: issuers, jwks }));
  const [first = createTrust({ trustedIssuers: [] })] = trusts;
  return {
    issuers: trusts.flatMap(({ issuers }) => issuers),
    keysFor(document, now) {
      const claimed = claimedIssuer(document);
      const named = trusts.find(({ issuers }) => claimed !== undefined && issuers.includes(claimed));
      return (named ?? first).keysFor(document, now);
    },
  };
}

/** Selects among trusted issuers, nothing more: the claim is read strictly when it is judged. */
function claimedIssuer(document: unknown): string | undefined {
  try {
    const node = (typeof document === 'string' ? JSON.parse(document) : document) as {
      proof?: { jwt?: unknown };
    } | null;
    const [, payload = ''] = String(node?.proof?.jwt).split('.');
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    return (claims as { iss?: string } | null)?.iss;
  } catch {
    return undefined;
  }
}
