import { createHash } from 'node:crypto';
import { hasEmptyLabel, hostOf, MAX_PAGE_URL } from '@touchstone/certificate/binding';
import type { FailedObservation } from '@touchstone/page';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';

/** Characters that a report shows of text that is not an address. */
export const MAX_SHOWN = 1_000;

/** The address to fetch for a page, and the key of its observations. */
export interface PageAddress {
  readonly kind: 'address';
  readonly url: string;
  readonly host: string;
  /** SHA-256 of `url`, since addresses may be longer than an index entry. */
  readonly key: string;
}

/**
 * The address to fetch: without credentials and fragment, which are never sent, and without the trailing dot of a host. It is
 * not normalised further: only the shop knows which addresses show the same page.
 *
 * @param url - as requested
 * @returns a failed observation if it is not a web address
 */
export function pageAddress(url: string): PageAddress | FailedObservation {
  // the limit applies to the percent-encoded address, which is stored and sent
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

/** The key under which observations of an address are stored: without the master key, no address can be looked up. */
export function storedKey({ hash }: DatabaseSecrets, { key }: PageAddress): string {
  return hash('page addresses', key).toString('base64url');
}

function refused(code: 'url_invalid' | 'scheme_blocked', detail: string): FailedObservation {
  return { kind: 'failed', code, detail };
}
