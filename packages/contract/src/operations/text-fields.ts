import { hasEmptyLabel, hostOf, isIpLiteral, normalizeHost } from '@touchstone/certificate/binding';
import { z } from 'zod';

/** Bytes of a string inside a JSON document, including escapes. */
export function jsonBytes(text: string): number {
  return new TextEncoder().encode(JSON.stringify(text)).length - 2;
}

/** A name or label: trimmed, not empty. */
export const text = (max: number) => z.string().trim().min(1).max(max);

const parsing = { params: { type: 'url_parsing' } };

/** An absolute http or https address, stored as given. */
export const webUrl = (max = 2048) =>
  z
    .string()
    .trim()
    .max(max)
    .refine(isWebUrl, { message: 'Input should be an absolute http or https URL', ...parsing })
    .refine((url) => !hasCredentials(url), { message: 'The URL must not contain a user name or password' });

/** The same, with a host that can be a domain: not an IP literal. */
export const siteUrl = (max = 2048) =>
  // an invalid address is already reported by webUrl
  webUrl(max).refine((url) => hostOf(url) === null || isDomain(hostOf(url)), {
    message: 'The URL must have a hostname: an IP address cannot be a domain',
  });

/** A bare hostname. */
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
  // the parser would silently drop tabs and line breaks
  return hostOf(url) !== null && !/\p{Cc}/u.test(url);
}

function hasCredentials(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username !== '' || password !== '';
}
