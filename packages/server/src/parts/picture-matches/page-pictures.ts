import { setTimeout as delay } from 'node:timers/promises';
import { hostOf } from '@touchstone/certificate/binding';
import type { PageReport } from '@touchstone/contract';
import type { Core } from '../../core/core.ts';
import { observeSettings } from '../../core/page-checks/observe-settings.ts';
import type { GetPageCheck } from '../../core/page-checks/page-check-store.ts';
import { createReadImages } from '../../core/page-checks/page-images.ts';
import type { PagePictures, PicturesAsked } from '../../core/page-checks/page-pictures.ts';
import type { ReportCopies } from '../../core/page-checks/report-copies.ts';
import { unlessAborted } from '../../core/page-checks/unless-aborted.ts';
import type { TrustedRows } from '../../platform/database/trusted-rows.ts';
import { createFaultWarning } from '../../platform/log/fault-log.ts';
import { findPictures } from './find-pictures.ts';
import { findSharedTexts } from './product-texts.ts';
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

export interface PagePicturesOptions extends ReadingStorage, ReadPicturesOptions {
  readonly trusted: TrustedRows;
  readonly getPageCheck: GetPageCheck;
  readonly reportCopies: Pick<ReportCopies, 'likeness'>;
  readonly onFault: (error: unknown) => void;
}

export interface OpenPagePictures extends PagePictures {
  /** Aborts what is being read, and resolves when it has ended. */
  close(): Promise<void>;
}

export type PagePicturesCore = Pick<
  Core,
  'config' | 'db' | 'clock' | 'secrets' | 'logger' | 'closers' | 'fetchers' | 'imageWorkers' | 'pageChecks'
>;

export function openPagePictures(core: PagePicturesCore): PagePictures {
  const { config, db, clock, secrets, fetchers, imageWorkers, pageChecks, closers } = core;
  const settings = observeSettings(config);
  const pictures = createPagePictures({
    db,
    clock,
    secrets,
    trusted: secrets.rows,
    imageWorkers,
    readImages: createReadImages({ db, clock, secrets, settings, fetcher: fetchers.images }),
    getPageCheck: pageChecks.useCases.getPageCheck,
    reportCopies: pageChecks.reportCopies,
    onFault: createFaultWarning(core, 'pictures of a page cannot be read at the moment'),
  });
  closers.add('picture readings', () => pictures.close());
  return pictures;
}

/** Milliseconds between two looks for a reading that another node has begun. */
const INTERVAL = 500;

/**
 * Where the pictures of a checked page are certified. They are fetched once for all who ask, when the first one asks: a page check by
 * itself fetches none and spends nothing for them. What is found is never stored.
 */
export function createPagePictures(options: PagePicturesOptions): OpenPagePictures {
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
      const texts = await findSharedTexts(options.db, report.facts.description?.value, found.found);
      const { matches, findings, originals } = tellPictures(
        {
          addresses: reading.pictures.map(({ url }) => url),
          leftOut: reading.leftOut,
          stated: { name: report.facts.name?.value, sku: report.facts.sku?.value },
        },
        found,
        texts,
      );
      for (const { merchantId, match } of originals) {
        const { host: original, pictures: count, of, same } = match;
        const likeness = { kind: 'pictures', pictures: count, of, same } as const;
        const pageUrl = report.final_url;
        await options.reportCopies.likeness({ merchantId, original, pageUrl, found: likeness });
      }
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
