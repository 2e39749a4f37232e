import { hasEmptyLabel, hostOf, withRouteOf } from '@touchstone/certificate/binding';
import { printable } from '@touchstone/certificate/text';
import { FetchFailure } from './failure.ts';
import type { FailedFetch, Redirect } from './result.ts';

/** The current phase of a hop, reported if the time runs out. */
export interface Progress {
  doing: string;
}

/** The result of a fetch: anything except another redirect. */
export interface Ended {
  readonly kind: string;
  readonly finalUrl: string;
}

/** Fetches one address with all guards, without following redirects. */
export type Hop<T> = (url: URL, progress: Progress) => Promise<T | Redirect>;

/**
 * Fetches `address` and follows its redirects, each with the same guards.
 *
 * @returns the page, or why there is none; it never throws a FetchFailure
 */
export async function followRedirects<T extends Ended>(
  address: string,
  limit: number,
  hop: Hop<T>,
): Promise<T | FailedFetch> {
  const visited = new Set<string>();
  const progress: Progress = { doing: 'starting' };
  let asked = address;
  let finalUrl = address;
  try {
    let url = pageUrl(address, undefined);
    for (;;) {
      finalUrl = withRouteOf(url.href, asked);
      if (visited.has(url.href)) throw new FetchFailure('redirect_loop', printable(url.href));
      if (visited.size > limit) throw new FetchFailure('too_many_redirects');
      visited.add(url.href);
      const answer = await hop(url, progress);
      if (!isRedirect(answer)) return { ...answer, finalUrl };
      const next = pageUrl(answer.location, url);
      asked = withRouteOf(new URL(answer.location, url).href, finalUrl);
      url = next;
    }
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error;
    return { kind: 'failed', code: error.code, detail: error.detail, finalUrl };
  }
}

export function isRedirect(answer: Ended | Redirect): answer is Redirect {
  return answer.kind === 'redirect';
}

/**
 * The address to request: without credentials and fragment, which are never sent, and
 * without the trailing dot of the host, which WHATWG URLs keep.
 */
function pageUrl(text: string, base: URL | undefined): URL {
  if (!URL.canParse(text, base)) {
    throw new FetchFailure(base === undefined ? 'url_invalid' : 'redirect_invalid', text);
  }
  const url = new URL(text, base);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new FetchFailure('scheme_blocked', `not ${url.protocol.slice(0, -1)}`);
  }
  // a host with empty labels: guard, fetch and comparison could interpret it differently
  const host = hostOf(url.href);
  if (host === null || hasEmptyLabel(host)) {
    throw new FetchFailure(base === undefined ? 'url_invalid' : 'redirect_invalid', printable(url.host));
  }
  url.username = '';
  url.password = '';
  url.hash = '';
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  return url;
}
