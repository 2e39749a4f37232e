import { createKeySet, type KeySet } from '../keys/key-set.ts';
import type { VerifyRs256 } from '../keys/rsa-key.ts';
import { CannotVerifyError } from '../offline/cannot-verify-error.ts';
import type { Fetch } from '../offline/fetch-jwks.ts';
import { createRemoteKeySet } from '../offline/remote-key-set.ts';
import type { IssuerKeys } from '../offline/trust.ts';
import { statusListJwksUrl } from './status-list.ts';

/** The keys of an issuer's status lists. */
export interface ListKeySet extends KeySet {
  /** Seconds since 1970: every proof issued from then on names a list. Absent: the issuer does not say. */
  readonly claimRequiredFrom?: number;
}

/** Returns the keys, with that of this `kid` if there is one. @throws CannotVerifyError if they cannot be read */
export type ListKeys = (now: Date, kid?: string, iat?: unknown) => Promise<ListKeySet>;

/** The keys of the status lists of some issuers: given, or fetched from the first of them. */
export function listKeysOf(
  { issuers, jwks, jwksUrl }: IssuerKeys,
  { fetch, verifyRs256 }: { readonly fetch: Fetch | null; readonly verifyRs256: VerifyRs256 | undefined },
): ListKeys {
  const [first = ''] = issuers;
  if (jwks !== undefined) {
    const keySet = listKeySet(jwks, verifyRs256);
    return async () => keySet;
  }
  if (fetch === null) {
    return async () => {
      throw new CannotVerifyError(
        'keys_unavailable',
        `The keys of the status lists of ${first} are not given.`,
      );
    };
  }
  const remote = createRemoteKeySet(jwksUrl ?? statusListJwksUrl(first), { fetch }, (read) =>
    listKeySet(read, verifyRs256),
  );
  return (now, kid, iat) => remote.at(now, kid, iat);
}

function listKeySet(jwks: unknown, verifyRs256: VerifyRs256 | undefined): ListKeySet {
  const from = (jwks as { readonly claim_required_from?: unknown } | null)?.claim_required_from;
  const keySet = createKeySet(jwks, verifyRs256);
  return Number.isSafeInteger(from) ? { ...keySet, claimRequiredFrom: from as number } : keySet;
}
