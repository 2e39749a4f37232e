import { sql } from 'kysely';
import type { DatabaseTransaction } from '../../platform/database/database.ts';

/** First half of the advisory lock's name; the second is the hash of the hostname. */
const HOSTNAME_LOCKS = 708_462;

/**
 * Who owns a hostname, and who claims it, is decided by one transaction at a time. Taken before any merchant's
 * row lock, in the order of the names, so that no two transactions wait for each other.
 */
export async function lockHostnames(trx: DatabaseTransaction, hostnames: Iterable<string>): Promise<void> {
  for (const hostname of [...new Set(hostnames)].toSorted()) {
    await sql`select pg_advisory_xact_lock(${HOSTNAME_LOCKS}, hashtext(${hostname}))`.execute(trx);
  }
}
