import type { FailedObservation, ObservationOutcome, PageReading, ReadOptions } from '@touchstone/page';
import { FetchFault, type FetchOptions, type FetchResult, type PageFetcher } from '@touchstone/page/fetch';
import { ServiceError } from '../platform/errors.ts';

/**
 * Reads a page's bytes, which are its own from then on. May work elsewhere than on the calling thread.
 *
 * @throws ServiceError when it cannot read at the moment; any other error: the page cannot be read
 */
export type ReadPage = (
  body: Uint8Array,
  options: ReadOptions,
  caller: string,
) => PageReading | Promise<PageReading>;

export interface SeePageOptions {
  readonly fetcher: PageFetcher;
  readonly readPage: ReadPage;
  /** Where full IRIs of the vocabulary begin (decision 1). */
  readonly namespaceUrl?: string;
  /** The reader broke on a page; for the log. The page then counts as one that cannot be read. */
  readonly onUnreadable?: (error: unknown, url: string) => void;
}

/** What one look at a page gave. */
export interface Seen {
  readonly finalUrl: string;
  readonly outcome: ObservationOutcome;
}

/** Seconds; a resolver or a route that is lost is seldom back sooner. */
const RETRY_AFTER = 5;

/**
 * Fetches a page and reads it, for a caller.
 *
 * @throws ServiceError network_unavailable when we have no way out, or what `readPage` throws; the reason of `signal`, and
 *   what `turn` throws
 */
export async function seePage(
  { href: url, caller }: { readonly href: string; readonly caller: string },
  options: SeePageOptions,
  fetching: FetchOptions,
): Promise<Seen> {
  const result = await options.fetcher.fetch(url, fetching).catch((error: unknown) => {
    if (!(error instanceof FetchFault)) throw error;
    throw new ServiceError('network_unavailable', { cause: error, retryAfter: RETRY_AFTER });
  });
  const { finalUrl } = result;
  if (result.body === undefined) return { finalUrl, outcome: withoutBody(result) };
  const reading = await readBody(result.body, result, caller, options);
  if (result.kind === 'failed') return { finalUrl, outcome: withGate(withoutBody(result), reading) };
  if (reading === null) return { finalUrl, outcome: { kind: 'failed', code: 'page_unreadable', detail: '' } };
  return { finalUrl, outcome: { kind: 'page', status: result.status, reading } };
}

async function readBody(
  body: Uint8Array,
  { finalUrl, contentType }: FetchResult,
  caller: string,
  { readPage, namespaceUrl, onUnreadable }: SeePageOptions,
): Promise<PageReading | null> {
  try {
    const options = {
      url: finalUrl,
      ...(contentType === undefined ? {} : { contentType }),
      ...(namespaceUrl === undefined ? {} : { namespaceUrl }),
    };
    return await readPage(body, options, caller);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    onUnreadable?.(error, finalUrl);
    return null;
  }
}

function withoutBody(result: FetchResult): FailedObservation {
  if (result.kind === 'page') throw new Error('a page always has a body');
  return { kind: 'failed', code: result.code, detail: result.detail };
}

/** A status that is no success is told by what came with it: a password gate, a bot wall. */
function withGate(failed: FailedObservation, reading: PageReading | null): FailedObservation {
  if (reading === null || reading.gate === null) return failed;
  return { ...failed, gate: reading.gate, platform_detected: reading.platform_detected };
}
