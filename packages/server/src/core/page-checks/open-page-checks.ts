import type { BytesFetcher, PageFetcher } from '@touchstone/fetch';
import type { ImageWorkers } from '@touchstone/image/node';
import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { ScheduledTask } from '../../platform/jobs/scheduled-tasks.ts';
import type { Closers } from '../../platform/lifecycle/closers.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import type { Config } from '../../platform/settings/config.ts';
import type { Emit } from '../registry/events.ts';
import type { ProductFacts, ReadSigned, VerifyProduct } from '../verification/verify-product.ts';
import { type CheckPage, createCheckPage } from './check-page.ts';
import type { KnownSites } from './known-sites.ts';
import { createMatchImages } from './match-images.ts';
import { observeSettings } from './observe-settings.ts';
import { createObserver } from './observer.ts';
import { createGetPageCheck } from './page-check-store.ts';
import { purgePageChecks } from './purge-page-checks.ts';
import { createReadPool, DEFAULT_READ_POOL, PageTooHeavy, type ReadPool } from './read-pool.ts';
import { createReportCopies, type ReportCopies } from './report-copies.ts';
import { createUncertifiedPage, type UncertifiedPageOptions } from './uncertified-page.ts';

export interface PageCheckOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: DatabaseSecrets;
  readonly config: Config;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly closers: Closers;
  readonly fetcher: PageFetcher;
  readonly imageFetcher: BytesFetcher;
  readonly imageWorkers: ImageWorkers;
  readonly verifyProduct: VerifyProduct;
  readonly productFacts: ProductFacts;
  readonly readSigned: ReadSigned;
  readonly findCertificatePath: UncertifiedPageOptions['findCertificatePath'];
  /** Absent: nothing is told of hosts that resemble proven ones. */
  readonly knownSites?: KnownSites | undefined;
  readonly baseUrl: string;
  readonly namespaceUrl: string;
  readonly emit: Emit;
  readonly overrides: { readonly readersStartAfter?: number };
}

export interface PageChecks {
  readonly useCases: {
    readonly checkPage: CheckPage;
    readonly getPageCheck: ReturnType<typeof createGetPageCheck>;
  };
  /** Also for parts that find more of a checked page. */
  readonly reportCopies: ReportCopies;
  /** Reads a page in the thread pool. */
  readonly readPage: ReadPool['readPage'];
  readonly tasks: readonly ScheduledTask[];
}

/** Opens what page checks need, and creates their use cases. */
export function openPageChecks(options: PageCheckOptions): PageChecks {
  const { db, clock, secrets, config, logger, metrics, closers, baseUrl, namespaceUrl } = options;
  const { verifyProduct, productFacts, readSigned, overrides } = options;
  const settings = observeSettings(config);
  const readers = createReadPool({
    ...DEFAULT_READ_POOL,
    threads: config.readThreads,
    startAfter: overrides.readersStartAfter ?? DEFAULT_READ_POOL.startAfter,
    onThreadFault: (error) => logger.error({ err: error }, 'a thread that reads pages cannot be started'),
  });
  closers.add('page readers', () => readers.close());
  const observer = createObserver({
    db,
    clock,
    secrets,
    settings,
    fetcher: counted(options.fetcher, metrics),
    readPage: readers.readPage,
    namespaceUrl,
    onUnreadable: (error, url) => {
      // the query may identify the person who asks
      const page = url.replace(/[?#].*$/s, '').slice(0, 500);
      if (error instanceof PageTooHeavy) logger.info({ url: page }, error.message);
      else logger.error({ err: error, url: page }, 'the reader broke on a page');
    },
  });
  closers.add('page observer', () => observer.close());
  const matchImages = createMatchImages({
    db,
    clock,
    secrets,
    settings,
    fetcher: options.imageFetcher,
    workers: options.imageWorkers,
    trusted: secrets.rows,
  });
  const reportCopies = createReportCopies({
    ...options,
    onFault: (err) => logger.warn({ err }, 'a copy on the host of another could not be reported'),
  });
  const baseUrls = [baseUrl, ...config.formerBaseUrls];
  return {
    useCases: {
      checkPage: createCheckPage({
        db,
        clock,
        secrets,
        observer,
        verifyProduct,
        productFacts,
        readSigned,
        baseUrls,
        settings,
        matchImages,
        knownSites: options.knownSites,
        uncertifiedPage: createUncertifiedPage({ ...options, trusted: secrets.rows }),
        reportCopies,
      }),
      getPageCheck: createGetPageCheck({ db, secrets }),
    },
    reportCopies,
    readPage: readers.readPage,
    tasks: [{ name: 'purge page checks', every: 5 * 60_000, run: () => purgePageChecks(db, settings) }],
  };
}

function counted(fetcher: PageFetcher, metrics: Metrics): PageFetcher {
  const onFetch = metrics.labelledCounter({
    name: 'page_fetches_total',
    help: 'Page fetches over the network, by outcome.',
    label: 'outcome',
  });
  return {
    async fetch(url, options) {
      try {
        const result = await fetcher.fetch(url, options);
        onFetch(result.kind === 'page' ? 'page' : result.code);
        return result;
      } catch (error) {
        onFetch('fault');
        throw error;
      }
    },
  };
}
