import type { Observation, ObservationOutcome, PageReading } from '@touchstone/page';
import type { FetchResult } from '@touchstone/page/fetch';
import { readPage } from '@touchstone/page/read';

/** What a fetched page said; a gate shows in the HTML of a refusal too. */
export function observationOf(
  url: string,
  result: FetchResult,
  issuers: readonly string[],
  now: Date,
): Observation {
  const { finalUrl } = result;
  return { url, finalUrl, fetchedAt: now.toISOString(), outcome: outcomeOf(result, issuers) };
}

function outcomeOf(result: FetchResult, issuers: readonly string[]): ObservationOutcome {
  const reading =
    result.body === undefined ? null : read(result.body, result.finalUrl, issuers, result.contentType);
  if (result.kind === 'page') {
    return reading === null ? UNREADABLE : { kind: 'page', status: result.status, reading };
  }
  const { code, detail } = result;
  if (reading === null || reading.gate === null) return { kind: 'failed', code, detail };
  return { kind: 'failed', code, detail, gate: reading.gate, platform_detected: reading.platform_detected };
}

/** A saved page, taken for what was at `url`. */
export function savedPage(url: string, html: Uint8Array, issuers: readonly string[], now: Date): Observation {
  const reading = read(html, url, issuers);
  const outcome = reading === null ? UNREADABLE : ({ kind: 'page', status: 200, reading } as const);
  return { url, finalUrl: url, fetchedAt: now.toISOString(), outcome };
}

const UNREADABLE: ObservationOutcome = { kind: 'failed', code: 'page_unreadable', detail: '' };

/** `null` for a page on which the reader breaks: that says nothing about its certificate. */
function read(
  html: Uint8Array,
  url: string,
  issuers: readonly string[],
  contentType?: string,
): PageReading | null {
  try {
    return readPage(html, {
      url,
      namespaceUrl: issuers.map((issuer) => `${issuer}/ns#`),
      ...(contentType === undefined ? {} : { contentType }),
    });
  } catch {
    return null;
  }
}
