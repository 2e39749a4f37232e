import type { UpdateObject } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import type { ConnectionRow } from './connection-store.ts';
import { COUNT, type CountAnswer } from './queries.ts';
import type { Reading } from './register-products.ts';

/** The progress of a reading of all products. */
export interface ReadingState {
  readonly since: Date;
  readonly way: 'pages' | 'bulk';
  /** Cursor of the next page. */
  readonly after: string | null;
  /** Id of the bulk operation that collects the products. */
  readonly operation: string | null;
  /** Failed bulk operations of this reading. */
  readonly failures: number;
}

/** The result of a step. `all`: everything was read; `later`: continue or restart later; a state: continue from it at once. */
export type ReadingEnd = 'all' | 'later' | ReadingState;

/** Products from which a shop is read by a bulk operation; Shopify limits paging to 25,000. */
const BULK_FROM = 10_000;
/** Failed bulk operations after which a reading continues page by page. */
const MAX_FAILURES = 2;

/** @returns `undefined`: no reading is in progress */
export function readingOf(row: ConnectionRow): ReadingState | undefined {
  const { reading_since: since, reading_way: way, reading_from: after } = row;
  if (since === null) return undefined;
  return { since, way: way ?? 'pages', after, operation: row.bulk_operation, failures: row.bulk_failures };
}

/** The columns of a connection while no reading is in progress. */
export const NO_READING = {
  reading_since: null,
  reading_from: null,
  reading_way: null,
  products_counted: null,
  bulk_operation: null,
  bulk_collected: 0,
  bulk_failures: 0,
} as const;

/** Begins a reading; the shop's own count of its products decides how. */
export async function beginReading({ context, client, connection, signal }: Reading): Promise<ReadingState> {
  const { db, clock } = context.registry;
  const since = clock();
  const { productsCount } = await client.query<CountAnswer>(COUNT, {}, signal);
  const counted = productsCount?.count ?? null;
  const way = counted !== null && counted >= BULK_FROM ? 'bulk' : 'pages';
  await db
    .updateTable('shopify_connections')
    .set({
      ...NO_READING,
      reading_since: since,
      reading_way: way,
      products_counted: counted,
      products_read: 0,
    })
    .where('merchant_id', '=', connection.merchant_id)
    .where('store_id', '=', connection.store_id)
    .execute();
  return { since, way, after: null, operation: null, failures: 0 };
}

/** @returns false if another reading has been requested in the meantime, which starts from the first product */
export async function recordReading(
  { context, connection }: Reading,
  { since }: ReadingState,
  set: UpdateObject<Tables, 'shopify_connections'>,
): Promise<boolean> {
  const { numUpdatedRows } = await context.registry.db
    .updateTable('shopify_connections')
    .set(set)
    .where('merchant_id', '=', connection.merchant_id)
    .where('store_id', '=', connection.store_id)
    .where('reading_since', '=', since)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** After a failed bulk operation another one is started, or at last the pages are read. */
export async function recordBulkFailure(reading: Reading, state: ReadingState): Promise<ReadingEnd> {
  const failures = state.failures + 1;
  const way = failures < MAX_FAILURES ? 'bulk' : 'pages';
  const isCurrent = await recordReading(reading, state, {
    reading_way: way,
    bulk_operation: null,
    bulk_collected: 0,
    bulk_failures: failures,
    products_read: 0,
  });
  return isCurrent ? { ...state, way, operation: null, failures } : 'later';
}
