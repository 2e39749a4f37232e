import { comparePageUrls } from '../binding/compare-page-urls.ts';
import { hostnameOf, parseWebUrl } from '../binding/hosts.ts';

/** Warnings of a page check that was redirected to another page than the requested one: its verdict is about that page. */
export const LANDING_CODES = ['redirected_to_another_host', 'redirected_to_another_page'] as const;

/**
 * Whether a page check that was redirected still reports on the requested page: by the rules that compare a signed
 * address with that of a page, in either direction, or by the same address over https instead of http.
 *
 * @param isOneStore - accept the same address with or without `www.`
 */
export function landedThere(asked: string, landed: string, isOneStore: boolean): boolean {
  if (asked === landed) return true;
  const [from, to] = [parseWebUrl(asked), parseWebUrl(landed)];
  if (from === null || to === null) return false;
  if (from.protocol === 'http:') from.protocol = to.protocol;
  if (isOneStore && withoutWww(from) === withoutWww(to)) from.hostname = to.hostname;
  return comparePageUrls(from.href, to.href).equal || comparePageUrls(to.href, from.href).equal;
}

function withoutWww(url: URL): string {
  return hostnameOf(url).replace(/^www\./, '');
}
