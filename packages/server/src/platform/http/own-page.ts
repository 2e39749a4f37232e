import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { CSRF_HEADER, SESSION_COOKIE } from '@touchstone/contract';
import { ServiceError } from '../errors.ts';

/** The headers of a request that identify the page that made it. */
export interface BrowserRequest {
  readonly method?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** Methods that change nothing (RFC 9110 section 9.2.1). */
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

const isSafe = (method = ''): boolean => SAFE.has(method);

/**
 * Whether a page of the service made a call: by `Sec-Fetch-Site`, which no script can set, and by `Origin`. One that
 * changes something must carry at least one of them; for others the cookie itself (SameSite=Strict) is what older browsers
 * have.
 *
 * @param baseUrl - the service's own address
 */
export function isOfOwnPage({ method, headers }: BrowserRequest, baseUrl: string): boolean {
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  const sites = isSafe(method) ? ['same-origin', 'none'] : ['same-origin'];
  const isAttested = site !== undefined || origin !== undefined;
  return (
    (site === undefined || sites.includes(String(site))) &&
    (origin === undefined || isOwnOrigin(origin, headers.host, baseUrl)) &&
    (isAttested || isSafe(method))
  );
}

/** @throws ServiceError `cross_site_refused` for a call that no page of the service made */
export function requireOwnPage(request: BrowserRequest, baseUrl: string): void {
  if (isOfOwnPage(request, baseUrl)) return;
  throw new ServiceError('cross_site_refused', {
    message: `Only pages of the service may make this call: open ${baseUrl}/console.`,
  });
}

/** Without TLS, a service may be reached by several names of the same machine, such as localhost. */
function isOwnOrigin(origin: string, host: string | undefined, baseUrl: string): boolean {
  const own = new URL(baseUrl);
  return origin === own.origin || (own.protocol === 'http:' && origin === `http://${host}`);
}

/** The CSRF token of a session, known only to pages that can read our answers: no page of another origin can. */
export function csrfTokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('touchstone csrf token').digest('base64url');
}

/** Whether a call carries the token of its session; one with a safe method needs none. */
export function hasCsrfToken({ method, headers }: BrowserRequest, sessionToken: string): boolean {
  if (isSafe(method)) return true;
  const given = headers[CSRF_HEADER.toLowerCase()];
  const digest = (text: string) => createHash('sha256').update(text, 'utf8').digest();
  return typeof given === 'string' && timingSafeEqual(digest(given), digest(csrfTokenOf(sessionToken)));
}

/** Over https no other host of the domain can set a cookie of this name (RFC 6265bis section 4.1.3.2). */
const cookieName = (baseUrl: string): string =>
  baseUrl.startsWith('https:') ? `__Host-${SESSION_COOKIE}` : SESSION_COOKIE;

/** The value of the session cookie; `undefined` without one, or with several, one of which another host may have set. */
export function readSessionCookie(headers: IncomingHttpHeaders, baseUrl: string): string | undefined {
  const name = `${cookieName(baseUrl)}=`;
  const found = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(name));
  const value = found.length === 1 ? found[0]?.slice(name.length) : undefined;
  return value === undefined || value === '' || value.length > 200 ? undefined : value;
}

/**
 * `Set-Cookie` of a session, until the browser is closed.
 *
 * @param token - empty: deletes the cookie
 */
export function sessionCookie(token: string, baseUrl: string): string {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
  const ends = token === '' ? '; Max-Age=0' : '';
  return `${cookieName(baseUrl)}=${token}; Path=/${secure}; HttpOnly; SameSite=Strict${ends}`;
}
