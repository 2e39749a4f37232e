import type { Observation, ObservationOutcome } from '@touchstone/page';
import type { FetchResult } from '@touchstone/page/fetch';
import { readPage } from '@touchstone/page/read';

/** What a fetched page said; a gate shows in the HTML of a refusal too. */
export function observationOf(url: string, result: FetchResult, issuer: string, now: Date): Observation {
  const { finalUrl } = result;
  return { url, finalUrl, fetchedAt: now.toISOString(), outcome: outcomeOf(result, issuer) };
}

function outcomeOf(result: FetchResult, issuer: string): ObservationOutcome {
  const options = readOptions(result.finalUrl, issuer, result.contentType);
  if (result.kind === 'page') {
    return { kind: 'page', status: result.status, reading: readPage(result.body, options) };
  }
  const { code, detail, body } = result;
  const reading = body === undefined ? null : readPage(body, options);
  if (reading === null || reading.gate === null) return { kind: 'failed', code, detail };
  return { kind: 'failed', code, detail, gate: reading.gate, platform_detected: reading.platform_detected };
}

/** A saved page, taken for what was at `url`. */
export function savedPage(url: string, html: Uint8Array, issuer: string, now: Date): Observation {
  const reading = readPage(html, readOptions(url, issuer));
  const outcome = { kind: 'page', status: 200, reading } as const;
  return { url, finalUrl: url, fetchedAt: now.toISOString(), outcome };
}

function readOptions(url: string, issuer: string, contentType?: string): Parameters<typeof readPage>[1] {
  return { url, namespaceUrl: `${issuer}/ns#`, ...(contentType === undefined ? {} : { contentType }) };
}
