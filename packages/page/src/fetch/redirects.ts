import { hasEmptyLabel, hostOf, withRouteOf } from '@touchstone/certificate/binding';
import { printable } from '../text.ts';
import { FetchFailure } from './failure.ts';
import type { FailedFetch, Redirect } from './result.ts';

/** What a hop is doing, reported when time runs out. */
export interface Progress {
  doing: string;
}

/** What a fetch may end with: anything but another redirect. */
export interface Ended {
  readonly kind: string;
  readonly finalUrl: string;
}

/** Fetches one address, with every guard, and follows nothing. */
export type Hop<T> = (url: URL, progress: Progress) => Promise<T | Redirect>;

/**
 * Fetches `address` and follows what it redirects to, each time through the same guard.
 *
 * @returns the page, or why there is none; a FetchFailure never leaves this function
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

function isRedirect(answer: Ended | Redirect): answer is Redirect {
  return answer.kind === 'redirect';
}

/**
 * The address that is asked for: no credentials (they are never sent), no fragment (it never leaves), and
 * the host without its trailing dot (WHATWG keeps it).
 */
function pageUrl(text: string, base: URL | undefined): URL {
  if (!URL.canParse(text, base)) {
    throw new FetchFailure(base === undefined ? 'url_invalid' : 'redirect_invalid', text);
  }
  const url = new URL(text, base);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new FetchFailure('scheme_blocked', `not ${url.protocol.slice(0, -1)}`);
  }
  // a host that is another one without its last dot: guard, fetch and comparison could differ about it
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
