import type { ReadProductPage } from '@touchstone/catalogue';
import type { BytesFetcher } from '@touchstone/fetch';
import { statedProduct } from '@touchstone/page/read';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { PageTooHeavy, type ReadPool } from '../../core/page-checks/read-pool.ts';
import type { Registry } from '../../core/registry/context.ts';
import { openJobQueue } from '../../platform/jobs/job-queue.ts';
import { openWorker, type WorkerContext } from '../../platform/jobs/open-worker.ts';
import type { ScheduledTask } from '../../platform/jobs/scheduled-tasks.ts';
import { createFaultWarning } from '../../platform/log/fault-log.ts';
import type { Config } from '../../platform/settings/config.ts';
import { IMPORTS, purgeImports } from './import-store.ts';
import { ImportTurns } from './import-turns.ts';
import { openCatalogueThreads } from './read-catalogue.ts';
import { runImport } from './run-import.ts';
import { orderDueSources } from './store-sources.ts';

export interface SourcesOptions extends WorkerContext {
  readonly config: Pick<Config, 'imports'>;
  readonly registry: Registry;
  readonly logger: Logger;
  readonly fetcher: BytesFetcher;
  readonly readPage: ReadPool['readPage'];
}

export interface Sources {
  readonly wake: () => void;
  readonly orderDue: () => Promise<number>;
  readonly tasks: readonly ScheduledTask[];
}

const MINUTE = 60_000;

/** Reads catalogues into the registry, ordered by calls and by the schedules of sources, for as long as the service runs. */
export function openSources(options: SourcesOptions): Sources {
  const { config, registry, logger, fetcher } = options;
  const { db, clock } = registry;
  const queue = openJobQueue({ db, name: IMPORTS, perResource: 1, lostCode: 'import_interrupted' });
  const onFault = createFaultWarning({ logger, clock }, 'an import was interrupted; it is tried again');
  const threads = openCatalogueThreads(Math.max(1, config.imports.concurrent), (error) =>
    logger.error({ err: error }, 'a thread that reads catalogues cannot be started'),
  );
  options.closers.add('catalogue readers', () => threads.destroy());
  const run = {
    registry,
    queue,
    turns: new ImportTurns(queue, config.imports.concurrent, onFault),
    reader: { threads, fetcher, readPage: pageReader(options.readPage) },
    interval: config.imports.interval,
    onFault,
  };
  const worker =
    config.imports.concurrent === 0
      ? undefined
      : openWorker(options, {
          name: 'imports',
          queue,
          concurrent: config.imports.concurrent,
          claimsSingly: true,
          run: (job, signal) => runImport(job, run, signal),
          onFault,
        });
  const orderDue = () => orderDueSources(registry);
  const orderAndWake = async () => {
    await endLostImports(registry);
    const ordered = await orderDue();
    if (ordered > 0) worker?.wake();
    return ordered;
  };
  return {
    wake: () => worker?.wake(),
    orderDue,
    tasks: [
      { name: 'order imports of sources', every: MINUTE, run: orderAndWake },
      { name: 'purge imports', every: 60 * MINUTE, run: () => purgeImports(registry) },
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
