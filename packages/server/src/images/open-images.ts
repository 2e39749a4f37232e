import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { type ImageWorkers, openImageWorkers } from '@touchstone/image/node';
import type { BytesFetcher } from '@touchstone/page/fetch';
import type { Logger } from 'pino';
import type { Change } from '../platform/cache/changes.ts';
import type { Clock } from '../platform/clock.ts';
import type { Storage } from '../platform/database/open-storage.ts';
import { openJobQueue } from '../platform/jobs/job-queue.ts';
import type { Closers } from '../platform/lifecycle/closers.ts';
import { makeFolder } from '../platform/lifecycle/make-folder.ts';
import { asFolderError } from '../platform/lifecycle/start-error.ts';
import { createFaultLog } from '../platform/log/fault-log.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { Config } from '../platform/settings/config.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import { openBlobs } from './blobs/open-blobs.ts';
import { createCertify } from './certify.ts';
import { MAX_RETRY_DELAY } from './failed-attempt.ts';
import { faultLevel } from './fault-level.ts';
import { createImageSigner } from './image-signer.ts';
import { startImageWorker } from './image-worker.ts';
import { openSigner } from './open-signer.ts';
import { freeInterruptedLooks } from './scan-table.ts';
import { openTrustList } from './trust-list.ts';

export interface ImagesOptions {
  readonly config: Config;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly closers: Closers;
  readonly fetcher: BytesFetcher;
  readonly publish: (change: Change) => void;
}

export interface Images {
  readonly blobs: BlobStore;
  readonly workers: ImageWorkers;
  /** Something may have been ordered. */
  readonly wake: () => void;
  /** Images that this node looks at now. */
  readonly underWay: () => number;
}

/** Megabytes of one process that opens images: 100 megapixels decoded, and the engine beside them. */
const PROCESS_MEMORY = 1_024;
/** Milliseconds that one image may take. */
const PROCESS_TIME = 30_000;
const QUEUE = 'images';

/** Puts the pipeline together, and starts it unless this node only answers. */
export async function openImages(options: ImagesOptions): Promise<Images> {
  const { config, storage, clock, logger, metrics, closers, fetcher, publish } = options;
  const settings = config.images;
  const blobs = openBlobs(settings.blobs);
  closers.add('blob store', async () => blobs.close());
  // a node that only answers may have them read-only
  if ('folder' in settings.blobs && settings.concurrent > 0) await readyToWrite(settings.blobs.folder);
  if (storage.embedded === undefined && !settings.blobsNamed) {
    logger.warn(
      { blobs: settings.blobs },
      'certified images are kept in the data folder, where other nodes on this database do not find them: set TOUCHSTONE_BLOBS to a folder that all nodes share, or to s3://bucket/prefix',
    );
  }
  const trust = await openTrustList(settings.trustFile);
  const { signer, isDevelopment, validUntil } = await openSigner(settings.signer, config.dataDir, clock());
  if (isDevelopment) logger.info('images are signed by a development chain, which nobody trusts');
  const workers = openImageWorkers({
    processes: settings.threads,
    memoryMb: PROCESS_MEMORY,
    timeoutMs: PROCESS_TIME,
    trust,
  });
  closers.add('image processes', () => workers.close());
  if (settings.concurrent === 0) return { blobs, workers, wake: () => {}, underWay: () => 0 };
  const onFault = createFaultLog((error, times) => {
    logger[faultLevel(error)]({ err: error, times }, 'the image pipeline met a fault, and goes on');
  }, clock);
  const queue = await openJobQueue(
    storage.connection,
    {
      name: QUEUE,
      retries: settings.attempts - 1,
      retryDelay: settings.retryDelay,
      maxRetryDelay: MAX_RETRY_DELAY,
    },
    onFault,
  );
  closers.add('job queue', () => queue.close());
  if (storage.embedded !== undefined) await freeInterruptedLooks(storage.db, queue);
  const { db } = storage;
  const worker = startImageWorker({
    db,
    queue,
    clock,
    workers,
    fetcher,
    settings,
    spacing: settings.spacing,
    recheck: settings.recheck,
    renewedUntil: validUntil,
    trustList: createHash('sha256').update(trust.anchorsPem).digest('hex'),
    certify: createCertify({
      db,
      workers,
      blobs,
      clock,
      signer: createImageSigner(signer, validUntil),
      onSigningFault: (error, imageId) =>
        logger.error({ err: error, imageId }, 'an image could not be signed'),
    }),
    onLook: metrics.onImageLook,
    onFound: (productId) => publish(`p:${productId}`),
    onFault,
  });
  closers.add('image worker', () => worker.close());
  return { blobs, workers, wake: worker.wake, underWay: worker.underWay };
}

/** Told at start: at the first image there would be nobody to tell. */
async function readyToWrite(folder: string): Promise<void> {
  try {
    await makeFolder(folder, 0o700);
    await access(folder, constants.W_OK);
  } catch (error) {
    throw await asFolderError(error, { path: folder, name: 'folder of images', setting: 'TOUCHSTONE_BLOBS' });
  }
}
