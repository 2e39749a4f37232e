import { hasEmptyLabel, hostOf, isIpLiteral, normalizeHost } from '@touchstone/certificate/binding';
import { z } from 'zod';

/** Bytes of a text inside a JSON document, escapes included. */
export function jsonBytes(text: string): number {
  return new TextEncoder().encode(JSON.stringify(text)).length - 2;
}

/** A name or label: trimmed, not empty. */
export const text = (max: number) => z.string().trim().min(1).max(max);

const parsing = { params: { type: 'url_parsing' } };

/** An absolute http or https address, kept as it was given. */
export const webUrl = (max = 2048) =>
  z
    .string()
    .trim()
    .max(max)
    .refine(isWebUrl, { message: 'Input should be an absolute http or https URL', ...parsing })
    .refine((url) => !hasCredentials(url), { message: 'The URL may not carry a user name or password' });

/** The same, of a host that can be somebody's domain: an IP literal never is. */
export const siteUrl = (max = 2048) =>
  // what is no address at all was reported as that already
  webUrl(max).refine((url) => hostOf(url) === null || isDomain(hostOf(url)), {
    message: 'The URL must name its host: an IP address is nobody’s domain',
  });

/** A bare hostname, given back in its normal form. */
export const hostname = z
  .string()
  .max(253)
  .refine((host) => isDomain(normalizeHost(host)), {
    message: 'Input should be a bare hostname, without scheme, port or path',
  });

function isDomain(host: string | null): boolean {
  return host !== null && !hasEmptyLabel(host) && host.length <= 253 && !isIpLiteral(host);
}

function isWebUrl(url: string): boolean {
  // the parser would silently drop tabs and line ends
  return hostOf(url) !== null && !/\p{Cc}/u.test(url);
}

function hasCredentials(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username !== '' || password !== '';
}
