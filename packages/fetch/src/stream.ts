import { unsuccessful } from './bytes.ts';
import { decoded } from './decode.ts';
import type { FailedFetch } from './failure.ts';
import { type FetcherOptions, type FetchOptions, fetchGuarded, settingsFrom } from './fetcher.ts';

/** The result of reading a body as a stream. */
export interface StreamRead<T> {
  readonly kind: 'read';
  /** As in `FetchedPage`. */
  readonly finalUrl: string;
  readonly value: T;
}

/** Reads bodies that are too large for memory, with the same SSRF guard as for fetching pages. */
export interface StreamFetcher {
  /**
   * Fetches one address and passes its bytes to `read` as a stream, with backpressure on the host.
   *
   * @param read - receives the decoded bytes; an incomplete body ends them with an error, which becomes the result
   * @throws any other error of `read`; FetchFault for a local failure; the abort reason of `signal`
   */
  fetch<T>(
    url: string,
    read: (bytes: AsyncIterable<Uint8Array>) => Promise<T>,
    options?: FetchOptions,
  ): Promise<StreamRead<T> | FailedFetch>;
}

/**
 * Creates a fetcher of large bodies, such as exports.
 *
 * @example
 * ```ts
 * import { createStreamFetcher } from '@touchstone/fetch';
 *
 * const fetcher = createStreamFetcher({ userAgent: 'example/1.0', limits: { bodySize: 1e9, totalTime: 600_000 } });
 * const count = async (bytes: AsyncIterable<Uint8Array>) => {
 *   let size = 0;
 *   for await (const piece of bytes) size += piece.byteLength;
 *   return size;
 * };
 * const result = await fetcher.fetch('http://127.0.0.1/export.jsonl', count);
 * result.kind === 'failed' && result.code; // 'address_blocked'
 * ```
 */
export function createStreamFetcher(options: FetcherOptions): StreamFetcher {
  const settings = settingsFrom(options, '*/*');
  return {
    fetch: (url, read, fetching) =>
      fetchGuarded(url, settings, fetching, async (answer, finalUrl) => {
        if (answer.status !== 200) return unsuccessful(answer, finalUrl);
        return { kind: 'read', finalUrl, value: await read(decoded(answer, settings.bodySize)) };
      }),
  };
}
