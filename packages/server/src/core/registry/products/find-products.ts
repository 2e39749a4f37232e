import type { ProductListQuery, ProductState } from '@touchstone/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../../platform/database/database.ts';
import { ServiceError } from '../../../platform/errors.ts';

/** One page of the products that a query asks for: their ids in order, and up to one beyond the page. */
export interface FoundProduct {
  readonly id: string;
  /** bigint, as text. */
  readonly createdOrder: string;
  /** Continues the list after it. */
  readonly cursor: string;
}

interface StoreOf {
  readonly id: string;
  readonly merchantId: string;
}

type Filters = Omit<ProductListQuery, 'limit'> & {
  /** In the order of creation: after the product with this number. */
  readonly after?: string;
};

/** Products scanned in order before a search by index and sort: for common words, the scan alone fills the page. */
const WINDOW = 2_000;

/**
 * Products of a store in the order of creation, or with `updatedSince` in that of their last change; by an index in each
 * case, so that a page costs the same in a store of a million.
 *
 * @returns up to `limit` of them
 * @throws ServiceError `bad_request` for a cursor of another list
 */
export async function findProducts(
  db: Database | DatabaseTransaction,
  store: StoreOf,
  filters: Filters,
  limit: number,
): Promise<FoundProduct[]> {
  const order = filters.updatedSince === undefined ? BY_CREATION : BY_CHANGE;
  const position = filters.after === undefined ? undefined : [filters.after];
  const behind = position ?? (filters.cursor === undefined ? undefined : order.read(filters.cursor));
  const after = behind === undefined ? sql`` : sql`and ${order.after(behind)}`;
  const found = (row: Row): FoundProduct => ({
    id: row.id,
    createdOrder: row.created_order,
    cursor: order.cursor(row),
  });
  const states = await statesOf(db, store.merchantId, filters.state);
  if (states.length === 0) return [];
  const rowsOf = (state: RawBuilder<unknown>, count: number) => sql`(
    select id, store_id, name, created_order, updated_at from products
    where merchant_id = ${store.merchantId} and store_id = ${store.id} and ${state} ${exactly(filters)} ${after}
    order by ${order.columns} limit ${count})`;
  const first = (count: number) => sql`
    select * from (${sql.join(
      states.map((state) => rowsOf(state, count)),
      sql` union all `,
    )}) parts order by ${order.columns} limit ${count}`;
  if (filters.q === undefined) {
    const { rows } =
      await sql<Row>`select ${COLUMNS} from (${first(limit)}) found order by ${order.columns}`.execute(db);
    return rows.map(found);
  }
  const named = sql`product_terms(store_id, name) @@ product_query(${store.id}, ${filters.q})`;
  const near = await sql<Row & { seen: number }>`
    with window_of as materialized (${first(WINDOW)}),
      found as (select ${COLUMNS} from window_of where ${named} order by ${order.columns} limit ${limit})
    select seen, found.* from (select count(*)::int as seen from window_of) counted left join found on true`.execute(
    db,
  );
  const met = near.rows.filter(({ id }) => id !== null);
  if (met.length === limit || (near.rows[0]?.seen ?? 0) < WINDOW) return met.map(found);
  const any = sql.join(
    states.map((state) => sql`(${state})`),
    sql` or `,
  );
  const { rows } = await throughIndexes(db, (trx) =>
    sql<Row>`
      select ${COLUMNS} from products
      where merchant_id = ${store.merchantId} and store_id = ${store.id} and ${named} and (${any}) ${exactly(filters)} ${after}
      order by ${order.columns} limit ${limit}`.execute(trx),
  );
  return rows.map(found);
}

interface Row {
  readonly id: string;
  /** bigint, as text. */
  readonly created_order: string;
  /** Microseconds since 1970, as text. */
  readonly updated: string;
}

const COLUMNS = sql`id, created_order, updated_at, (extract(epoch from updated_at) * 1000000)::bigint as updated`;

/** The list that a cursor belongs to: `v1:<order>` or `u1:<microseconds>:<order>`. */
interface Order {
  readonly columns: RawBuilder<unknown>;
  after(position: readonly string[]): RawBuilder<unknown>;
  cursor(row: Row): string;
  /** @throws ServiceError `bad_request` */
  read(cursor: string): readonly string[];
}

const BY_CREATION: Order = {
  columns: sql`created_order`,
  after: ([order]) => sql`created_order > ${order}`,
  cursor: (row) => written(`v1:${row.created_order}`),
  read: (cursor) => parts(cursor, /^v1:(\d{1,18})$/),
};

const BY_CHANGE: Order = {
  columns: sql`updated_at, created_order`,
  after: ([updated, order]) => sql`(updated_at, created_order) >
    (timestamptz 'epoch' + ${updated}::bigint * interval '1 microsecond', ${order}::bigint)`,
  cursor: (row) => written(`u1:${row.updated}:${row.created_order}`),
  read: (cursor) => parts(cursor, /^u1:(\d{1,18}):(\d{1,18})$/),
};

const written = (text: string): string => Buffer.from(text).toString('base64url');

function parts(cursor: string, form: RegExp): readonly string[] {
  const found = form.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (found !== null) return found.slice(1);
  throw new ServiceError('bad_request', {
    message: 'The cursor is not from an earlier page of this list.',
  });
}

/** Filters for exact values, each with a separate index. */
function exactly({ externalProductId, sku, gtin, updatedSince }: Filters): RawBuilder<unknown> {
  const is = (column: string, value: string | undefined) =>
    value === undefined ? sql`` : sql`and ${sql.ref(column)} = ${value}`;
  const since = updatedSince === undefined ? sql`` : sql`and updated_at >= ${updatedSince}::timestamptz`;
  return sql`${is('external_product_id', externalProductId)} ${is('sku', sku)} ${is('gtin', gtin)} ${since}`;
}

/** What the rows of products in this state are like: none is paused itself, its merchant is. */
async function statesOf(
  db: Database | DatabaseTransaction,
  merchantId: string,
  state: ProductState | undefined,
): Promise<RawBuilder<unknown>[]> {
  if (state === undefined) return [sql`deleted_at is null`];
  const standing = (name: string) =>
    sql`product_standing(deleted_at, disabled, visible, host_known, slot_order) = ${name}`;
  if (state !== 'active' && state !== 'no_slot' && state !== 'paused') return [standing(state)];
  const { paused } = await db
    .selectFrom('merchants')
    .select('paused')
    .where('id', '=', merchantId)
    .executeTakeFirstOrThrow();
  if (paused) return state === 'paused' ? [standing('active'), standing('no_slot')] : [];
  return state === 'paused' ? [] : [standing(state)];
}

/** Where rows that have all words are far apart, walking the table or an order of it until a page is full takes long. */
async function throughIndexes<T>(
  db: Database | DatabaseTransaction,
  read: (trx: DatabaseTransaction) => Promise<T>,
): Promise<T> {
  if (!db.isTransaction) return db.transaction().execute((trx) => planned(trx, read));
  const trx = db as DatabaseTransaction;
  // settings for this query end with its transaction
  await sql`savepoint reading`.execute(trx);
  const answer = await planned(trx, read);
  await sql`rollback to savepoint reading`.execute(trx);
  return answer;
}

async function planned<T>(
  trx: DatabaseTransaction,
  read: (trx: DatabaseTransaction) => Promise<T>,
): Promise<T> {
  await sql`
      select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_seqscan', 'off', true),
        set_config('enable_indexscan', 'off', true), set_config('work_mem', '32MB', true)`.execute(trx);
  return read(trx);
}
