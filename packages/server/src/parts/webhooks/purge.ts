import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { WEBHOOKS } from './record-events.ts';

/** Rows deleted by one statement, so that none holds its locks for long. */
const BATCH = 1_000;
/** Days for which deliveries are kept. */
const RETENTION_DAYS = 30;

/**
 * Deletes deliveries older than 30 days, and events without deliveries.
 *
 * @returns how many deliveries were deleted
 */
export async function purgeDeliveries(db: Database, now: Date): Promise<number> {
  const until = new Date(now.getTime() - RETENTION_DAYS * 86_400_000);
  let purged = 0;
  for (let batch = BATCH; batch === BATCH; purged += batch) {
    const { rows } = await sql<{ merchant_id: string; event_id: string }>`
      with gone as (
        delete from webhook_deliveries where (merchant_id, id) in (
          select merchant_id, id from webhook_deliveries where created_at < ${until} limit ${BATCH})
        returning merchant_id, id, event_id),
      jobs_gone as (delete from jobs where queue = ${WEBHOOKS} and subject in (select id from gone))
      select merchant_id, event_id from gone`.execute(db);
    await sql`
      delete from events e using unnest(${rows.map(({ merchant_id }) => merchant_id)}::uuid[],
        ${rows.map(({ event_id }) => event_id)}::uuid[]) as gone (merchant_id, id)
      where e.merchant_id = gone.merchant_id and e.id = gone.id
        and not exists (select from webhook_deliveries d where d.merchant_id = e.merchant_id and d.event_id = e.id)`.execute(
      db,
    );
    batch = rows.length;
  }
  await sql`
    delete from events where (merchant_id, id) in (
      select merchant_id, id from events e where occurred_at < ${until} and not exists (
        select from webhook_deliveries d where d.merchant_id = e.merchant_id and d.event_id = e.id) limit ${BATCH})`.execute(
    db,
  );
  return purged;
}
