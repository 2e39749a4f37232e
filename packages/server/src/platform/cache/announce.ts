import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../database/database.ts';
import type { Change } from './changes.ts';

/** The channel of PostgreSQL on which nodes hear of changes (`announce_changes` of the schema). */
export const CHANNEL = 'touchstone_changed';
/** Ids of products in one notification, which has 8,000 bytes at most. */
const PRODUCTS_AT_ONCE = 200;

/**
 * Announces changes to all nodes when the transaction commits. Nodes trust what they have cached for as long as no announcement can
 * have been missed: whoever writes what a public answer shows announces it in the same transaction.
 */
export async function announce(
  trx: Database | DatabaseTransaction,
  changes: Iterable<Change>,
): Promise<void> {
  const all = [...new Set(changes)];
  const products = all.flatMap((change) => (change.startsWith('p:') ? [change.slice(2)] : [])).toSorted();
  const payloads: string[] = all.filter((change) => !change.startsWith('p:'));
  for (let from = 0; from < products.length; from += PRODUCTS_AT_ONCE) {
    const some = products.slice(from, from + PRODUCTS_AT_ONCE);
    payloads.push(`${some.length === 1 ? 'p' : 'ps'}:${some.join(',')}`);
  }
  if (payloads.length === 0) return;
  await sql`select announce_changes(${payloads}::text[])`.execute(trx);
}
