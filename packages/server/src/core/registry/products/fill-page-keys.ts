import { performance } from 'node:perf_hooks';
import { sql } from 'kysely';
import { type Database, inTransaction } from '../../../platform/database/database.ts';
import { storedPageKey } from './page-key.ts';

/** Products per transaction. */
const BATCH = 500;
/** Milliseconds of one run, so that a shutdown does not wait long for it. */
const SLICE = 4_000;

/**
 * Creates missing page keys, of products written by a release without them. A kill loses at most the current batch, and any
 * number of nodes may run this concurrently.
 *
 * @returns the number of keys created
 */
export async function fillPageKeys(db: Database): Promise<number> {
  const begun = performance.now();
  for (let filled = 0; ; ) {
    const count = await fillBatch(db);
    filled += count;
    if (count === 0 || performance.now() - begun > SLICE) return filled;
  }
}

function fillBatch(db: Database): Promise<number> {
  return inTransaction(db, async (trx) => {
    const next = await trx
      .selectFrom('products')
      .select('merchant_id')
      .where('page_key', 'is', null)
      .orderBy('merchant_id')
      .limit(1)
      .executeTakeFirst();
    if (next === undefined) return 0;
    const { rows } = await sql<{ id: string; url: string }>`
      select id, url from products where page_key is null and merchant_id = ${next.merchant_id}
      limit ${BATCH} for update skip locked`.execute(trx);
    const ids = rows.map(({ id }) => id);
    const keys = rows.map(({ url }) => storedPageKey(url));
    await sql`
      update products p set page_key = made.key
      from unnest(${ids}::uuid[], ${keys}::bigint[]) as made (id, key)
      where p.merchant_id = ${next.merchant_id} and p.id = made.id`.execute(trx);
    return rows.length;
  });
}
