import { createHash } from 'node:crypto';
import { hasEmptyLabel, hostOf } from '@touchstone/certificate/binding';
import type { FailedObservation } from '@touchstone/page';

/** Characters; longer addresses are no product pages. */
export const MAX_URL = 8_192;

/** A page address as it is fetched, and what it is remembered by. */
export interface ObservedUrl {
  readonly kind: 'url';
  readonly href: string;
  readonly host: string;
  /** SHA-256 of `href`: addresses may be longer than an index takes. */
  readonly key: string;
}

/**
 * The address that will be asked for: credentials and fragment never leave, and a trailing dot names the same
 * host (decision 8). Nothing else is folded: only the shop knows which addresses show the same page.
 *
 * @returns why there is nothing to fetch, for what is no web address at all
 */
export function observedUrl(text: string): ObservedUrl | FailedObservation {
  if (text.length > MAX_URL) return refused('url_invalid', `It is longer than ${MAX_URL} characters.`);
  if (!URL.canParse(text)) return refused('url_invalid', '');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refused('scheme_blocked', url.protocol);
  const host = hostOf(url.href);
  if (host === null || hasEmptyLabel(host)) return refused('url_invalid', 'Its host is none.');
  url.username = '';
  url.password = '';
  url.hash = '';
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  const key = createHash('sha256').update(url.href).digest('base64url');
  return { kind: 'url', href: url.href, host: url.hostname, key };
}

function refused(code: 'url_invalid' | 'scheme_blocked', detail: string): FailedObservation {
  return { kind: 'failed', code, detail };
}
