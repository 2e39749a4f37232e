import type { ReadProductPage } from '@touchstone/catalogue';
import { statedProduct } from '@touchstone/facts';
import type { BytesFetcher } from '@touchstone/fetch';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { PageTooHeavy, type ReadPool } from '../../core/page-checks/read-pool.ts';
import type { OpenPart } from '../../core/part.ts';
import type { Registry } from '../../core/registry/context.ts';
import type { DueJobs } from '../../platform/jobs/due-jobs.ts';
import { openJobQueue } from '../../platform/jobs/job-queue.ts';
import type { WorkerOptions } from '../../platform/jobs/open-worker.ts';
import type { Closers } from '../../platform/lifecycle/closers.ts';
import { createFaultWarning } from '../../platform/log/fault-log.ts';
import { purgeSources } from './end-source.ts';
import { IMPORTS, purgeImports } from './import-store.ts';
import { ImportTurns } from './import-turns.ts';
import { openCatalogueThreads } from './read-catalogue.ts';
import { sourceRoutes } from './routes.ts';
import { runImport } from './run-import.ts';
import { orderDueSources } from './store-sources.ts';

export interface SourcesOptions {
  /** Catalogues that this node imports at the same time. */
  readonly concurrent: number;
  /** Milliseconds between two requests of an import. */
  readonly interval: number;
  readonly registry: Registry;
  readonly logger: Logger;
  readonly closers: Closers;
  readonly due: Pick<DueJobs, 'wake'>;
  readonly fetcher: BytesFetcher;
  readonly readPage: ReadPool['readPage'];
  readonly isDraining: () => boolean;
}

const MINUTE = 60_000;

/** Reads catalogues into the registry, ordered by calls and by the schedules of sources, for as long as the service runs. */
export function openSources(options: SourcesOptions): OpenPart {
  const { concurrent, interval, registry, logger, closers, due, fetcher, isDraining } = options;
  const { db, clock } = registry;
  const queue = openJobQueue({ db, name: IMPORTS, perResource: 1, lostCode: 'import_interrupted' });
  const onFault = createFaultWarning({ logger, clock }, 'an import was interrupted; it is tried again');
  const threads = openCatalogueThreads(Math.max(1, concurrent), (error) =>
    logger.error({ err: error }, 'a thread that reads catalogues cannot be started'),
  );
  closers.add('catalogue readers', () => threads.destroy());
  const imports = {
    registry,
    queue,
    turns: new ImportTurns(queue, concurrent, onFault),
    reader: { threads, fetcher, readPage: pageReader(options.readPage) },
    interval,
    onFault,
  };
  const wake = () => due.wake(IMPORTS);
  const orderDue = () => orderDueSources(registry);
  const orderAndWake = async () => {
    await endLostImports(registry);
    const ordered = await orderDue();
    if (ordered > 0) wake();
    return ordered;
  };
  const worker: WorkerOptions = {
    name: 'imports',
    queue,
    concurrent,
    claimsSingly: true,
    run: (job, signal) => runImport(job, imports, signal),
    onFault,
  };
  return {
    routes: sourceRoutes(registry, { wake, orderDue, isDraining }),
    queues: concurrent === 0 ? [] : [worker],
    tasks: [
      { name: 'order imports of sources', every: MINUTE, run: orderAndWake },
      { name: 'purge imports', every: 60 * MINUTE, run: () => purgeImports(registry) },
      {
        name: 'purge sources of deleted stores',
        every: 60 * MINUTE,
        atStart: true,
        run: () => purgeSources(db),
      },
    ],
  };
}

/** Reads product pages in the threads for untrusted pages; one that exceeds their limits counts as stating no product. */
function pageReader(readPage: ReadPool['readPage']): ReadProductPage {
  return async (body, url) => {
    try {
      return statedProduct(await readPage(body, { url }, 'imports'));
    } catch (error) {
      if (error instanceof PageTooHeavy) return null;
      throw error;
    }
  };
}

/** Ends imports whose job was given up because nodes stopped too often while running it; a new import may then be ordered. */
async function endLostImports({ db, clock }: Registry): Promise<void> {
  await sql`
    update imports set state = 'failed', finished_at = ${clock()},
      failure = jsonb_build_object('code', 'import_interrupted', 'detail', 'Nodes of the service ended in the middle of it.')
    from jobs j
    where j.queue = ${IMPORTS} and j.subject = imports.id and j.owner = imports.merchant_id and j.state = 'idle' and imports.finished_at is null`.execute(
    db,
  );
}
