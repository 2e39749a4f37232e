import { readDecoded } from './decode.ts';
import type { RequestContent } from './exchange.ts';
import { type FailedFetch, FetchFailure } from './failure.ts';
import { type FetcherOptions, type FetchOptions, fetchGuarded, settingsFrom } from './fetcher.ts';

/** An answer with any status, which the caller interprets. */
export interface ApiAnswer {
  readonly kind: 'answer';
  readonly finalUrl: string;
  readonly status: number;
  /** By lower-case name; repeated headers are joined as in Node's `IncomingMessage.headers`. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Decoded, at most the size limit. */
  readonly body: Uint8Array;
}

/** One request to an HTTP API. */
export interface ApiRequest extends FetchOptions, RequestContent {
  /** In addition to the client's own headers; `Content-Length` is added. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client for third-party HTTP APIs, with the same SSRF guard as for fetching pages. */
export interface ApiClient {
  /**
   * Sends one request; a redirect is returned as the answer, not followed.
   *
   * @throws FetchFault for a local failure; the abort reason of `signal`
   */
  request(url: string, request?: ApiRequest): Promise<ApiAnswer | FailedFetch>;
}

/**
 * Creates a client of HTTP APIs, such as webhook endpoints or the API of a shop's platform.
 *
 * @example
 * ```ts
 * import { createApiClient } from '@touchstone/fetch';
 *
 * const client = createApiClient({ userAgent: 'example/1.0' });
 * const result = await client.request('http://127.0.0.1/hook', { method: 'POST', body: new Uint8Array() });
 * result.kind === 'failed' && result.code; // 'address_blocked'
 * ```
 */
export function createApiClient(options: FetcherOptions): ApiClient {
  const settings = { ...settingsFrom(options, 'application/json, */*;q=0.5'), returnsRedirects: true };
  return {
    request(url, { headers, method, body, ...fetching } = {}) {
      const request = { ...settings, method, body, headers: { ...settings.headers, ...headers } };
      return fetchGuarded<ApiAnswer | FailedFetch>(url, request, fetching, async (answer, finalUrl) => {
        const { status, headers: received } = answer;
        try {
          const read = await readDecoded(answer, settings.bodySize);
          return { kind: 'answer', finalUrl, status, headers: received, body: read };
        } catch (error) {
          if (!(error instanceof FetchFailure)) throw error;
          return { kind: 'failed', code: error.code, detail: error.detail, finalUrl, status };
        }
      });
    },
  };
}
