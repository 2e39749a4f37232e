import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { WEBHOOKS } from './deliver.ts';

/** Rows deleted by one statement, so that none holds its locks for long. */
const BATCH = 1_000;
/** Days for which deliveries are kept. */
const RETENTION_DAYS = 30;

/**
 * Deletes deliveries older than 30 days, and events without deliveries.
 *
 * @returns how many deliveries were deleted
 */
export async function purgeDeliveries(db: Database): Promise<number> {
  let purged = 0;
  for (let batch = BATCH; batch === BATCH; purged += batch) {
    const { rows } = await sql<{ event_id: string }>`
      with gone as (
        delete from webhook_deliveries where id = any(array(
          select id from webhook_deliveries where created_at < now() - make_interval(days => ${RETENTION_DAYS}) limit ${BATCH}))
        returning id, event_id),
      jobs_gone as (delete from jobs where queue = ${WEBHOOKS} and subject in (select id from gone))
      select event_id from gone`.execute(db);
    await sql`
      delete from events e where id = any(${rows.map(({ event_id }) => event_id)}::uuid[])
        and not exists (select from webhook_deliveries where event_id = e.id)`.execute(db);
    batch = rows.length;
  }
  await sql`
    delete from events e where id = any(array(
      select id from events where occurred_at < now() - make_interval(days => ${RETENTION_DAYS})
        and not exists (select from webhook_deliveries d where d.event_id = events.id) limit ${BATCH}))`.execute(
    db,
  );
  return purged;
}
