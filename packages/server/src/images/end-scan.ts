import { sql } from 'kysely';
import type { DatabaseTransaction } from '../platform/database/database.ts';
import type { ImageTrouble } from '../platform/database/tables.ts';

/** A moment so many seconds ahead, give or take a tenth, so that what came together does not come together again. */
export function after(seconds: number) {
  return seconds === 0
    ? sql<Date | null>`null::timestamptz`
    : sql<Date | null>`now() + make_interval(secs => ${seconds} * (0.9 + 0.2 * random()))`;
}

/** What a look came to: the end of it, or one more attempt. */
export type LookEnd =
  | { readonly state: 'settled'; readonly etag: string | null; readonly lastModified: string | null }
  | { readonly state: 'failed'; readonly trouble: ImageTrouble };

/** The look that a job stands for. */
export interface OpenLook {
  readonly imageId: string;
  readonly jobId: string;
  readonly orders: number;
}

/** A change of the look's row; of none when the job is not the order's any more. */
function updateOpen(trx: DatabaseTransaction, { imageId, jobId }: OpenLook) {
  return trx.updateTable('image_looks').where('image_id', '=', imageId).where('job_id', '=', jobId);
}

/**
 * Ends the look that a job stands for. An order that was given meanwhile stays due.
 *
 * @param again - seconds until the next look; 0: never
 * @returns false when the job is not the order's any more: what was found must be forgotten
 */
export async function endLook(
  trx: DatabaseTransaction,
  look: OpenLook,
  end: LookEnd,
  again: number,
): Promise<boolean> {
  const mine = await updateOpen(trx, look)
    .set({
      job_id: null,
      interrupted: 0,
      settled_at: sql<Date>`now()`,
      // of the bytes that are recorded now, whatever was ordered meanwhile; after a failure there are no conditions
      etag: end.state === 'settled' ? end.etag : null,
      last_modified: end.state === 'settled' ? end.lastModified : null,
    })
    .returning('orders')
    .executeTakeFirst();
  if (mine === undefined) return false;
  if (mine.orders !== look.orders) return true;
  await trx
    .updateTable('image_looks')
    .set({
      due_at: after(again),
      state: end.state,
      trouble: end.state === 'failed' ? JSON.stringify(end.trouble) : null,
    })
    .where('image_id', '=', look.imageId)
    .execute();
  return true;
}

/** Notes why an attempt came to nothing; the job stays open for the next one. */
export async function noteTrouble(
  trx: DatabaseTransaction,
  look: OpenLook,
  trouble: ImageTrouble,
): Promise<boolean> {
  const noted = await updateOpen(trx, look)
    .set({ trouble: JSON.stringify(trouble) })
    .executeTakeFirst();
  return noted.numUpdatedRows === 1n;
}

/**
 * Puts a look off that could not be made: the order is due again later, and its next job has all its attempts. An order
 * that was given meanwhile stays due now.
 *
 * @param wait - seconds
 * @returns false when the job is not the order's any more
 */
export async function putOffLook(
  trx: DatabaseTransaction,
  look: OpenLook,
  trouble: ImageTrouble,
  wait: number,
): Promise<boolean> {
  const putOff = await updateOpen(trx, look)
    .set({
      job_id: null,
      interrupted: 0,
      trouble: JSON.stringify(trouble),
      due_at: sql<Date>`case when orders = ${look.orders} then ${after(wait)} else due_at end`,
    })
    .executeTakeFirst();
  return putOff.numUpdatedRows === 1n;
}
