import type { Core } from '../../core/core.ts';
import type { OpenPart } from '../../core/part.ts';
import { openJobQueue } from '../../platform/jobs/job-queue.ts';
import { createFaultWarning } from '../../platform/log/fault-log.ts';
import type { BlobPlace } from '../../platform/settings/config.ts';
import { claimDestination, nameOf, openDestination } from './claim-destination.ts';
import type { Destination } from './destination.ts';
import { PUBLISH, startPublishing, stopPublishing } from './order-copies.ts';
import { runPublishJob } from './publish-job.ts';
import { publishRoutes } from './routes.ts';

export interface OpenPublishOptions
  extends Pick<
    Core,
    | 'db'
    | 'clock'
    | 'logger'
    | 'metrics'
    | 'closers'
    | 'changes'
    | 'certificates'
    | 'keys'
    | 'publicDocuments'
  > {
  /** Addresses of this service, the present one first. */
  readonly issuers: readonly string[];
  /** Absent: nothing is published. */
  readonly place: BlobPlace | undefined;
}

/** Merchants whose copies are written at a time, by all nodes. */
const MERCHANTS = 4;

export function openPublish(options: OpenPublishOptions): OpenPart {
  const { db, clock, logger, metrics, certificates, keys, place } = options;
  const routes = publishRoutes({ db, place: place === undefined ? undefined : nameOf(place) });
  if (place === undefined) {
    const stop = { name: 'end publishing', every: 86_400_000, atStart: true, run: () => stopPublishing(db) };
    return { routes, tasks: [stop] };
  }
  const name = nameOf(place);
  const queue = openJobQueue({ db, name: PUBLISH, perResource: MERCHANTS });
  const onCopy = metrics.labelledCounter({
    name: 'published_copies_total',
    help: 'Static copies that this node has written or removed.',
    label: 'change',
  });
  const { getCertificate, findPageProducts } = certificates;
  const sources = {
    getCertificate,
    findPageProducts,
    onCopy,
    forget: options.changes.publish,
    getKeys: keys.getJwks,
    readDocuments: options.publicDocuments.read,
  };
  const claimed = claimOnce(options, place);
  return {
    routes,
    queues: [
      {
        name: 'publishing of copies',
        queue,
        concurrent: MERCHANTS,
        claimsSingly: true,
        wakesOnChange: true,
        run: (job, signal) => runPublishJob(job, { ...sources, db, clock, queue, claimed }, signal),
        onFault: createFaultWarning(
          { logger, clock },
          'static copies cannot be written at the moment; it is tried again',
        ),
      },
    ],
    tasks: [
      {
        name: 'begin publishing',
        every: 600_000,
        atStart: true,
        run: () => startPublishing(db, name),
      },
    ],
  };
}

/** Opens the place and claims it, when it is first needed, and again until it works. */
function claimOnce(
  { issuers, closers }: Pick<OpenPublishOptions, 'issuers' | 'closers'>,
  place: BlobPlace,
): () => Promise<Destination> {
  let opened: Promise<Destination> | undefined;
  const claim = async () => {
    const destination = await openDestination(place);
    await claimDestination(destination, nameOf(place), issuers).catch((error: unknown) => {
      destination.close();
      throw error;
    });
    closers.add('place of static copies', async () => destination.close());
    return destination;
  };
  return () => {
    opened ??= claim().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
}
