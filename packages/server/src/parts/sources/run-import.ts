import { SOURCE_KINDS, SourceError, type SourceErrorCode } from '@touchstone/catalogue';
import { FetchFault } from '@touchstone/fetch';
import { sql } from 'kysely';
import { inTransaction } from '../../platform/database/database.ts';
import type { Job } from '../../platform/jobs/job.ts';
import { LongWait } from './guarded-web.ts';
import { type BatchResult, importBatch, storableText } from './import-batch.ts';
import { type ImportRun, type ImportTask, loadTask } from './import-task.ts';
import { type Turn, TurnOver } from './import-turns.ts';
import { pruneMissing } from './prune-missing.ts';
import { readCatalogueOf } from './read-catalogue.ts';

/** Batches in succession of which the registry takes nothing, because there may be no more products. */
const MAX_REFUSED = 5;

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
 * upserted but not recorded is upserted again, which changes nothing. When its turn is over it is displaced, and continued later.
 */
export async function runImport(job: Job, run: ImportRun, signal: AbortSignal): Promise<void> {
  await run.turns.run((turn) => runTurn(job, run, turn, signal));
}

async function runTurn(job: Job, run: ImportRun, turn: Turn, stop: AbortSignal): Promise<void> {
  const { registry, queue } = run;
  const signal = AbortSignal.any([stop, turn.signal]);
  const task = await loadTask(registry, job);
  if (task === null) {
    await queue.drop(job);
    return;
  }
  await registry.db
    .updateTable('imports')
    .set({ state: 'running', begun_at: sql<Date>`coalesce(begun_at, ${registry.clock()})` })
    .where('merchant_id', '=', task.merchantId)
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
    let refused = 0;
    for await (const batch of batches) {
      signal.throwIfAborted();
      const result = await importBatch(job, task, batch, run);
      if (result === null) return;
      refused = isRefused(result) ? refused + 1 : 0;
      if (refused === MAX_REFUSED) throw new SourceError('source_too_many');
      if (turn.isOver()) throw new TurnOver();
    }
    if (!(await pruneMissing(job, task, run, signal))) return;
    await endImport(job, task, run, { state: 'done' });
  } catch (error) {
    if (stop.aborted) throw error;
    if (turn.signal.aborted || error instanceof TurnOver) await queue.displace(job);
    else await retryOrFail(job, task, run, error);
  }
}

/** Whether every product of the batch was one too many. */
function isRefused({ counts, problems }: BatchResult): boolean {
  const beyond = problems.get('product_limit')?.count ?? 0;
  return beyond > 0 && counts.created + counts.updated + counts.unchanged + counts.revived === 0;
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
      .where('merchant_id', '=', task.merchantId)
      .where('id', '=', task.id)
      .execute();
    await trx
      .deleteFrom('import_products')
      .where('merchant_id', '=', task.merchantId)
      .where('import_id', '=', task.id)
      .execute();
  });
}

/** A transient failure is retried later; a shop that has no catalogue, or refuses, is not asked again. */
async function retryOrFail(job: Job, task: ImportTask, run: ImportRun, error: unknown): Promise<void> {
  const { registry, queue } = run;
  const failure = failureOf(error, task);
  if (failure.code === 'internal') run.onFault(error);
  const wait = RETRY_DELAYS[job.attempt - 1];
  const asked = error instanceof LongWait ? error.seconds : 0;
  const isTransient = !(error instanceof SourceError) || TRANSIENT.has(error.code);
  if (!isTransient || wait === undefined) {
    await endImport(job, task, run, { state: 'failed', failure });
    return;
  }
  const attempted = { ...failure, at: registry.clock().toISOString(), attempts: job.attempt };
  await inTransaction(registry.db, async (trx) => {
    if (!(await queue.retry(trx, job, attempted, Math.max(wait, asked)))) return;
    await trx
      .updateTable('imports')
      .set({ state: 'waiting', failure: JSON.stringify(failure) })
      .where('merchant_id', '=', task.merchantId)
      .where('id', '=', task.id)
      .execute();
  });
}

function failureOf(error: unknown, { url }: ImportTask): { readonly code: string; readonly detail: string } {
  if (error instanceof SourceError)
    return { code: error.code, detail: storableText(withoutSecrets(error.message, url)) };
  if (error instanceof LongWait) return { code: 'source_busy', detail: error.message };
  if (error instanceof FetchFault)
    return { code: 'network_unavailable', detail: 'The service cannot reach the network at the moment.' };
  return { code: 'internal', detail: 'Something went wrong on our side.' };
}

/** A text that is stored as it is: without the path of the source, and without user names and queries of any address. */
function withoutSecrets(text: string, source: string): string {
  const bare = text.replace(/(\w:\/\/)(?:[^\s/?#@]*@)?([^\s?#"'<>]*)(?:[?#][^\s"'<>]*)?/g, '$1$2');
  const { host, pathname } = new URL(source);
  return pathname === '/' ? bare : bare.replaceAll(`//${host}${pathname}`, `//${host}/…`);
}
