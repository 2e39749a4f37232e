import { SOURCE_KINDS, SourceError, type SourceErrorCode } from '@touchstone/catalogue';
import { FetchFault } from '@touchstone/page/fetch';
import { sql } from 'kysely';
import { inTransaction } from '../platform/database/database.ts';
import type { Job } from '../platform/jobs/job.ts';
import { importBatch, storableText } from './import-batch.ts';
import { type ImportRun, type ImportTask, loadTask } from './import-task.ts';
import { pruneMissing } from './prune-missing.ts';
import { readCatalogueOf } from './read-catalogue.ts';

/** Seconds before each further attempt while the shop or the network fails; after the last one the import has failed. */
const RETRY_DELAYS = [30, 120, 600, 3_600];
const TRANSIENT: ReadonlySet<SourceErrorCode> = new Set([
  'source_unreachable',
  'source_busy',
  'source_failing',
]);

/**
 * Imports the catalogue of one store into the registry, batch by batch. The result of a batch is recorded together with the
 * cursor behind it, so an import that is interrupted at any moment resumes after the last recorded batch; a batch that was
 * upserted but not recorded is upserted again, which changes nothing.
 */
export async function runImport(job: Job, run: ImportRun, signal: AbortSignal): Promise<void> {
  const { registry, queue } = run;
  const task = await loadTask(registry, job.subject);
  if (task === null) {
    await queue.drop(job);
    return;
  }
  await registry.db
    .updateTable('imports')
    .set({ state: 'running', begun_at: sql<Date>`coalesce(begun_at, ${registry.clock()})` })
    .where('id', '=', task.id)
    .execute();
  try {
    const kind = SOURCE_KINDS.find((one) => one === task.kind);
    const reading = {
      url: task.url,
      storeUrl: task.storeUrl,
      interval: run.interval,
      ...(kind === undefined ? {} : { kind }),
      ...(task.cursor === null ? {} : { after: task.cursor }),
    };
    const batches = readCatalogueOf(reading, run.reader, signal);
    for await (const batch of batches) {
      signal.throwIfAborted();
      if (!(await importBatch(job, task, batch, run))) return;
    }
    if (!(await pruneMissing(job, task, run, signal))) return;
    await endImport(job, task, run, { state: 'done' });
  } catch (error) {
    if (signal.aborted) throw error;
    await retryOrFail(job, task, run, error);
  }
}

type End =
  | { readonly state: 'done' }
  | { readonly state: 'failed'; readonly failure: { readonly code: string; readonly detail: string } };

async function endImport(
  job: Job,
  task: ImportTask,
  { registry, queue }: ImportRun,
  end: End,
): Promise<void> {
  const now = registry.clock();
  await inTransaction(registry.db, async (trx) => {
    const failure = end.state === 'failed' ? end.failure : null;
    const isOurs =
      failure === null
        ? await queue.finish(trx, job, { result: 'done' }, 0)
        : await queue.finish(
            trx,
            job,
            { result: 'failed', failure: { ...failure, at: now.toISOString(), attempts: job.attempt } },
            0,
          );
    if (!isOurs) return;
    await trx
      .updateTable('imports')
      .set({
        state: end.state,
        finished_at: now,
        failure: failure === null ? null : JSON.stringify(failure),
      })
      .where('id', '=', task.id)
      .execute();
    await trx.deleteFrom('import_products').where('import_id', '=', task.id).execute();
  });
}

/** A transient failure is retried later; a shop that has no catalogue, or refuses, is not asked again. */
async function retryOrFail(job: Job, task: ImportTask, run: ImportRun, error: unknown): Promise<void> {
  const { registry, queue } = run;
  const failure = failureOf(error);
  if (failure.code === 'internal') run.onFault(error);
  const wait = RETRY_DELAYS[job.attempt - 1];
  const isTransient = !(error instanceof SourceError) || TRANSIENT.has(error.code);
  if (!isTransient || wait === undefined) {
    await endImport(job, task, run, { state: 'failed', failure });
    return;
  }
  const attempted = { ...failure, at: registry.clock().toISOString(), attempts: job.attempt };
  await inTransaction(registry.db, async (trx) => {
    if (!(await queue.retry(trx, job, attempted, wait))) return;
    await trx
      .updateTable('imports')
      .set({ state: 'waiting', failure: JSON.stringify(failure) })
      .where('id', '=', task.id)
      .execute();
  });
}

function failureOf(error: unknown): { readonly code: string; readonly detail: string } {
  if (error instanceof SourceError) return { code: error.code, detail: storableText(error.message) };
  if (error instanceof FetchFault)
    return { code: 'network_unavailable', detail: 'The service cannot reach the network at the moment.' };
  return { code: 'internal', detail: 'Something went wrong on our side.' };
}
