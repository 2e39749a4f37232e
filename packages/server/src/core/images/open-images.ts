import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { BytesFetcher } from '@touchstone/fetch';
import { type ImageWorkers, openImageWorkers } from '@touchstone/image/node';
import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { openJobQueue } from '../../platform/jobs/job-queue.ts';
import { openWorker, type WorkerContext } from '../../platform/jobs/open-worker.ts';
import type { ScheduledTask } from '../../platform/jobs/scheduled-tasks.ts';
import { makeFolder } from '../../platform/lifecycle/make-folder.ts';
import { asFolderError } from '../../platform/lifecycle/start-error.ts';
import { createFaultLog } from '../../platform/log/fault-log.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { Config } from '../../platform/settings/config.ts';
import type { Emit } from '../registry/events.ts';
import { IMAGE_SCANS } from '../registry/products/product-images.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import { openBlobs } from './blobs/open-blobs.ts';
import { createCertify } from './certify.ts';
import { faultLevel } from './failed-attempt.ts';
import { runScan } from './scan-image.ts';
import { compactImageCounts, countImages } from './scan-progress.ts';
import { openTestedSigner } from './tested-signer.ts';
import { openTrustLists } from './trust-list.ts';

export interface ImagesOptions extends WorkerContext {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly fetcher: BytesFetcher;
  readonly emit: Emit;
  readonly overrides: { readonly durable?: boolean };
}

export interface Images {
  readonly blobs: BlobStore;
  readonly workers: ImageWorkers;
  readonly tasks: readonly ScheduledTask[];
}

/** Milliseconds after which an incomplete blob counts as abandoned: writing one takes far less. */
const INCOMPLETE_AGE = 3_600_000;

/** Megabytes of one process that opens images: 100 megapixels decoded, and the C2PA engine. */
const PROCESS_MEMORY = 1_024;
/** Milliseconds for one image. */
const PROCESS_TIME = 30_000;

/** Assembles the pipeline for images, and starts it unless this node scans none. */
export async function openImages(options: ImagesOptions): Promise<Images> {
  const { config, closers, logger } = options;
  const settings = config.images;
  const blobs = await openBlobs(settings.blobs, options.overrides.durable);
  closers.add('blob store', async () => blobs.close());
  // a node that scans no images only reads blobs
  if ('folder' in settings.blobs && settings.concurrent > 0) await assertWritable(settings.blobs.folder);
  if (config.databaseUrl !== undefined && !settings.blobsNamed) {
    logger.warn(
      { blobs: settings.blobs },
      'certified images, status lists and the transparency log are kept in the data folder, where other nodes on this database do not find them: set TOUCHSTONE_BLOBS to a folder that all nodes share, or to s3://bucket/prefix',
    );
  }
  const trust = await openTrustLists({ trustFiles: settings.trustFiles, dataDir: config.dataDir });
  const workers = openImageWorkers({
    processes: settings.threads,
    memoryMb: PROCESS_MEMORY,
    timeoutMs: PROCESS_TIME,
    trust,
  });
  closers.add('image processes', () => workers.close());
  const trustList = createHash('sha256').update(JSON.stringify(trust)).digest('hex');
  const running = await startScanning(options, { blobs, workers, trustList });
  const { db, clock, metrics } = options;
  return {
    blobs,
    workers,
    tasks: [
      {
        name: 'purge half-written blobs',
        every: 30 * 60_000,
        run: () => blobs.purge(new Date(clock().getTime() - INCOMPLETE_AGE)),
      },
      countImages({ db, clock, metrics }, running),
      compactImageCounts(db),
    ],
  };
}

interface ScanParts {
  readonly blobs: BlobStore;
  readonly workers: ImageWorkers;
  readonly trustList: string;
}

/** @returns a function that counts the images this node is scanning */
async function startScanning(options: ImagesOptions, parts: ScanParts): Promise<() => number> {
  const { config, db, clock, logger, metrics, changes, fetcher, emit } = options;
  const settings = config.images;
  const { signer, renewedUntil } = await openTestedSigner(options, parts.workers);
  if (settings.concurrent === 0) return () => 0;
  const onFault = createFaultLog((error, times) => {
    logger[faultLevel(error)]({ err: error, times }, 'an image could not be scanned; the others go on');
  }, clock);
  const onSigningFault = (error: unknown, imageId: string) =>
    logger.error({ err: error, imageId }, 'an image could not be signed');
  const queue = openJobQueue({
    db,
    name: IMAGE_SCANS,
    perResource: settings.perHost,
    lostCode: 'image_job_lost',
  });
  const scan = {
    ...parts,
    db,
    queue,
    clock,
    emit,
    fetcher,
    spacing: settings.spacing,
    recheck: settings.recheck,
    retries: settings,
    renewedUntil,
    certify: createCertify({ ...parts, db, clock, signer, onSigningFault }),
    onScan: metrics.labelledCounter({
      name: 'image_scans_total',
      help: 'Scans of images by this node, by outcome.',
      label: 'outcome',
    }),
    onFound: (productId: string) => changes.publish(`p:${productId}`),
    onFault,
  };
  const worker = openWorker(options, {
    name: 'image worker',
    queue,
    concurrent: settings.concurrent,
    run: (job, signal) => runScan(job, scan, signal),
    onFault,
    wakesOnChange: true,
  });
  return worker.running;
}

/** Refuses the start: an error with the first image would be noticed too late. */
async function assertWritable(folder: string): Promise<void> {
  try {
    await makeFolder(folder, 0o700);
    await access(folder, constants.W_OK);
  } catch (error) {
    throw await asFolderError(error, { path: folder, name: 'folder of images', setting: 'TOUCHSTONE_BLOBS' });
  }
}
