import { setTimeout as delay } from 'node:timers/promises';
import { type LiveAnswer, type LiveWeb, SourceError, type SourceErrorCode } from '@touchstone/catalogue';
import type { BytesFetcher, FetchFailureCode } from '@touchstone/page/fetch';

/** Permanent failures; all others are `source_unreachable`. */
const CODES: Readonly<Partial<Record<FetchFailureCode, SourceErrorCode>>> = {
  url_invalid: 'source_blocked',
  scheme_blocked: 'source_blocked',
  port_blocked: 'source_blocked',
  address_blocked: 'source_blocked',
  too_large: 'source_too_large',
};

/** Network access for imports: every address is checked by the SSRF guard, and every request is signed. */
export function guardedWeb(fetcher: BytesFetcher, signal: AbortSignal): LiveWeb {
  return {
    async get(url): Promise<LiveAnswer> {
      const result = await fetcher.fetch(url, { signal });
      const { finalUrl } = result;
      if (result.kind === 'bytes') return { status: 200, finalUrl, body: once(result.body) };
      if (result.kind === 'failed' && result.status !== undefined) {
        const { status, retryAfter } = result;
        const wait = retryAfter === undefined ? {} : { retryAfter };
        return { status, finalUrl, ...wait, body: once() };
      }
      if (result.kind === 'same') throw new SourceError('source_changed');
      throw new SourceError(
        CODES[result.code] ?? 'source_unreachable',
        `${result.finalUrl}: ${result.code}.`,
      );
    },
    async sleep(milliseconds) {
      await delay(milliseconds, undefined, { signal });
    },
    now: () => performance.now(),
  };
}

async function* once(bytes?: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  if (bytes !== undefined) yield bytes;
}
