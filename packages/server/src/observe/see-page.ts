import {
  type FailedObservation,
  type ObservationOutcome,
  type PageReading,
  pageNote,
  type ReadOptions,
} from '@touchstone/page';
import { FetchFault, type FetchResult, type PageFetcher } from '@touchstone/page/fetch';
import { ServiceError } from '../errors.ts';

/** Reads a page's bytes. May work elsewhere than on the calling thread. */
export type ReadPage = (body: Uint8Array, options: ReadOptions) => PageReading | Promise<PageReading>;

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

/** Characters of JSON; a certificate with 250 images takes about 150,000. */
const MAX_CERTIFICATE = 400_000;
const MAX_CERTIFICATES = 1_500_000;

/** Seconds; a resolver or a route that is lost is seldom back sooner. */
const RETRY_AFTER = 5;

/**
 * Fetches a page and reads it.
 *
 * @throws ServiceError network_unavailable when we have no way out; the reason of `signal`
 */
export async function seePage(url: string, options: SeePageOptions, signal: AbortSignal): Promise<Seen> {
  const result = await options.fetcher.fetch(url, { signal }).catch((error: unknown) => {
    if (!(error instanceof FetchFault)) throw error;
    throw new ServiceError('network_unavailable', { cause: error, retryAfter: RETRY_AFTER });
  });
  const { finalUrl } = result;
  if (result.body === undefined) return { finalUrl, outcome: withoutBody(result) };
  const reading = await readBody(result.body, result, options);
  if (result.kind === 'failed') return { finalUrl, outcome: withGate(withoutBody(result), reading) };
  if (reading === null) return { finalUrl, outcome: { kind: 'failed', code: 'page_unreadable', detail: '' } };
  return { finalUrl, outcome: { kind: 'page', status: result.status, reading: keepable(reading) } };
}

async function readBody(
  body: Uint8Array,
  { finalUrl, contentType }: FetchResult,
  { readPage, namespaceUrl, onUnreadable }: SeePageOptions,
): Promise<PageReading | null> {
  try {
    return await readPage(body, {
      url: finalUrl,
      ...(contentType === undefined ? {} : { contentType }),
      ...(namespaceUrl === undefined ? {} : { namespaceUrl }),
    });
  } catch (error) {
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

/** The reading without certificate nodes too large to be ours, so that no page fills the database. */
function keepable(reading: PageReading): PageReading {
  let room = MAX_CERTIFICATES;
  const certificates = reading.certificates.filter((node) => {
    const size = sizeOf(node);
    if (size > MAX_CERTIFICATE || size > room) return false;
    room -= size;
    return true;
  });
  if (certificates.length === reading.certificates.length) return reading;
  return { ...reading, certificates, findings: [pageNote('certificate_too_large'), ...reading.findings] };
}

function sizeOf(node: Readonly<Record<string, unknown>>): number {
  try {
    return JSON.stringify(node).length;
  } catch {
    // nested deeper than can be written down
    return Number.POSITIVE_INFINITY;
  }
}
