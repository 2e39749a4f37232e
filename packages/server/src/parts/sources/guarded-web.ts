import { setTimeout as delay } from 'node:timers/promises';
import { SourceError, type SourceErrorCode } from '@touchstone/catalogue';
import type { BytesFetcher, FetchFailureCode } from '@touchstone/fetch';
import { ownBuffer } from '../../platform/threads/thread-pool.ts';
import type { ShopAnswer } from './catalogue-messages.ts';

/** Permanent failures; all others are `source_unreachable`. */
const CODES: Readonly<Partial<Record<FetchFailureCode, SourceErrorCode>>> = {
  url_invalid: 'source_blocked',
  scheme_blocked: 'source_blocked',
  port_blocked: 'source_blocked',
  address_blocked: 'source_blocked',
  too_large: 'source_too_large',
};

/**
 * One request of an import: every address is checked by the SSRF guard, and every request is signed.
 *
 * @throws SourceError without an answer; FetchFault
 */
export async function guardedGet(
  fetcher: BytesFetcher,
  url: string,
  signal: AbortSignal,
): Promise<ShopAnswer> {
  const result = await fetcher.fetch(url, { signal });
  const { finalUrl } = result;
  if (result.kind === 'bytes') return { status: 200, finalUrl, body: ownBuffer(result.body) };
  if (result.kind === 'failed' && result.status !== undefined) {
    const { status, retryAfter } = result;
    return { status, finalUrl, ...(retryAfter === undefined ? {} : { retryAfter }) };
  }
  if (result.kind === 'same') throw new SourceError('source_changed');
  throw new SourceError(CODES[result.code] ?? 'source_unreachable', `${result.finalUrl}: ${result.code}.`);
}

/** The shop asks for a wait so long that the import is continued later. */
export class LongWait extends Error {
  override readonly name = 'LongWait';
  readonly seconds: number;

  constructor(seconds: number) {
    super(`The shop accepts no more requests for ${seconds} s.`);
    this.seconds = seconds;
  }
}

/** Milliseconds of a wait during which an import keeps its slot. */
const MAX_WAIT = 10_000;

/**
 * A wait between two requests.
 *
 * @throws LongWait
 */
export async function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds > MAX_WAIT) throw new LongWait(Math.ceil(milliseconds / 1_000));
  await delay(milliseconds, undefined, { signal });
}
