import type { ReadFacts } from './read/parsed-page.ts';
import { readPage } from './read/read-page.ts';
import type { Observation, ObservationOutcome, PageReading, ReadOptions } from './types.ts';

/**
 * The result of fetching a page: a `FetchResult` of `@touchstone/fetch`, or a
 * page that was saved earlier.
 */
export type Fetched<Body extends string | Uint8Array = Uint8Array> = {
  /** After redirects. */
  readonly finalUrl: string;
  readonly contentType?: string | undefined;
} & (
  | { readonly kind: 'page'; readonly status: number; readonly body: Body }
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly detail: string;
      /** HTML with an unsuccessful status, which may be a gate. */
      readonly body?: Body;
    }
);

/**
 * Reads the body of a page, possibly in another thread to which it is transferred.
 *
 * @returns `null` for a page that cannot be read; throws for failures that are not caused by the page
 */
export type ReadBody<Body> = (
  body: Body,
  options: ReadOptions,
) => PageReading | null | Promise<PageReading | null>;

/** The functions and settings for fetching and reading a page. */
export interface ObserveOptions<Body extends string | Uint8Array = Uint8Array> {
  /** Fetches the address and follows redirects; failures of the page or its host are data. */
  readonly fetch: (url: string) => Promise<Fetched<Body>>;
  /** Reads what the page states: `readFacts` of `@touchstone/facts`. Without it the report has no facts, and the same verdict. */
  readonly readFacts?: ReadFacts | undefined;
  /** Default: `readPage` with `readFacts`, in this thread. */
  readonly read?: ReadBody<Body> | undefined;
  /** As in `ReadOptions`. */
  readonly namespaceUrl?: string | readonly string[] | undefined;
  /** The time of fetching that the report states. */
  readonly fetchedAt: Date;
}

/**
 * Fetches a page and reads it: the first half of a page check, and the only one with access to the network.
 *
 * @throws what `fetch` and `read` throw
 * @example
 * ```ts
 * import { observePage } from '@touchstone/page';
 *
 * const observation = await observePage('https://shop.example/products/cup', {
 *   fetch: async (finalUrl) => ({ kind: 'page', finalUrl, status: 200, body: '<h1>Cup</h1>' }),
 *   fetchedAt: new Date(),
 * });
 * observation.outcome.kind; // 'page'
 * ```
 */
export async function observePage<Body extends string | Uint8Array>(
  url: string,
  { fetch, readFacts, read = readHere(readFacts), namespaceUrl, fetchedAt }: ObserveOptions<Body>,
): Promise<Observation> {
  const fetched = await fetch(url);
  const { finalUrl, contentType, body } = fetched;
  const options = {
    url: finalUrl,
    ...(contentType === undefined ? {} : { contentType }),
    ...(namespaceUrl === undefined ? {} : { namespaceUrl }),
  };
  const reading = body === undefined ? null : await read(body, options);
  return { url, finalUrl, fetchedAt: fetchedAt.toISOString(), outcome: outcomeOf(fetched, reading) };
}

function outcomeOf(fetched: Fetched<string | Uint8Array>, reading: PageReading | null): ObservationOutcome {
  if (fetched.kind === 'page') {
    if (reading === null) return { kind: 'failed', code: 'page_unreadable', detail: '' };
    return { kind: 'page', status: fetched.status, reading };
  }
  const { code, detail } = fetched;
  if (reading === null || reading.gate === null) return { kind: 'failed', code, detail };
  // the body of an error response may be a gate, which explains the status
  return { kind: 'failed', code, detail, gate: reading.gate, platform_detected: reading.platform_detected };
}

/** Returns `null` if the reader throws: such a page says nothing about its certificate. */
function readHere(readFacts: ReadFacts | undefined): ReadBody<string | Uint8Array> {
  return (body, options) => {
    try {
      return readPage(body, options, readFacts);
    } catch {
      return null;
    }
  };
}
