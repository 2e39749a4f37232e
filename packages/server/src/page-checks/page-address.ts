import { createHash } from 'node:crypto';
import { hasEmptyLabel, hostOf, MAX_PAGE_URL } from '@touchstone/certificate/binding';
import type { FailedObservation } from '@touchstone/page';

/** Characters that a report shows of what is no address. */
export const MAX_SHOWN = 1_000;

/** A page's address as it is fetched, and what it is remembered by. */
export interface PageAddress {
  readonly kind: 'address';
  readonly url: string;
  readonly host: string;
  /** SHA-256 of `url`: addresses may be longer than an index takes. */
  readonly key: string;
}

/**
 * The address that will be asked for: credentials and fragment are never sent, and a trailing dot names the same
 * host. Nothing else is made equal: only the shop knows which addresses show the same page.
 *
 * @param url - as asked for
 * @returns why there is nothing to fetch, for what is no web address at all
 */
export function pageAddress(url: string): PageAddress | FailedObservation {
  // measured percent-encoded, as it is kept and sent
  const tooLong = () => refused('url_invalid', `It is longer than ${MAX_PAGE_URL} characters.`);
  if (url.length > MAX_PAGE_URL) return tooLong();
  if (!URL.canParse(url)) return refused('url_invalid', '');
  const parsed = new URL(url);
  if (parsed.href.length > MAX_PAGE_URL) return tooLong();
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')
    return refused('scheme_blocked', parsed.protocol);
  const host = hostOf(parsed.href);
  if (host === null || hasEmptyLabel(host)) return refused('url_invalid', 'Its host is none.');
  parsed.username = '';
  parsed.password = '';
  parsed.hash = '';
  if (parsed.hostname.endsWith('.')) parsed.hostname = parsed.hostname.slice(0, -1);
  const key = createHash('sha256').update(parsed.href).digest('base64url');
  return { kind: 'address', url: parsed.href, host: parsed.hostname, key };
}

function refused(code: 'url_invalid' | 'scheme_blocked', detail: string): FailedObservation {
  return { kind: 'failed', code, detail };
}
