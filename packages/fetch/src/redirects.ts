import { hasEmptyLabel, hostOf, withRouteOf } from '@touchstone/certificate/binding';
import { printable } from '@touchstone/certificate/text';
import type { Answer } from './exchange.ts';
import { type FailedFetch, FetchFailure } from './failure.ts';

/** The outcome of one hop: the result of the fetch, or the `Location` to follow. */
export type Hop<T> = { readonly result: T } | { readonly location: string };

/**
 * Fetches `address` and follows its redirects.
 *
 * @param fetchHop - fetches one address with all guards; `finalUrl` is the one to report
 * @returns the result of the last hop, or why there is none; it never throws a FetchFailure
 */
export async function followRedirects<T>(
  address: string,
  limit: number,
  fetchHop: (url: URL, finalUrl: string) => Promise<Hop<T>>,
): Promise<T | FailedFetch> {
  const visited = new Set<string>();
  let asked = address;
  let finalUrl = address;
  try {
    let url = pageUrl(address, undefined);
    for (;;) {
      finalUrl = withRouteOf(url.href, asked);
      if (visited.has(url.href)) throw new FetchFailure('redirect_loop', printable(url.href));
      if (visited.size > limit) throw new FetchFailure('too_many_redirects');
      visited.add(url.href);
      const hop = await fetchHop(url, finalUrl);
      if ('result' in hop) return hop.result;
      const next = pageUrl(hop.location, url);
      asked = withRouteOf(new URL(hop.location, url).href, finalUrl);
      url = next;
    }
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error;
    return { kind: 'failed', code: error.code, detail: error.detail, finalUrl };
  }
}

const REDIRECT_STATUS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The `Location` of a redirect, or `undefined` if the answer is none. */
export function redirectIn({ status, headers: { location } }: Answer): string | undefined {
  return REDIRECT_STATUS.has(status) && location !== undefined ? asUtf8(location) : undefined;
}

/** Header bytes are read as Latin-1, but a `Location` may contain raw UTF-8. */
function asUtf8(header: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'));
  } catch {
    return header;
  }
}

/**
 * The address to request: without credentials and fragment, which are never sent, and
 * without the trailing dot of the host, which WHATWG URLs keep.
 */
function pageUrl(text: string, base: URL | undefined): URL {
  const invalid = base === undefined ? 'url_invalid' : 'redirect_invalid';
  const url = URL.parse(text, base);
  if (url === null) throw new FetchFailure(invalid, text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new FetchFailure('scheme_blocked', `not ${url.protocol.slice(0, -1)}`);
  }
  // a host with empty labels: guard, fetch and comparison could interpret it differently
  const host = hostOf(url.href);
  if (host === null || hasEmptyLabel(host)) throw new FetchFailure(invalid, printable(url.host));
  url.username = '';
  url.password = '';
  url.hash = '';
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  return url;
}
