import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { type ImageWorkers, openImageWorkers } from '@touchstone/image/node';
import type { BytesFetcher } from '@touchstone/page/fetch';
import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { openJobQueue } from '../platform/jobs/job-queue.ts';
import { openWorker, type WorkerContext } from '../platform/jobs/open-worker.ts';
import type { ScheduledTask } from '../platform/jobs/scheduled-tasks.ts';
import { makeFolder } from '../platform/lifecycle/make-folder.ts';
import { asFolderError } from '../platform/lifecycle/start-error.ts';
import { createFaultLog } from '../platform/log/fault-log.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { Config } from '../platform/settings/config.ts';
import { IMAGE_SCANS } from '../registry/products/product-images.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import { openBlobs } from './blobs/open-blobs.ts';
import { createCertify } from './certify.ts';
import { faultLevel } from './failed-attempt.ts';
import { runScan } from './scan-image.ts';
import { compactImageCounts, countImages } from './scan-progress.ts';
import { type ImageSigner, NO_END, openSigner, tryToSign } from './signer.ts';
import { openTimeStamps } from './time-stamps.ts';
import { openTrustLists } from './trust-list.ts';

export interface ImagesOptions extends WorkerContext {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly fetcher: BytesFetcher;
}

export interface Images {
  readonly blobs: BlobStore;
  readonly workers: ImageWorkers;
  readonly tasks: readonly ScheduledTask[];
}

/** Milliseconds after which nobody is writing a blob any more, on any node: far more than an image may take. */
const HALF_WRITTEN = 3_600_000;

/** Megabytes of one process that opens images: 100 megapixels decoded, and the engine beside them. */
const PROCESS_MEMORY = 1_024;
/** Milliseconds that one image may take. */
const PROCESS_TIME = 30_000;

/** Puts the pipeline together, and starts it unless this node only answers. */
export async function openImages(options: ImagesOptions): Promise<Images> {
  const { config, closers, logger } = options;
  const settings = config.images;
  const blobs = await openBlobs(settings.blobs);
  closers.add('blob store', async () => blobs.close());
  // a node that only answers may have them read-only
  if ('folder' in settings.blobs && settings.concurrent > 0) await readyToWrite(settings.blobs.folder);
  if (config.databaseUrl !== undefined && !settings.blobsNamed) {
    logger.warn(
      { blobs: settings.blobs },
      'certified images are kept in the data folder, where other nodes on this database do not find them: set TOUCHSTONE_BLOBS to a folder that all nodes share, or to s3://bucket/prefix',
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
        run: () => blobs.purge(new Date(clock().getTime() - HALF_WRITTEN)),
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

/** @returns how many images this node scans at the moment that it is asked */
async function startScanning(options: ImagesOptions, parts: ScanParts): Promise<() => number> {
  const { config, db, clock, logger, metrics, changes, fetcher } = options;
  const settings = config.images;
  const { signer, renewedUntil } = await openTriedSigner(options, parts.workers);
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
    fetcher,
    spacing: settings.spacing,
    recheck: settings.recheck,
    retries: settings,
    renewedUntil,
    certify: createCertify({ ...parts, db, clock, signer, onSigningFault }),
    onScan: metrics.labelledCounter({
      name: 'image_looks_total',
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

interface TriedSigner {
  readonly signer: ImageSigner;
  /** When a signature made now would end. */
  readonly renewedUntil: Date;
}

/** @throws SignerFileError for a chain that does not sign, unless this node signs nothing */
async function openTriedSigner(
  { config, clock, logger }: ImagesOptions,
  workers: ImageWorkers,
): Promise<TriedSigner> {
  const { signer: files, timeStampUrl, concurrent } = config.images;
  const opened = await openSigner(files, config.dataDir, clock());
  if (opened.isDevelopment) logger.info('images are signed by a development chain, which nobody trusts');
  const { validUntil, credentials } = opened;
  // a chain of our own making fits the profile
  if (concurrent === 0 || (opened.isDevelopment && timeStampUrl === undefined))
    return { signer: opened, renewedUntil: validUntil };
  const onFault = (error: Error) => logger.warn(error.message);
  const timeStamp =
    timeStampUrl === undefined ? undefined : openTimeStamps({ url: timeStampUrl, clock, onFault });
  const signer = { ...opened, credentials: { ...credentials, timeStamp } };
  const { manifest } = await tryToSign(signer, files, workers);
  if (timeStamp === undefined) return { signer, renewedUntil: validUntil };
  if (manifest.signer?.timeTrusted === true) return { signer, renewedUntil: NO_END };
  logger.warn(
    'The test signature has no time stamp by an authority that is trusted here (TOUCHSTONE_C2PA_TSA_URL, TOUCHSTONE_C2PA_TSA_TRUST_FILE): until there is one, signatures of images end with their certificate.',
  );
  return { signer, renewedUntil: validUntil };
}

/** Refused at start: at the first image nobody would see it. */
async function readyToWrite(folder: string): Promise<void> {
  try {
    await makeFolder(folder, 0o700);
    await access(folder, constants.W_OK);
  } catch (error) {
    throw await asFolderError(error, { path: folder, name: 'folder of images', setting: 'TOUCHSTONE_BLOBS' });
  }
}
