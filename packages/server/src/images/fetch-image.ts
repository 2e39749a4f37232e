import { setTimeout as delay } from 'node:timers/promises';
import { hostOf } from '@touchstone/certificate/binding';
import type { BytesFetcher, Validators } from '@touchstone/page/fetch';
import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';
import { fetchTrouble, ImageTroubleError, isPassing } from './failures.ts';

export interface FetchImageOptions {
  readonly db: Database;
  readonly fetcher: BytesFetcher;
  /** Milliseconds between two requests to one host. */
  readonly spacing: number;
}

/** Fresh bytes, or word that they have not changed. */
export type ImageFetch =
  | { readonly kind: 'same' }
  | { readonly kind: 'bytes'; readonly body: Uint8Array; readonly validators: Validators };

/** An image whose host gave no bytes; `passing`: it may well do so later. */
export class ImageUnreachable extends ImageTroubleError {
  readonly passing: boolean;

  constructor(code: ImageTroubleError['code'], detail: string, passing: boolean) {
    super(code, detail);
    this.passing = passing;
  }
}

/**
 * Fetches an image, when it is its host's turn.
 *
 * @param known - validators of an earlier fetch, for a conditional request
 * @throws ImageUnreachable; FetchFault for trouble on our own side; the reason of `signal`
 */
export async function fetchImage(
  url: string,
  known: Validators,
  { db, fetcher, spacing }: FetchImageOptions,
  signal: AbortSignal,
): Promise<ImageFetch> {
  await untilTurn(db, imageHost(url), spacing, signal);
  const result = await fetcher.fetch(url, { signal, known });
  if (result.kind !== 'failed') return result;
  const { code, detail, status } = result;
  // no FetchFault: that says that the network is away
  if (code === 'not_html') throw new Error('Bytes were fetched as a page.');
  const trouble = fetchTrouble(code);
  throw new ImageUnreachable(trouble, detail, isPassing(trouble, status));
}

/** What politeness counts by; images whose address has no host share one line. */
export function imageHost(url: string): string {
  return hostOf(url) ?? '';
}

/** Waits for the next free turn of a host; turns are booked in the database, for all nodes. */
async function untilTurn(db: Database, host: string, spacing: number, signal: AbortSignal): Promise<void> {
  if (spacing === 0) return;
  const { rows } = await sql<{ wait: number }>`
    select take_turn(${`image:${host}`}, make_interval(secs => ${spacing / 1000})) as wait`.execute(db);
  const wait = (rows[0]?.wait ?? 0) * 1000;
  if (wait > 0) await delay(wait, undefined, { signal });
}
