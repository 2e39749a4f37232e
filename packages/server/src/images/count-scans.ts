import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';

/** What is left to do, over all stores and nodes. */
export interface LookCounts {
  /** Images that no look has come to an end for yet, those under way and put off included. */
  readonly waiting: number;
  /** Images that were given up until they are looked at again. */
  readonly failed: number;
  /** Since when the first of those waiting could have been looked at; `null`: none waits. */
  readonly oldestWaiting: Date | null;
}

/** Counts by the indices, store by store: what is settled, nearly all of a large catalogue, is not touched. */
export async function countLooks(db: Database): Promise<LookCounts> {
  const { rows } = await sql<LookCounts>`
    select coalesce(sum(waiting.count), 0)::int as waiting, coalesce(sum(failed.count), 0)::int as failed,
      min(waiting.oldest) as "oldestWaiting"
    from stores s
    cross join lateral (
      select count(*), min(coalesce((trouble->>'since')::timestamptz, due_at)) as oldest
      from image_looks
      -- of images that have gone, nothing is due
      where store_id = s.id and state = 'waiting' and (due_at is not null or job_id is not null)
    ) waiting
    cross join lateral (
      select count(*) from image_looks l
      join images i on i.id = l.image_id
      join products p on p.id = i.product_id
      where l.store_id = s.id and l.state = 'failed' and i.removed_at is null and p.deleted_at is null
    ) failed
    where s.deleted_at is null`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('a count answers one row');
  return row;
}
