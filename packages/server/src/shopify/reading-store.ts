import type { UpdateObject } from 'kysely';
import type { Tables } from '../platform/database/tables.ts';
import type { ConnectionRow } from './connection-store.ts';
import { COUNT, type CountAnswer } from './queries.ts';
import type { Reading } from './register-products.ts';

/** How far a reading of all products is. */
export interface ReadingState {
  readonly since: Date;
  readonly way: 'pages' | 'bulk';
  /** Where pages go on. */
  readonly after: string | null;
  /** Id of the bulk operation that collects them. */
  readonly operation: string | null;
  /** Bulk operations of this reading of which nothing came. */
  readonly failures: number;
}

/** What came of it: all was read; the rest is read later, or from the beginning; or it goes on at once as this. */
export type ReadingEnd = 'all' | 'later' | ReadingState;

/** Products from which on a shop is read by a bulk operation; Shopify names 25,000 as the end of paging. */
const BULK_FROM = 10_000;
/** Bulk operations of a reading that may come to nothing before it goes on by pages. */
const MOST_FAILURES = 2;

/** @returns `undefined`: none is under way */
export function readingOf(row: ConnectionRow): ReadingState | undefined {
  const { reading_since: since, reading_way: way, reading_from: after } = row;
  if (since === null) return undefined;
  return { since, way: way ?? 'pages', after, operation: row.bulk_operation, failures: row.bulk_failures };
}

/** What a connection says where no reading is under way. */
export const NO_READING = {
  reading_since: null,
  reading_from: null,
  reading_way: null,
  products_counted: null,
  bulk_operation: null,
  bulk_collected: 0,
  bulk_failures: 0,
} as const;

/** Has the shop count its products, by which the way is chosen. */
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
    .where('store_id', '=', connection.store_id)
    .execute();
  return { since, way, after: null, operation: null, failures: 0 };
}

/** @returns false where another reading was ordered meanwhile, which begins with the first product */
export async function noteReading(
  { context, connection }: Reading,
  { since }: ReadingState,
  set: UpdateObject<Tables, 'shopify_connections'>,
): Promise<boolean> {
  const { numUpdatedRows } = await context.registry.db
    .updateTable('shopify_connections')
    .set(set)
    .where('store_id', '=', connection.store_id)
    .where('reading_since', '=', since)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Of a bulk operation nothing came: another is begun, or the pages are read in the end. */
export async function noteBulkFailure(reading: Reading, state: ReadingState): Promise<ReadingEnd> {
  const failures = state.failures + 1;
  const way = failures < MOST_FAILURES ? 'bulk' : 'pages';
  const isNoted = await noteReading(reading, state, {
    reading_way: way,
    bulk_operation: null,
    bulk_collected: 0,
    bulk_failures: failures,
    products_read: 0,
  });
  return isNoted ? { ...state, way, operation: null, failures } : 'later';
}
