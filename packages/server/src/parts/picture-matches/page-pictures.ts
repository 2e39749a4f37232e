import { setTimeout as delay } from 'node:timers/promises';
import { hostOf } from '@touchstone/certificate/binding';
import type { PageReport, PictureMatches } from '@touchstone/contract';
import type { GetPageCheck } from '../../core/page-checks/page-check-store.ts';
import { unlessAborted } from '../../core/page-checks/unless-aborted.ts';
import type { TrustedRows } from '../../platform/database/trusted-rows.ts';
import { findPictures } from './find-pictures.ts';
import { type ReadPicturesOptions, readPictures } from './read-pictures.ts';
import {
  beginReading,
  dropReading,
  keepReading,
  type ReadingStorage,
  type StoredReading,
  storedReading,
} from './readings.ts';
import { tellPictures } from './tell-pictures.ts';

export interface PicturesAsked {
  /** Of the report. */
  readonly id: string;
  /** Seconds. */
  readonly wait: number;
  /** Whose budgets fetches are spent from. */
  readonly caller: string;
  /** The merchant who asks, who is told of its own pictures though it does not want to be named to others. */
  readonly viewer?: string | undefined;
  readonly signal: AbortSignal;
}

export interface PagePicturesOptions extends ReadingStorage, ReadPicturesOptions {
  readonly trusted: TrustedRows;
  readonly getPageCheck: GetPageCheck;
  readonly onFault: (error: unknown) => void;
}

export interface PagePictures {
  /** @throws ServiceError `page_check_unknown`, `database_unavailable`; the reason of `signal` */
  get(asked: PicturesAsked): Promise<PictureMatches>;
  /** Aborts what is being read, and resolves when it has ended. */
  close(): Promise<void>;
}

/** Milliseconds between two looks for a reading that another node has begun. */
const INTERVAL = 500;

/**
 * Where the pictures of a checked page are certified. They are fetched once for all who ask, when the first one asks: a page check by
 * itself fetches none and spends nothing for them. What is found is never stored.
 */
export function createPagePictures(options: PagePicturesOptions): PagePictures {
  const stop = new AbortController();
  const running = new Map<string, Promise<StoredReading>>();

  const begin = (report: PageReport, caller: string): Promise<StoredReading> => {
    const reading = readPictures(report, { caller, signal: stop.signal }, options)
      .then((read) => keepReading(options, report.id, read))
      .finally(() => running.delete(report.id));
    running.set(report.id, reading);
    reading.catch(async (error: unknown) => {
      await dropReading(options, report.id).catch(() => {});
      if (!stop.signal.aborted) options.onFault(error);
    });
    return reading;
  };

  /** `null`: it is still being read when the caller's time is over. */
  const readingOf = async (report: PageReport, { wait, caller, signal }: PicturesAsked) => {
    const stored = await storedReading(options, report.id);
    if (stored !== null) return stored;
    const within = AbortSignal.any([signal, AbortSignal.timeout(wait * 1_000)]);
    const own =
      running.get(report.id) ??
      ((await beginReading(options, report.id)) ? begin(report, caller) : undefined);
    if (own !== undefined) {
      if (wait === 0) return null;
      return unlessAborted(own, within).catch((error: unknown) => {
        signal.throwIfAborted();
        if (within.aborted) return null;
        throw error;
      });
    }
    while (!within.aborted) {
      await delay(INTERVAL, undefined, { signal: within, ref: false }).catch(() => {});
      const ready = await storedReading(options, report.id);
      if (ready !== null) return ready;
    }
    signal.throwIfAborted();
    return null;
  };

  return {
    async get(asked) {
      const report = await options.getPageCheck(asked.id);
      const stored = await readingOf(report, asked);
      if (stored === null) return { id: report.id, state: 'pending', matches: [], findings: [] };
      const { readAt, reading } = stored;
      const pictures = reading.pictures.map(({ read }) => read);
      const found = await findPictures(pictures, hostsOf(report.final_url), {
        db: options.db,
        trusted: options.trusted,
        viewer: asked.viewer,
      });
      const { matches, findings } = tellPictures(
        {
          addresses: reading.pictures.map(({ url }) => url),
          leftOut: reading.leftOut,
          stated: { name: report.facts.name?.value, sku: report.facts.sku?.value },
        },
        found,
      );
      return { id: report.id, state: 'done', readAt: readAt.toISOString(), matches, findings };
    },
    async close() {
      stop.abort();
      await Promise.allSettled(running.values());
    },
  };
}

/** The host of a page with and without `www.`, which belong to the same owner. */
function hostsOf(pageUrl: string): readonly string[] {
  const host = hostOf(pageUrl);
  return host === null ? [] : [...new Set([host, `www.${host}`, host.replace(/^www\./, '')])];
}
