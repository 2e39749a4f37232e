import type { RowResult } from '@touchstone/contract';
import { sql } from 'kysely';
import type { Registry } from '../../core/registry/context.ts';
import type { CheckedRow } from '../../core/registry/products/read-rows.ts';
import { upsertChecked } from '../../core/registry/products/upsert.ts';
import type { ImportProblem } from '../../platform/database/column-types.ts';
import { type DatabaseTransaction, inTransaction } from '../../platform/database/database.ts';
import type { Job } from '../../platform/jobs/job.ts';
import type { ImportBatch, ImportRow } from './catalogue-messages.ts';
import { cursorName, type ImportRun, type ImportTask } from './import-task.ts';

/** Kinds of failed rows that are counted separately. */
const MAX_KINDS = 50;
const MAX_REASON = 300;

/**
 * Upserts a batch, and records the result with the cursor behind it.
 *
 * @returns `null` if this node no longer holds the job
 */
export async function importBatch(
  job: Job,
  task: ImportTask,
  batch: ImportBatch,
  { registry, queue }: Pick<ImportRun, 'registry' | 'queue'>,
): Promise<BatchResult | null> {
  const result = await upsertRows(registry, task, batch.rows);
  return inTransaction(registry.db, async (trx) => {
    if (!(await queue.progressed(trx, job))) return null;
    await recordBatch(trx, task, registry, batch, result);
    return result;
  });
}

/** The result of upserting the rows of a batch. */
export interface BatchResult {
  readonly counts: { created: number; updated: number; unchanged: number; revived: number; failed: number };
  /** Why rows failed, by kind. */
  readonly problems: Map<string, ImportProblem>;
}

/** Upserts the products of a batch. Rows that are no product are counted as failed, like those that the registry rejects. */
async function upsertRows(
  registry: Registry,
  { storeId, isScheduled }: ImportTask,
  rows: readonly ImportRow[],
): Promise<BatchResult> {
  const products: CheckedRow[] = [];
  const rowNumbers: number[] = [];
  const problems = new Map<string, ImportProblem>();
  const counts = { created: 0, updated: 0, unchanged: 0, revived: 0, failed: 0 };
  const failed = (kind: string, example: ImportProblem['example']) => {
    counts.failed += 1;
    const known = problems.get(kind);
    problems.set(kind, { count: (known?.count ?? 0) + 1, example: known?.example ?? example });
  };
  for (const row of rows) {
    if ('checked' in row) {
      products.push(row.checked);
      rowNumbers.push(row.row);
    } else {
      const { code, row: rowNumber, reason, externalProductId } = row.problem;
      failed(code, exampleOf(rowNumber, reason, externalProductId));
    }
  }
  const results = await upsertChecked(registry, 'all', storeId, products, { isScheduled });
  for (const [index, result] of results.entries()) {
    if (result.status === 'error') {
      const reason = (result.errors ?? []).map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
      failed(kindOf(result), exampleOf(rowNumbers[index] ?? 0, reason, result.externalProductId));
    } else counts[result.status] += 1;
  }
  return { counts, problems };
}

/** Adds the result of a batch to its import, with the cursor from which the import resumes. */
async function recordBatch(
  trx: DatabaseTransaction,
  { id, merchantId }: ImportTask,
  { secrets }: Pick<Registry, 'secrets'>,
  batch: ImportBatch,
  { counts, problems }: BatchResult,
): Promise<void> {
  const { problems: before } = await trx
    .selectFrom('imports')
    .select('problems')
    .where('merchant_id', '=', merchantId)
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
      cursor: secrets.seal.seal(cursorName(id), Buffer.from(JSON.stringify(batch.cursor))),
      total: batch.total ?? null,
      problems: JSON.stringify(mergeProblems(before, problems)),
      failure: null,
    })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .execute();
  const seen = batch.rows.flatMap((row) => idOf(row) ?? []);
  await sql`
    insert into import_products (merchant_id, import_id, external_product_id)
    select ${merchantId}, ${id}, seen from unnest(${seen}::text[]) seen on conflict do nothing`.execute(trx);
}

function idOf(row: ImportRow): string | undefined {
  if ('problem' in row) return row.problem.externalProductId;
  return row.checked.ok ? row.checked.row.externalProductId : row.checked.externalProductId;
}

function exampleOf(row: number, reason: string, externalProductId?: string): ImportProblem['example'] {
  const named = externalProductId === undefined ? {} : { externalProductId: storableText(externalProductId) };
  return { row, reason: storableText(reason), ...named };
}

/** Text from a shop, shortened to what the database accepts. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '').slice(0, MAX_REASON).toWellFormed();
}

function kindOf({ errors = [] }: RowResult): string {
  const [first] = errors;
  if (first === undefined) return 'refused';
  return `${first.type} ${first.loc.filter((part) => typeof part === 'string').join('.')}`.trim();
}

function mergeProblems(
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
