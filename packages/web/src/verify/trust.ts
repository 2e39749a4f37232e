import { createTrust, type Trust } from '@touchstone/certificate';

/** The public keys of an issuer, fetched or pasted before. */
export interface IssuerKeys {
  /** Values of `iss` in its proofs: its base address, and former ones. */
  readonly issuers: readonly string[];
  /** Parsed JSON, not validated yet. */
  readonly jwks: unknown;
}

/**
 * Trust in issuers whose keys are already loaded: each key is valid only for its issuer, and no request is sent.
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

/** Only selects among trusted issuers: the claim is validated when the proof is verified. */
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
