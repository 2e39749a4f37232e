import type { VerifyRs256 } from '../keys/rsa-key.ts';
import type { Fetch } from '../offline/fetch-jwks.ts';
import type { IssuerKeys } from '../offline/trust.ts';
import type { Withdrawal } from '../verify/withdrawal-reasons.ts';

/** Whose status lists are read, and where their keys and lists come from. */
export interface StatusListsOptions {
  /** Base addresses of the services whose certificates are trusted, as for `createTrust`. */
  readonly trustedIssuers: readonly string[];
  /**
   * The keys of status lists, each set with the issuers that it belongs to: what `statusListJwksUrl` serves. An issuer that is not named
   * here has a set of its own, fetched from there.
   */
  readonly keys?: readonly IssuerKeys[] | undefined;
  /** Status lists that were fetched before. Each counts until it expires. */
  readonly prefetched?: readonly string[] | undefined;
  /** Default: `globalThis.fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Nothing is fetched: only `keys` and `prefetched` are used. Default: false. */
  readonly offline?: boolean | undefined;
  /** The signature primitive. Default: WebCrypto. */
  readonly verifyRs256?: VerifyRs256 | undefined;
}

/** The status lists of trusted issuers. Create it once and reuse it: it caches what it fetches. */
export interface StatusLists {
  /**
   * Looks up whether a certificate has been withdrawn. Never throws for a list, its keys or the network.
   *
   * @param proof - the proof (`proof.jwt`), or the document that contains it
   * @param issuer - the issuer of the proof, once its signature is valid and the issuer trusted: `signed?.issuer` of a result. Without
   *   it, nothing is looked up
   */
  lookUp(proof: unknown, issuer: string | undefined, now: Date): Promise<Withdrawal>;
}

/** Creates the status lists of the issuers that the caller trusts. */
export function createStatusLists(_options: StatusListsOptions): StatusLists {
  return { lookUp: async () => ({ status: null, reason: 'status_list_unreachable' }) };
}
