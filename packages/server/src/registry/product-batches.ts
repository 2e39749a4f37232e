import { type RawBuilder, sql } from 'kysely';
import type { DatabaseTransaction } from '../platform/database/database.ts';

/**
 * Rows that one statement changes at the most. A merchant may have a million products, and a statement that changed
 * them all would run into the time that a statement may take, each time it is tried.
 */
export const BATCH = 10_000;

/**
 * Sets columns of all products of which `where` is true, batch by batch in the one transaction; `set` must make
 * `where` untrue. Answers their ids.
 */
export function changeProducts(
  trx: DatabaseTransaction,
  set: RawBuilder<unknown>,
  where: RawBuilder<unknown>,
): Promise<string[]> {
  const statement = (limit: number) => sql`
    update products set ${set} where id in (select id from products where ${where} limit ${limit}) returning id`;
  return inBatches(trx, Number.POSITIVE_INFINITY, statement);
}

/** Runs a statement that answers ids until `count` came, or it answers fewer than it was asked for. */
export async function inBatches(
  trx: DatabaseTransaction,
  count: number,
  statement: (limit: number) => RawBuilder<unknown>,
): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const limit = Math.min(BATCH, count - ids.length);
    const { rows } = await (statement(limit) as RawBuilder<{ id: string }>).execute(trx);
    for (const { id } of rows) ids.push(id);
    if (rows.length < limit) break;
  }
  return ids;
}
