import { readPage } from './read/read-page.ts';
import type { Observation, ObservationOutcome, PageReading, ReadOptions } from './types.ts';

/**
 * What fetching a page gave, as far as it is observed: `FetchResult` of `@touchstone/page/fetch` is one, and a
 * page that was saved earlier can stand in for it.
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
      /** The HTML that came with a status that is no success: a gate shows there. */
      readonly body?: Body;
    }
);

/**
 * Reads a page's body, which is its own from then on; perhaps in another thread.
 *
 * @returns `null` for a page that cannot be read; it throws for a failure that says nothing about the page
 */
export type ReadBody<Body> = (
  body: Body,
  options: ReadOptions,
) => PageReading | null | Promise<PageReading | null>;

/** How a page is fetched and read. */
export interface ObserveOptions<Body extends string | Uint8Array = Uint8Array> {
  /** Fetches the address, redirects followed; a failure of the page or its host is data. */
  readonly fetch: (url: string) => Promise<Fetched<Body>>;
  /** By default `readPage`, on this thread. */
  readonly read?: ReadBody<Body> | undefined;
  /** As in `ReadOptions`. */
  readonly namespaceUrl?: string | readonly string[] | undefined;
  /** When the page is fetched, as the report will say. */
  readonly fetchedAt: Date;
}

/**
 * Fetches a page and reads it: the first half of a page check, and the only one that asks the world.
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
  { fetch, read = readHere, namespaceUrl, fetchedAt }: ObserveOptions<Body>,
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
  // a status that is no success is explained by what came with it: a password gate, a bot wall
  return { kind: 'failed', code, detail, gate: reading.gate, platform_detected: reading.platform_detected };
}

/** A page on which the reader breaks says nothing about its certificate. */
function readHere(body: string | Uint8Array, options: ReadOptions): PageReading | null {
  try {
    return readPage(body, options);
  } catch {
    return null;
  }
}
