import {
  type CatalogueProduct,
  type CatalogueRow,
  type LiveBatch,
  readLive,
  SOURCE_KINDS,
  SourceError,
  type SourceErrorCode,
} from '@touchstone/catalogue';
import type { RowResult } from '@touchstone/contract';
import { FetchFault } from '@touchstone/page/fetch';
import { sql } from 'kysely';
import { type DatabaseTransaction, inTransaction } from '../platform/database/database.ts';
import type { ImportProblem } from '../platform/database/tables.ts';
import type { Job } from '../platform/jobs/job.ts';
import type { Registry } from '../registry/context.ts';
import { upsertProducts } from '../registry/products/upsert.ts';
import { guardedWeb } from './guarded-web.ts';
import { type ImportRun, type ImportTask, loadTask } from './import-task.ts';
import { pruneMissing } from './prune-missing.ts';

/** Seconds before the attempt after each, while the shop or the network fails; then the import has failed. */
const WAITS = [30, 120, 600, 3_600];
const PASSING: ReadonlySet<SourceErrorCode> = new Set([
  'source_unreachable',
  'source_busy',
  'source_failing',
]);
/** Kinds of bad rows that are told apart. */
const MAX_KINDS = 50;
const MAX_REASON = 300;
/** As long as identifiers may be in the registry. */
const MAX_ID = 200;

/**
 * Reads the catalogue of one store into the registry, batch by batch. What a batch brought about is counted together with
 * how far it reaches, so an import that is ended at any moment goes on behind the last whole batch; a batch that was written
 * but not counted is written again, which changes nothing.
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
    const batches = readLive(task.url, {
      web: guardedWeb(run.fetcher, signal),
      readPage: run.readPage,
      storeUrl: task.storeUrl,
      interval: run.interval,
      ...(kind === undefined ? {} : { kind }),
      ...(task.cursor === null ? {} : { after: task.cursor }),
    });
    for await (const batch of batches) {
      signal.throwIfAborted();
      if (!(await takeBatch(job, task, batch, run))) return;
    }
    if (!(await pruneMissing(job, task, run, signal))) return;
    await endImport(job, task, run, { state: 'done' });
  } catch (error) {
    if (signal.aborted) throw error;
    await importFailed(job, task, run, error);
  }
}

/** @returns false where the job is this node's no more */
async function takeBatch(job: Job, task: ImportTask, batch: LiveBatch, run: ImportRun): Promise<boolean> {
  const { registry, queue } = run;
  const taken = await upsertRows(registry, task.storeId, batch.rows);
  return inTransaction(registry.db, async (trx) => {
    if (!(await queue.progressed(trx, job))) return false;
    await recordBatch(trx, task, batch, taken);
    return true;
  });
}

/** What became of the rows of a batch. */
interface TakenRows {
  readonly counts: { created: number; updated: number; unchanged: number; revived: number; failed: number };
  /** Why rows are not in, by kind. */
  readonly problems: Map<string, ImportProblem>;
}

async function upsertRows(
  registry: Registry,
  storeId: string,
  rows: readonly CatalogueRow[],
): Promise<TakenRows> {
  const products: CatalogueProduct[] = [];
  const places: number[] = [];
  const problems = new Map<string, ImportProblem>();
  const counts = { created: 0, updated: 0, unchanged: 0, revived: 0, failed: 0 };
  const failed = (kind: string, example: ImportProblem['example']) => {
    counts.failed += 1;
    const known = problems.get(kind);
    problems.set(kind, { count: (known?.count ?? 0) + 1, example: known?.example ?? example });
  };
  for (const row of rows) {
    if ('product' in row) {
      products.push(row.product);
      places.push(row.row);
    } else {
      const { code, row: place, reason, externalProductId } = row.problem;
      failed(code, exampleOf(place, reason, externalProductId));
    }
  }
  const results = await upsertProducts(registry, 'all', storeId, products);
  for (const [index, result] of results.entries()) {
    if (result.status === 'error') {
      const reason = (result.errors ?? []).map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
      failed(kindOf(result), exampleOf(places[index] ?? 0, reason, products[index]?.externalProductId));
    } else counts[result.status] += 1;
  }
  return { counts, problems };
}

/** Adds a batch to what its import has come to, with where to go on. */
async function recordBatch(
  trx: DatabaseTransaction,
  { id }: ImportTask,
  batch: LiveBatch,
  { counts, problems }: TakenRows,
): Promise<void> {
  const { problems: before } = await trx
    .selectFrom('imports')
    .select('problems')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const add = (column: keyof typeof counts | 'skipped', more: number) =>
    sql<number>`${sql.ref(column)} + ${more}`;
  await trx
    .updateTable('imports')
    .set({
      created: add('created', counts.created),
      updated: add('updated', counts.updated),
      unchanged: add('unchanged', counts.unchanged),
      revived: add('revived', counts.revived),
      failed: add('failed', counts.failed),
      skipped: add('skipped', batch.skipped),
      cursor: JSON.stringify(batch.cursor),
      total: batch.total ?? null,
      problems: JSON.stringify(merged(before, problems)),
      failure: null,
    })
    .where('id', '=', id)
    .execute();
  const seen = batch.rows.flatMap((row) => {
    const externalId = 'product' in row ? row.product.externalProductId : row.problem.externalProductId;
    // no product of the registry has a longer one
    return externalId === undefined || externalId.length > MAX_ID ? [] : [externalId];
  });
  await sql`
    insert into import_products (import_id, external_product_id)
    select ${id}, seen from unnest(${seen}::text[]) seen on conflict do nothing`.execute(trx);
}

function exampleOf(row: number, reason: string, externalProductId?: string): ImportProblem['example'] {
  const named = externalProductId === undefined ? {} : { externalProductId: clean(externalProductId) };
  return { row, reason: clean(reason), ...named };
}

/** Text of a shop's, as the database takes it. */
function clean(text: string): string {
  return text.replaceAll('\0', '').slice(0, MAX_REASON).toWellFormed();
}

function kindOf({ errors = [] }: RowResult): string {
  const [first] = errors;
  if (first === undefined) return 'refused';
  return `${first.type} ${first.loc.filter((part) => typeof part === 'string').join('.')}`.trim();
}

function merged(
  before: Readonly<Record<string, ImportProblem>>,
  more: ReadonlyMap<string, ImportProblem>,
): Record<string, ImportProblem> {
  const all = { ...before };
  for (const [name, { count, example }] of more) {
    const kind = name in all || Object.keys(all).length < MAX_KINDS ? name : 'other';
    all[kind] = { count: (all[kind]?.count ?? 0) + count, example: all[kind]?.example ?? example };
  }
  return all;
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

/** What passes is tried again later; a shop that has no catalogue, or refuses, is not asked again. */
async function importFailed(job: Job, task: ImportTask, run: ImportRun, error: unknown): Promise<void> {
  const { registry, queue } = run;
  const failure = failureOf(error);
  if (failure.code === 'internal') run.onFault(error);
  const wait = WAITS[job.attempt - 1];
  const mayPass = !(error instanceof SourceError) || PASSING.has(error.code);
  if (!mayPass || wait === undefined) {
    await endImport(job, task, run, { state: 'failed', failure });
    return;
  }
  const told = { ...failure, at: registry.clock().toISOString(), attempts: job.attempt };
  await inTransaction(registry.db, async (trx) => {
    if (!(await queue.retry(trx, job, told, wait))) return;
    await trx
      .updateTable('imports')
      .set({ state: 'waiting', failure: JSON.stringify(failure) })
      .where('id', '=', task.id)
      .execute();
  });
}

function failureOf(error: unknown): { readonly code: string; readonly detail: string } {
  if (error instanceof SourceError) return { code: error.code, detail: clean(error.message) };
  if (error instanceof FetchFault)
    return { code: 'network_unavailable', detail: 'The service cannot reach the network at the moment.' };
  return { code: 'internal', detail: 'Something went wrong on our side.' };
}
