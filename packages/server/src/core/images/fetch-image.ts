import { setTimeout as delay } from 'node:timers/promises';
import { hostOf } from '@touchstone/certificate/binding';
import type { BytesFetcher, Validators } from '@touchstone/fetch';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { fetchFailure, ScanFailure } from './scan-error.ts';

export interface FetchImageOptions {
  readonly db: Database;
  readonly fetcher: BytesFetcher;
  /** Milliseconds between two requests to one host. */
  readonly spacing: number;
}

/** New bytes, or the fact that they have not changed. */
export type ImageFetch =
  | { readonly kind: 'same' }
  | { readonly kind: 'bytes'; readonly body: Uint8Array; readonly validators: Validators };

/**
 * Fetches an image, once enough time has passed since the previous request to its host.
 *
 * @param known - validators of an earlier fetch, for a conditional request
 * @throws ScanFailure; FetchFault for faults on our own side; the reason of `signal`
 */
export async function fetchImage(
  url: string,
  known: Validators,
  { db, fetcher, spacing }: FetchImageOptions,
  signal: AbortSignal,
): Promise<ImageFetch> {
  await waitForHost(db, hostOf(url) ?? '', spacing, signal);
  const result = await fetcher.fetch(url, { signal, known });
  if (result.kind !== 'failed') return result;
  const { code, detail, status, retryAfter } = result;
  if (code === 'not_html') throw new Error('Bytes were fetched as a page.');
  // 404 and 410 are permanent: the image does not exist
  const isGone = status === 404 || status === 410;
  throw new ScanFailure(fetchFailure(code), detail, {
    ...(isGone ? { isTransient: false } : {}),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

/** Spaces the requests to one host; the database assigns their times, for all nodes. */
async function waitForHost(db: Database, host: string, spacing: number, signal: AbortSignal): Promise<void> {
  if (spacing === 0) return;
  const { rows } = await sql<{ wait: number }>`
    select take_turn(${`image:${host}`}, make_interval(secs => ${spacing / 1000})) as wait`.execute(db);
  const wait = (rows[0]?.wait ?? 0) * 1000;
  if (wait > 0) await delay(wait, undefined, { signal });
}
