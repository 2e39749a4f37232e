import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type Database, inTransaction } from '../platform/database/database.ts';
import { JOB_SCHEMA, type JobQueue } from '../platform/jobs/job-queue.ts';
import { after } from './end-scan.ts';
import { imageHost } from './fetch-image.ts';

/** Open jobs of one store at a time: a shop with a million images keeps no other waiting, and no table grows with it. */
const OPEN_PER_STORE = 200;
const SWEPT_AT_ONCE = 1_000;

/**
 * Makes jobs of the orders that are due, in one transaction: an order has an open job or is still due, whenever the
 * service stops. Any number of nodes may sweep at once.
 *
 * @returns how many jobs were made
 */
export async function sweepDueLooks(db: Database, queue: JobQueue): Promise<number> {
  return inTransaction(db, async (trx) => {
    const { rows } = await sql<{ image_id: string; url: string; live: boolean }>`
      select l.image_id, i.url, i.removed_at is null and p.deleted_at is null as live
      from stores s
      cross join lateral (
        select image_id from image_looks
        where store_id = s.id and job_id is null and due_at <= now()
        order by due_at
        limit greatest(0, ${OPEN_PER_STORE} -
          (select count(*)::int from image_looks where store_id = s.id and job_id is not null))
        for update skip locked
      ) l
      join images i on i.id = l.image_id
      join products p on p.id = i.product_id
      where s.deleted_at is null
      limit ${SWEPT_AT_ONCE}`.execute(trx);
    const gone = rows.filter(({ live }) => !live).map(({ image_id }) => image_id);
    // asked again now that the order is locked: one that came back just before must not lose its order; one that comes
    // back later is ordered again
    if (gone.length > 0)
      await sql`
      update image_looks l set due_at = null where image_id = any(${gone}::uuid[]) and exists (
        select 1 from images i join products p on p.id = i.product_id
        where i.id = l.image_id and (i.removed_at is not null or p.deleted_at is not null))`.execute(trx);
    const jobs = rows
      .filter(({ live }) => live)
      .map(({ image_id, url }) => ({ id: randomUUID(), image_id, group: imageHost(url) }));
    if (jobs.length === 0) return 0;
    await sql`
      update image_looks l set job_id = j.id
      from jsonb_to_recordset(${JSON.stringify(jobs)}::jsonb) as j(id uuid, image_id uuid)
      where l.image_id = j.image_id`.execute(trx);
    await queue.add(trx, jobs);
    return jobs.length;
  });
}

/**
 * Orders whose job is not open any more, though nobody ended the look: the node died at every attempt, or the job was
 * deleted. They are failed and made due again, so that no order is ever forgotten.
 */
export async function reclaimLostLooks(db: Database, queue: JobQueue, again: number): Promise<number> {
  const { rows } = await sql<{ image_id: string }>`
    update image_looks l
    set job_id = null, state = 'failed', settled_at = now(), due_at = ${after(again)},
      trouble = jsonb_build_object('code', 'image_job_lost', 'detail', '', 'at', now(), 'attempts', 0)
    where l.job_id is not null and not exists (
      select 1 from ${sql.table(`${JOB_SCHEMA}.job`)} j
      where j.name = ${queue.name} and j.id = l.job_id and j.state in ('created', 'retry', 'active'))
    returning l.image_id`.execute(db);
  return rows.length;
}

/** How often in a row the service may end in the middle of a look before the image is suspected. */
const MAX_INTERRUPTIONS = 10;

/**
 * Frees what was under way when the only node ended without a word, so that nobody waits until its jobs count as
 * abandoned. An image that was there each time that the service ended is given up.
 *
 * @returns how many were freed
 */
export async function freeInterruptedLooks(db: Database, queue: JobQueue): Promise<number> {
  return inTransaction(db, async (trx) => {
    const { rows } = await sql<{ job_id: string }>`
      update image_looks l
      set job_id = null, interrupted = l.interrupted + 1,
        state = case when l.interrupted >= ${MAX_INTERRUPTIONS} then 'failed' else l.state end,
        trouble = case when l.interrupted >= ${MAX_INTERRUPTIONS}
          then jsonb_build_object('code', 'image_job_lost', 'detail', '', 'at', now(), 'attempts', l.interrupted)
          else l.trouble end,
        -- behind those that were not tried yet
        due_at = case when l.interrupted >= ${MAX_INTERRUPTIONS} then null else now() end
      from ${sql.table(`${JOB_SCHEMA}.job`)} j
      where j.name = ${queue.name} and j.id = l.job_id and j.state = 'active'
      returning j.id as job_id`.execute(trx);
    await queue.cancel(
      trx,
      rows.map(({ job_id }) => job_id),
    );
    return rows.length;
  });
}
