import { CannotVerifyError } from './cannot-verify-error.ts';

/** Maximum size of a JWKS response, in bytes. */
const MAX_BYTES = 1_000_000;
export const TIMEOUT_MS = 10_000;
const DEFAULT_MAX_AGE = 3600;
const LONGEST_MAX_AGE = 86_400;

/** The platform's `fetch`, or a function with the same signature. */
export type Fetch = typeof globalThis.fetch;

/** A JWKS as fetched; its keys have not been validated yet. */
export interface FetchedJwks {
  readonly jwks: { readonly keys: readonly unknown[] };
  /** Seconds for which the response may be cached: its `max-age` (RFC 9111), at most one day. */
  readonly maxAge: number;
  /** Seconds that it may have been in caches on the way: its `Age` (RFC 9111) rounded up, 0 if it has none. */
  readonly age: number;
}

/**
 * Fetches a JWKS over https (http only from this machine), without redirects, within 10 s; at most 1 MB, at least one
 * key.
 *
 * @param pastCaches - whether the issuer itself must answer, instead of a cache
 * @throws CannotVerifyError `keys_unavailable` if any of these fails
 */
export async function fetchJwks(url: string, fetch: Fetch, pastCaches: boolean): Promise<FetchedJwks> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      ...(pastCaches ? uncached() : {}),
      // 'error' has the same effect, but edge runtimes reject it
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (isRedirect(response)) throw new Error('It redirects, which is not followed.');
    if (!response.ok) throw new Error(`It answered ${response.status}.`);
    const jwks: unknown = parsed(await boundedText(response));
    if (!hasKeys(jwks)) throw new Error('It contains no keys.');
    const { headers } = response;
    const age = headers.has('age') ? Number(headers.get('age')) + 1 : 0;
    return { jwks, maxAge: maxAgeOf(headers.get('cache-control')), age };
  } catch (error) {
    throw new CannotVerifyError('keys_unavailable', `${url}: ${whyOf(error)}`, error);
  }
}

/** Caches are told by `cache`, since browsers would ask the issuer first whether it allows the header. */
function uncached(): RequestInit {
  // edge runtimes that do not know `cache` reject it
  return 'cache' in Request.prototype ? { cache: 'no-store' } : { headers: { 'cache-control': 'no-cache' } };
}

/** Browsers hide the status code of a redirect. */
function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error('It is not JSON.', { cause: error });
  }
}

/** Node reports only "fetch failed"; the actual reason is in `cause`. */
function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  return error instanceof TypeError && cause instanceof Error ? `${message} (${cause.message})` : message;
}

/**
 * Validates the address of a JWKS. Plain http is rejected except on this machine: keys could be replaced in transit.
 *
 * @throws CannotVerifyError `keys_address_unsafe`
 */
export function safeKeysAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\]|.*\.localhost)$/.test(url?.hostname ?? '');
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal)) return url.href;
  throw new CannotVerifyError('keys_address_unsafe', text);
}

/** The text of a response. @throws RangeError if it is larger than 1 MB */
export async function boundedText(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const part = await reader?.read();
    if (part?.value === undefined) return text + decoder.decode();
    size += part.value.length;
    if (size > MAX_BYTES) {
      await reader?.cancel();
      throw new RangeError('It is over 1 MB.');
    }
    text += decoder.decode(part.value, { stream: true });
  }
}

function hasKeys(jwks: unknown): jwks is FetchedJwks['jwks'] {
  if (typeof jwks !== 'object' || jwks === null || !('keys' in jwks)) return false;
  return Array.isArray(jwks.keys) && jwks.keys.length > 0;
}

function maxAgeOf(cacheControl: string | null): number {
  const seconds = /(?:^|[\s,])max-age=(\d{1,9})(?:$|[\s,])/i.exec(cacheControl ?? '')?.[1];
  return seconds === undefined ? DEFAULT_MAX_AGE : Math.min(Number(seconds), LONGEST_MAX_AGE);
}
