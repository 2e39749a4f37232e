import { randomUUID } from 'node:crypto';
import type { ImportCreate, ImportList, ImportView, PageQuery } from '@touchstone/contract';
import { type Kysely, type Selectable, sql } from 'kysely';
import { pageOf, type Registry } from '../../core/registry/context.ts';
import { findStore } from '../../core/registry/find-store.ts';
import { type DatabaseTransaction, inTransaction } from '../../platform/database/database.ts';
import { openText, sealText } from '../../platform/database/sealed-texts.ts';
import type { ImportsTable, Tables } from '../../platform/database/tables.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/access.ts';
import { orderJob } from '../../platform/jobs/order-jobs.ts';

/** The queue of imports: the subject of a job is the import, its owner the merchant. */
export const IMPORTS = 'imports';

/** Days after which a finished import is deleted. */
const RETENTION_DAYS = 90;

/** Queues an import; a store has one at a time. */
export async function createImport(
  registry: Registry,
  scope: Scope,
  storeId: string,
  input: ImportCreate,
): Promise<ImportView> {
  const store = await findStore(registry.db, scope, storeId);
  return inTransaction(registry.db, async (trx) => {
    const id = await orderImport(
      trx,
      registry,
      { ...input, storeId: store.id, merchantId: store.merchantId },
      registry.clock(),
    );
    if (id !== null) return getImport({ ...registry, db: trx }, { merchantId: store.merchantId }, id);
    throw new ServiceError('conflict', {
      message: 'The catalogue of this store is being imported: wait until that import has finished.',
    });
  });
}

/** @returns `null` where another import of the store has not ended yet */
export async function orderImport(
  trx: DatabaseTransaction,
  { secrets }: Pick<Registry, 'secrets'>,
  order: ImportCreate & {
    readonly storeId: string;
    readonly merchantId: string;
    readonly scheduled?: boolean;
  },
  now: Date,
): Promise<string | null> {
  const { storeId, merchantId, url, kind, prune, scheduled = false } = order;
  const id = randomUUID();
  const sealed = sealText(secrets.seal, 'imports', { id, merchantId }, url);
  const made = await trx
    .insertInto('imports')
    .values({
      merchant_id: merchantId,
      id,
      store_id: storeId,
      url: sealed,
      kind,
      prune,
      scheduled,
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (made === undefined) return null;
  // the merchant is the resource, too: one import of it runs at a time
  await orderJob(trx, IMPORTS, { subject: made.id, owner: merchantId, resource: merchantId });
  return made.id;
}

const merchantOfImport = (id: string) =>
  sql<string>`(select owner from jobs where queue = ${IMPORTS} and subject = ${id})`;

export async function getImport(
  registry: Pick<Registry, 'secrets' | 'clock'> & { readonly db: Kysely<Tables> },
  scope: Scope,
  id: string,
): Promise<ImportView> {
  const row = await registry.db
    .selectFrom('imports')
    .innerJoin('stores', (join) =>
      join
        .onRef('stores.merchant_id', '=', 'imports.merchant_id')
        .onRef('stores.id', '=', 'imports.store_id'),
    )
    .selectAll('imports')
    .where('imports.merchant_id', '=', scope === 'all' ? merchantOfImport(id) : scope.merchantId)
    .where('imports.id', '=', id)
    .where('stores.deleted_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) throw new ServiceError('import_unknown');
  return importView(row, registry);
}

/** Imports of a store, the newest first. */
export async function listImports(
  registry: Registry,
  scope: Scope,
  storeId: string,
  { limit, cursor }: PageQuery,
): Promise<ImportList> {
  const store = await findStore(registry.db, scope, storeId);
  const rows = await registry.db
    .selectFrom('imports')
    .selectAll()
    .where('merchant_id', '=', store.merchantId)
    .where('store_id', '=', store.id)
    .$if(cursor !== undefined, (query) =>
      query.where(sql<boolean>`(created_at, id) < (
        select created_at, id from imports where merchant_id = ${store.merchantId} and id = ${cursor})`),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const { page, next } = pageOf(rows, limit, ({ id }) => id);
  return { imports: page.map((row) => importView(row, registry)), ...next };
}

/** The latest import into a store, scheduled or ordered by a call. */
export async function lastImport(
  registry: Registry,
  store: { readonly id: string; readonly merchantId: string },
): Promise<ImportView | undefined> {
  const row = await registry.db
    .selectFrom('imports')
    .selectAll()
    .where('merchant_id', '=', store.merchantId)
    .where('store_id', '=', store.id)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : importView(row, registry);
}

export type ImportRow = Selectable<ImportsTable>;

/** Deletes imports that ended long ago, with their jobs. */
export async function purgeImports({ db, clock }: Pick<Registry, 'db' | 'clock'>): Promise<number> {
  const until = new Date(clock().getTime() - RETENTION_DAYS * 86_400_000);
  const { rows } = await sql<{ id: string }>`
    delete from imports where (merchant_id, id) in (
      select merchant_id, id from imports where finished_at < ${until} limit 1000
    ) returning id`.execute(db);
  const ids = rows.map(({ id }) => id);
  await sql`delete from jobs where queue = ${IMPORTS} and subject = any(${ids}::uuid[])`.execute(db);
  return rows.length;
}

function importView(row: ImportRow, { secrets, clock }: Pick<Registry, 'secrets' | 'clock'>): ImportView {
  const now = clock();
  const { created, updated, unchanged, revived, failed } = row;
  const done = created + updated + unchanged + revived + failed;
  const seconds = ((row.finished_at ?? now).getTime() - (row.begun_at ?? now).getTime()) / 1000;
  return {
    id: row.id,
    storeId: row.store_id,
    url: openText(secrets.seal, 'imports', { id: row.id, merchantId: row.merchant_id }, row.url),
    kind: row.kind,
    prune: row.prune,
    scheduled: row.scheduled,
    state: row.state,
    done,
    ...(row.total === null ? {} : { total: row.total }),
    created,
    updated,
    unchanged,
    revived,
    failed,
    skippedPages: row.skipped,
    perSecond: seconds > 0 ? Math.round((done / seconds) * 10) / 10 : 0,
    problems: Object.entries(row.problems).map(([kind, problem]) => ({ kind, ...problem })),
    ...(row.missing === null ? {} : { notInSource: row.missing }),
    ...(row.deleted === null ? {} : { deleted: row.deleted }),
    ...(row.failure === null ? {} : { failure: row.failure }),
    createdAt: row.created_at.toISOString(),
    ...(row.begun_at === null ? {} : { begunAt: row.begun_at.toISOString() }),
    ...(row.finished_at === null ? {} : { finishedAt: row.finished_at.toISOString() }),
  };
}
