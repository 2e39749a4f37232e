import type { Fetch } from '../offline/fetch-jwks.ts';
import { boundedText, TIMEOUT_MS } from '../offline/fetch-jwks.ts';
import { settlesSoon } from '../offline/remote-key-set.ts';
import type { ListKeys } from './list-keys.ts';
import {
  readStatusList,
  type StatusList,
  type StatusListFault,
  timeFault,
  unverifiedList,
} from './read-status-list.ts';

/** Milliseconds for which a list that could not be had is not requested again. */
const FAILURE_MS = 30_000;

/** Fetched lists that are kept, of 256 KB each; prefetched ones are always kept. */
const MAX_FETCHED = 64;

/** Failures that are remembered. */
const MAX_FAILURES = 1000;

/** Why no list is at hand. */
export type NoList = StatusListFault | 'status_list_unreachable';

/** A list, and when it was current; milliseconds since 1970. */
export interface HeldList {
  readonly list: StatusList;
  readonly currentAt: number;
  readonly isPrefetched?: boolean;
}

/** The lists of one set of issuers that share their keys. */
export interface HeldLists {
  /** Returns the list at this address, which must be one of its issuer; fetches it if it is not at hand or past its `ttl`. */
  at(uri: string, now: Date): Promise<HeldList | NoList>;
  /** The list that was at hand at this address and has ended: what it calls invalid is so for good. */
  endedAt(uri: string, now: Date): HeldList | undefined;
  /** A list at hand, also one that has ended, that names this key among the revoked ones. */
  revoking(kid: string, now: Date): Promise<HeldList | undefined>;
  /** When a newer list is looked for; without a network, when the list no longer counts. Milliseconds since 1970. */
  nextLook(held: HeldList): number;
}

/** @param fetch - `null`: nothing is fetched */
export function createHeldLists(
  keys: ListKeys,
  fetch: Fetch | null,
  prefetched: readonly string[],
): HeldLists {
  const held = new Map<string, HeldList>();
  const failures = new Map<string, { readonly reason: NoList; readonly at: number }>();
  const inFlight = new Map<string, Promise<void>>();
  /** Prefetched tokens that could not be read yet, by address. */
  const unread = new Map<string, string[]>();
  for (const token of prefetched) {
    const { sub } = unverifiedList(token);
    if (typeof sub === 'string') unread.set(sub, [...(unread.get(sub) ?? []), token]);
  }

  const read = async (token: string, uri: string, now: Date): Promise<StatusList | NoList> => {
    const { kid, iat } = unverifiedList(token);
    // nothing is requested for a token that cannot be one
    if (kid === undefined) return readStatusList(token, { keySet: NO_KEYS, uri, now });
    const keySet = await keys(now, kid, iat).catch(() => null);
    return keySet === null ? 'status_list_unreachable' : readStatusList(token, { keySet, uri, now });
  };

  /** Keeps the newer of two lists of an address: a cache on the way may answer with an older one. */
  const keep = (list: StatusList, currentAt: number, isPrefetched: boolean): void => {
    const known = held.get(list.uri);
    const newer = known !== undefined && known.list.issuedAt > list.issuedAt ? known.list : list;
    held.delete(list.uri);
    held.set(list.uri, {
      list: newer,
      currentAt,
      isPrefetched: isPrefetched || known?.isPrefetched === true,
    });
    const fetched = [...held].filter(([, one]) => !one.isPrefetched);
    if (fetched.length > MAX_FETCHED) held.delete(fetched[0]?.[0] as string);
  };

  const readPrefetched = async (now: Date): Promise<void> => {
    for (const [uri, tokens] of unread) {
      for (const token of tokens) {
        const list = await read(token, uri, now);
        if (typeof list === 'string') failures.set(uri, { reason: list, at: Number.NEGATIVE_INFINITY });
        else {
          failures.delete(uri);
          keep(list, list.issuedAt * 1000, true);
          unread.set(
            uri,
            tokens.filter((one) => one !== token),
          );
        }
      }
      if (unread.get(uri)?.length === 0) unread.delete(uri);
    }
  };

  const refetch = async (uri: string, now: Date, request: Fetch): Promise<void> => {
    const text = await fetchText(uri, request);
    const list = text.fault ?? (await read(text.token, uri, now));
    if (typeof list !== 'string') {
      failures.delete(uri);
      keep(list, now.getTime(), false);
      return;
    }
    failures.delete(uri);
    failures.set(uri, { reason: list, at: now.getTime() });
    if (failures.size > MAX_FAILURES) failures.delete(failures.keys().next().value as string);
  };

  const refetchOrJoin = async (uri: string, now: Date, request: Fetch): Promise<void> => {
    const others = inFlight.get(uri);
    // edge runtimes abort a request together with the visitor's request that started it: it may then never settle
    if (others !== undefined && (await settlesSoon(others))) return;
    const own = refetch(uri, now, request);
    inFlight.set(uri, own);
    await own;
    if (inFlight.get(uri) === own) inFlight.delete(uri);
  };

  return {
    async at(uri, now) {
      if (unread.size > 0) await readPrefetched(now);
      const moment = now.getTime();
      const known = held.get(uri);
      const isFresh = known !== undefined && Math.abs(moment - known.currentAt) < known.list.ttl * 1000;
      const failedAt = failures.get(uri)?.at ?? Number.NEGATIVE_INFINITY;
      const isAsked = Math.abs(moment - failedAt) < FAILURE_MS;
      if (fetch !== null && !isAsked && !(isFresh && timeFault(known.list, now) === null))
        await refetchOrJoin(uri, now, fetch);
      const one = held.get(uri);
      if (one === undefined) return failures.get(uri)?.reason ?? 'status_list_unreachable';
      return timeFault(one.list, now) ?? one;
    },
    endedAt(uri, now) {
      const one = held.get(uri);
      return one && timeFault(one.list, now) === 'status_list_expired' ? one : undefined;
    },
    async revoking(kid, now) {
      if (unread.size > 0) await readPrefetched(now);
      return [...held.values()].find(
        ({ list }) => list.revokedKids.has(kid) && timeFault(list, now) !== 'status_list_not_yet_valid',
      );
    },
    nextLook({ list, currentAt }) {
      if (fetch === null) return list.expiresAt * 1000;
      return Math.max(
        currentAt + list.ttl * 1000,
        (failures.get(list.uri)?.at ?? Number.NEGATIVE_INFINITY) + FAILURE_MS,
      );
    },
  };
}

const NO_KEYS = {
  find: () => 'key_unknown' as const,
  verify: () => false,
  sha256: () => '',
};

type Fetched =
  | { readonly token: string; readonly fault?: undefined }
  | { readonly fault: NoList; readonly token?: undefined };

/** The token at this address: at most 1 MB, within 10 s, without redirects; not verified yet. */
export async function fetchText(uri: string, fetch: Fetch): Promise<Fetched> {
  try {
    const response = await fetch(uri, {
      headers: { accept: 'application/statuslist+jwt' },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) {
      await response.body?.cancel();
      return { fault: 'status_list_unreachable' };
    }
    return { token: await boundedText(response) };
  } catch (error) {
    return { fault: error instanceof RangeError ? 'status_list_too_large' : 'status_list_unreachable' };
  }
}
