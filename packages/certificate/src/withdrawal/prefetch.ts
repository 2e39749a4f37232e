import { createKeySet } from '../keys/key-set.ts';
import type { VerifyRs256 } from '../keys/rsa-key.ts';
import { type Fetch, fetchJwks, safeKeysAddress } from '../offline/fetch-jwks.ts';
import { fetchText, type NoList } from './held-lists.ts';
import { readStatusList } from './read-status-list.ts';
import { isStatusListUri, statusListJwksUrl } from './status-list.ts';

export interface PrefetchOptions {
  /** Default: `globalThis.fetch`. */
  readonly fetch?: Fetch | undefined;
  readonly now: Date;
  /** The signature primitive. Default: WebCrypto. */
  readonly verifyRs256?: VerifyRs256 | undefined;
}

/** A list that was fetched and verified, or why there is none. Times are seconds since 1970. */
export type PrefetchedList = { readonly uri: string } & (
  | {
      readonly token: string;
      readonly issuedAt: number;
      readonly expiresAt: number;
      readonly fault?: undefined;
    }
  | { readonly fault: NoList }
);

/** What `createStatusLists` needs of an issuer to work without a network. */
export interface PrefetchedLists {
  /** The issuer's public keys of status lists, for `keys`. */
  readonly jwks: unknown;
  /** In the order of the request; the tokens are for `prefetched`. */
  readonly lists: readonly PrefetchedList[];
}

/**
 * Fetches the keys of an issuer's status lists, and lists of it, and verifies each. One after the other; each response is limited to
 * 1 MB and 10 s, and redirects are not followed.
 *
 * @param issuer - base address of a trusted service
 * @param uris - addresses of its lists (`statusListUri`)
 * @throws CannotVerifyError `keys_unavailable`, `keys_address_unsafe`
 * @throws TypeError for an address that is none of a list of this issuer
 * @example
 * ```ts
 * import { createTestIssuer, TEST_ISSUER, TEST_NOW } from '@touchstone/certificate/testing';
 * import { prefetchStatusLists, statusListUri } from '@touchstone/certificate/withdrawal';
 *
 * const { jwks } = await createTestIssuer();
 * const fetch = async (url: unknown) => String(url).endsWith('.json') ? Response.json(jwks) : new Response('none', { status: 404 });
 * const { lists } = await prefetchStatusLists(TEST_ISSUER, [statusListUri(TEST_ISSUER, 7)], { fetch, now: TEST_NOW });
 * lists[0]?.fault; // 'status_list_unreachable'
 * ```
 */
export async function prefetchStatusLists(
  issuer: string,
  uris: readonly string[],
  { fetch = globalThis.fetch, now, verifyRs256 }: PrefetchOptions,
): Promise<PrefetchedLists> {
  const foreign = uris.find((uri) => !isStatusListUri(uri, issuer));
  if (foreign !== undefined) throw new TypeError(`${foreign} is not the address of a list of ${issuer}.`);
  const { jwks } = await fetchJwks(safeKeysAddress(statusListJwksUrl(issuer)), fetch, true);
  const keySet = createKeySet(jwks, verifyRs256);
  const lists: PrefetchedList[] = [];
  for (const uri of uris) {
    const { token, fault } = await fetchText(uri, fetch);
    const list = fault ?? (await readStatusList(token, { keySet, uri, now }));
    if (typeof list === 'string') lists.push({ uri, fault: list });
    else if (token !== undefined)
      lists.push({ uri, token, issuedAt: list.issuedAt, expiresAt: list.expiresAt });
  }
  return { jwks, lists };
}
