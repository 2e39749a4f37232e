import { type Allowance, readDecoded } from './decode.ts';
import type { Answer } from './exchange.ts';
import type { FailedFetch } from './failure.ts';
import { type FetcherOptions, type FetchOptions, fetchGuarded, settingsFrom } from './fetcher.ts';

/** Bytes of any declared type, such as those of an image; the caller determines their type. */
export interface FetchedBytes {
  readonly kind: 'bytes';
  /** As in `FetchedPage`. */
  readonly finalUrl: string;
  /** Decoded, at most the size limit. */
  readonly body: Uint8Array;
  /** For a conditional request at the next fetch. */
  readonly validators: Validators;
}

/** The host answered 304: the bytes have not changed (RFC 9110, section 15.4.5). */
export interface SameBytes {
  readonly kind: 'same';
  readonly finalUrl: string;
}

/** Validators (RFC 9110, section 8.8), as the host sent them. */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}

export type BytesResult = FetchedBytes | SameBytes | FailedFetch;

/** Fetches bytes from the public internet, with the same SSRF guard as for pages. */
export interface BytesFetcher {
  /**
   * @param options.known - validators of an earlier fetch, which make the request conditional
   * @param options.allowance - bytes shared with other fetches; when it is used up, the fetch fails with `too_large`
   * @throws FetchFault for a local failure; the abort reason of `signal`; errors of `takePermit`
   */
  fetch(
    url: string,
    options?: FetchOptions & { readonly known?: Validators; readonly allowance?: Allowance },
  ): Promise<BytesResult>;
}

/** The options of all fetchers, with the accepted media types. */
export interface BytesFetcherOptions extends FetcherOptions {
  /** Media types for the `Accept` header; default: images. */
  readonly accept?: string;
}

const IMAGES = 'image/avif,image/webp,image/*;q=0.9,*/*;q=0.5';

/** Maximum characters; longer validators are dropped, so that the next fetch is not conditional. */
const MAX_VALIDATOR = 300;

/**
 * A fetcher of bytes, such as images.
 *
 * @example
 * ```ts
 * import { createBytesFetcher } from '@touchstone/fetch';
 *
 * const fetcher = createBytesFetcher({ userAgent: 'example/1.0', limits: { bodySize: 20_000_000 } });
 * const result = await fetcher.fetch('http://127.0.0.1/cup.jpg');
 * result.kind === 'failed' && result.code; // 'address_blocked'
 * ```
 */
export function createBytesFetcher({ accept = IMAGES, ...options }: BytesFetcherOptions): BytesFetcher {
  const settings = settingsFrom(options, accept);
  return {
    fetch(url, { known = {}, allowance, ...fetching } = {}) {
      const headers = { ...settings.headers, ...conditionOf(known) };
      return fetchGuarded<BytesResult>(url, { ...settings, headers }, fetching, async (answer, finalUrl) => {
        if (answer.status === 304) return { kind: 'same', finalUrl };
        if (answer.status !== 200) return unsuccessful(answer, finalUrl);
        const { etag, 'last-modified': lastModified } = answer.headers;
        const body = await readDecoded(answer, settings.bodySize, allowance);
        const validators = {
          ...(isUsable(etag) ? { etag } : {}),
          ...(isUsable(lastModified) ? { lastModified } : {}),
        };
        return { kind: 'bytes', finalUrl, body, validators };
      });
    },
  };
}

/** RFC 9110, section 13.1: a host ignores If-Modified-Since if the request has an If-None-Match. */
function conditionOf({ etag, lastModified }: Validators): Record<string, string> {
  if (etag !== undefined) return { 'If-None-Match': etag };
  return lastModified === undefined ? {} : { 'If-Modified-Since': lastModified };
}

/** The failure for an answer whose body is not wanted. */
export function unsuccessful({ status, headers }: Answer, finalUrl: string): FailedFetch {
  const detail = `It answered ${status}.`;
  return { kind: 'failed', code: 'http_status', detail, finalUrl, status, ...retryAfterIn(headers) };
}

/** Parses `Retry-After`: seconds, or a date, which is compared with the `Date` header (RFC 9110, section 10.2.3). */
function retryAfterIn(headers: Answer['headers']): { readonly retryAfter?: number } {
  const stated = headers['retry-after']?.trim() ?? '';
  if (/^\d{1,9}$/.test(stated)) return { retryAfter: Number(stated) };
  const seconds = (Date.parse(stated) - Date.parse(headers.date ?? '')) / 1000;
  return seconds > 0 ? { retryAfter: Math.ceil(seconds) } : {};
}

/** Accepts only printable ASCII, since the value is sent back in a header. */
function isUsable(validator: string | undefined): validator is string {
  return validator !== undefined && validator.length <= MAX_VALIDATOR && /^[\x20-\x7e]+$/.test(validator);
}
