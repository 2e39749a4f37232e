import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';

/** Days after which what was not found again is deleted. */
const RETENTION_DAYS = 90;

/** Deletes what was not found for long; a host that the merchant lets be is kept, so that it is not told of it anew. @returns how many */
export async function purgeCopies(db: Database, now: Date): Promise<number> {
  const until = new Date(now.getTime() - RETENTION_DAYS * 86_400_000);
  await sql`
    delete from copy_hosts where last_at < ${until} and state not in ('mine', 'allowed')`.execute(db);
  await sql`
    delete from copy_domains d where last_at < ${until} and not exists (
      select from copy_hosts h where h.merchant_id = d.merchant_id and h.store_id = d.store_id and h.domain = d.domain)`.execute(
    db,
  );
  const { numDeletedRows } = await db.deleteFrom('copies').where('last_at', '<', until).executeTakeFirst();
  return Number(numDeletedRows);
}
