import { hostOf } from '@touchstone/certificate/binding';
import type { BytesFetcher } from '@touchstone/fetch';
import { ImageFault } from '@touchstone/image/node';
import { ServiceError } from '../../platform/errors.ts';
import { type BudgetStorage, spendFetch } from '../../platform/limits/fetch-budgets.ts';
import { createFetchPermits } from './fetch-permits.ts';
import type { ObserveSettings } from './observe-settings.ts';
import { unlessAborted } from './unless-aborted.ts';

/** The images of a page, and who asks about them. */
export interface PageImages {
  /** Absolute addresses as stated by the page; untrusted. */
  readonly live: readonly string[];
  /** Whose budget the fetches are spent from. */
  readonly caller: string;
  readonly signal: AbortSignal;
}

export interface ImagesRead<T> {
  /** In the order of the page, each address once; without a result if the image could not be examined within the limits. */
  readonly images: readonly { readonly url: string; readonly result?: T }[];
  /** The page has more images. */
  readonly capped: boolean;
}

/**
 * Fetches the images of a page, up to 12 and 40 MB in all, and examines the bytes of each. It does not throw for errors with an image.
 *
 * @throws the abort reason of the request's `signal`
 */
export type ReadImages = <T>(
  page: PageImages,
  examine: (bytes: Uint8Array) => Promise<T>,
) => Promise<ImagesRead<T>>;

export interface ReadImagesOptions extends BudgetStorage {
  readonly fetcher: BytesFetcher;
  readonly settings: ObserveSettings;
}

/** Images of a page that are examined. */
const MAX_LIVE = 12;
/** Bytes of all of them, including failed fetches. */
const MAX_BYTES = 40_000_000;
/** Milliseconds for all of them. */
const MAX_TIME = 15_000;
const CONCURRENCY = 3;

export function createReadImages(options: ReadImagesOptions): ReadImages {
  // an image may be four times as large as a page, and stays in memory until it has been examined
  const permits = createFetchPermits(options.settings.concurrentFetches / 2);
  return async <T>(
    { live, caller, signal }: PageImages,
    examine: (bytes: Uint8Array) => Promise<T>,
  ): Promise<ImagesRead<T>> => {
    const allowance = { left: MAX_BYTES };
    const within = AbortSignal.any([signal, AbortSignal.timeout(MAX_TIME)]);
    const read = async (url: string): Promise<T | undefined> => {
      if (allowance.left <= 0) return undefined;
      const work = permits.run(caller, async (takePermit) => {
        await spendFetch(options, { caller, host: hostOf(url) ?? '' }, options.settings);
        const fetched = await options.fetcher.fetch(url, { allowance, signal: within, takePermit });
        return fetched.kind === 'bytes' ? examine(fetched.body) : undefined;
      });
      // examination may queue behind scans
      return unlessAborted(work, within).catch((error: unknown) => {
        // spent budgets, no permit, images that cannot be opened, and the time limit
        const isExpected = error instanceof ServiceError || error instanceof ImageFault || within.aborted;
        if (!isExpected) throw error;
        return undefined;
      });
    };
    const urls = [...new Set(live)];
    const waiting = urls.slice(0, MAX_LIVE).entries();
    const images: { readonly url: string; readonly result?: T }[] = [];
    const work = async () => {
      for (const [index, url] of waiting) {
        const result = await read(url);
        images[index] = { url, ...(result !== undefined && { result }) };
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    signal.throwIfAborted();
    return { images, capped: urls.length > MAX_LIVE };
  };
}
