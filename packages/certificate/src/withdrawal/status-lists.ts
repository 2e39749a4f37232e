import type { StatusEntry } from '../claims/build-claims.ts';
import { jwksUrl } from '../keys/key-set.ts';
import type { VerifyRs256 } from '../keys/rsa-key.ts';
import type { Fetch } from '../offline/fetch-jwks.ts';
import { createRemoteKeySet, type RemoteKeySet } from '../offline/remote-key-set.ts';
import { addressesIn, type IssuerKeys, keysByIssuer } from '../offline/trust.ts';
import { readProof } from '../proof/compact-jws.ts';
import { proofJwt } from '../verify/submitted-document.ts';
import type { Withdrawal, WithdrawalReason } from '../verify/withdrawal-reasons.ts';
import { createHeldLists, type HeldList, type HeldLists } from './held-lists.ts';
import { type ListKeys, listKeysOf } from './list-keys.ts';
import { unverifiedList } from './read-status-list.ts';
import { statusEntryOf } from './status-claim.ts';
import { entryAt, isStatusListUri } from './status-list.ts';

/** Whose status lists are read, and where their keys and lists come from. */
export interface StatusListsOptions {
  /** Base addresses of the services whose certificates are trusted, as for `createTrust`. */
  readonly trustedIssuers: readonly string[];
  /**
   * The keys of status lists, each set with the issuers that it belongs to: what `statusListJwksUrl` serves. An issuer that is not named
   * here has a set of its own, fetched from there.
   */
  readonly keys?: readonly IssuerKeys[] | undefined;
  /** Status lists that were fetched before. Each counts until it expires, unless a newer one can be fetched. */
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
   * Looks up whether a certificate has been withdrawn. Whatever is wrong with the list, its keys or the network is a reason, never an
   * exception.
   *
   * @param proof - the proof (`proof.jwt`), or the document that contains it
   * @param issuer - the issuer of the proof, once its signature is valid and the issuer trusted: `signed?.issuer` of a result. Without
   *   it, nothing is looked up
   */
  lookUp(proof: unknown, issuer: string | undefined, now: Date): Promise<Withdrawal>;
}

/** Issuers that share their keys, with their lists. The lists and keys of one set never say anything about proofs of another. */
interface Source {
  readonly issuers: readonly string[];
  readonly keys: ListKeys;
  readonly lists: HeldLists;
  /** The keys of proofs as the issuer publishes them now; `null` without a network. */
  readonly proofKeys: RemoteKeySet | null;
}

/**
 * Creates the status lists of the issuers that the caller trusts. A list is fetched from the address that follows from the issuer and its
 * number, reused for its `ttl`, by one request at a time; one that could not be had is not requested again for 30 s. What a list called
 * invalid stays so after the list has ended, for as long as it is kept. If no list says anything about a proof, the issuer is asked whether it still publishes the key that signed it: the caller may hold older keys. It has no clock:
 * `now` is passed to each call.
 *
 * @throws TypeError if `trustedIssuers` is not an array of strings, or if it is not clear whose keys are given
 * @throws CannotVerifyError `keys_address_unsafe`
 * @example
 * ```ts
 * import { createTrust, verifyProductCertificate } from '@touchstone/certificate';
 * import { createTestIssuer, TEST_ISSUER, TEST_NOW } from '@touchstone/certificate/testing';
 * import { createStatusLists, withWithdrawal } from '@touchstone/certificate/withdrawal';
 *
 * const issuer = await createTestIssuer();
 * const document = await issuer.certificate();
 * const trust = createTrust({ trustedIssuers: [TEST_ISSUER], jwks: issuer.jwks });
 * const lists = createStatusLists({ trustedIssuers: trust.issuers, offline: true });
 * const page = { pageUrl: 'https://shop.example/products/cup', now: TEST_NOW };
 * const result = await verifyProductCertificate(document, { ...page, trust });
 * const withdrawal = await lists.lookUp(document, result.signed?.issuer, page.now);
 * withWithdrawal(result, withdrawal).withdrawal; // { status: null, reason: 'status_list_unreachable' }
 * ```
 */
export function createStatusLists(options: StatusListsOptions): StatusLists {
  const { trustedIssuers, keys, prefetched = [], offline = false, verifyRs256 } = options;
  const fetch = offline ? null : (options.fetch ?? globalThis.fetch);
  const issuers = addressesIn(trustedIssuers, 'trustedIssuers');
  const sources = keysByIssuer(issuers, { trustedIssuers, keys }).map((given): Source => {
    const listKeys = listKeysOf(given, { fetch, verifyRs256 });
    const own = prefetched.filter((token) => isOfOneOf(token, given.issuers));
    const proofKeys = fetch && createRemoteKeySet(jwksUrl(given.issuers[0] as string), { fetch });
    const lists = createHeldLists(listKeys, fetch, own);
    return { issuers: given.issuers, keys: listKeys, lists, proofKeys };
  });
  return {
    async lookUp(proof, issuer, now) {
      const source = sources.find(({ issuers: own }) => own.includes(issuer ?? ''));
      const { jws, claims } = readProof(proofJwt(proof));
      if (source === undefined || issuer === undefined || !jws || claims?.iss !== issuer)
        return unknown('not_looked_at');
      return withdrawalOf(source, { kid: jws.kid, claims: claims as SignedClaims, issuer }, now);
    },
  };
}

type SignedClaims = Readonly<Record<string, unknown>>;

interface SignedProof {
  readonly kid: string;
  readonly claims: SignedClaims;
  readonly issuer: string;
}

async function withdrawalOf(source: Source, proof: SignedProof, now: Date): Promise<Withdrawal> {
  const { kid, claims, issuer } = proof;
  const { lists } = source;
  const entry = statusEntryOf(claims, issuer);
  if (typeof entry === 'string') return unknown(entry);
  const list =
    entry === undefined ? await whyUnlisted(source, claims.iat, now) : await lists.at(entry.uri, now);
  const tell = (status: 'valid' | 'invalid' | 'suspended', reason: WithdrawalReason, held: HeldList) => ({
    status,
    reason,
    listIssuedAt: new Date(held.list.issuedAt * 1000).toISOString(),
    nextLook: new Date(lists.nextLook(held)).toISOString(),
  });
  const revoking = await lists.revoking(kid, now);
  if (revoking !== undefined) return tell('invalid', 'key_revoked', revoking);
  if (typeof list === 'string') {
    const ended = entry && lists.endedAt(entry.uri, now);
    if (entry && ended && entryAt(ended.list.entries, entry.index) === 1)
      return tell('invalid', 'withdrawn', ended);
    return (await isTakenBack(source, proof, now))
      ? { status: 'invalid', reason: 'key_revoked' }
      : unknown(list);
  }
  const value = entryAt(list.list.entries, (entry as StatusEntry).index);
  if (value === 0) return tell('valid', 'not_withdrawn', list);
  if (value === 1) return tell('invalid', 'withdrawn', list);
  return value === 2 ? tell('suspended', 'suspended', list) : unknown('status_value_unknown');
}

/** A proof without the claim is from before its issuer had lists, or not one that the issuer made. */
async function whyUnlisted({ keys }: Source, iat: unknown, now: Date): Promise<WithdrawalReason> {
  const keySet = await keys(now).catch(() => null);
  if (keySet === null) return 'status_list_unreachable';
  const { claimRequiredFrom = Number.POSITIVE_INFINITY } = keySet;
  return typeof iat === 'number' && iat < claimRequiredFrom ? 'status_claim_absent' : 'status_claim_required';
}

/**
 * Whether the issuer no longer publishes the key of a proof. It takes a key back within the life of a proof only if the key was revoked; the
 * thief of one would name a list that does not exist, or none.
 */
async function isTakenBack({ proofKeys }: Source, { kid, claims }: SignedProof, now: Date): Promise<boolean> {
  const keySet = await proofKeys?.at(now, kid, claims.iat).catch(() => null);
  return keySet?.find(kid) === 'key_unknown';
}

function unknown(reason: WithdrawalReason): Withdrawal {
  return { status: null, reason };
}

function isOfOneOf(token: string, issuers: readonly string[]): boolean {
  const { sub } = unverifiedList(token);
  return typeof sub === 'string' && issuers.some((issuer) => isStatusListUri(sub, issuer));
}
