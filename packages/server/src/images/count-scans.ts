import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';
import type { ImageCounts } from '../platform/metrics/metrics.ts';

/** Counts by the indices, store by store: what is settled, nearly all of a large catalogue, is not touched. */
export async function countLooks(db: Database): Promise<ImageCounts> {
  const { rows } = await sql<ImageCounts>`
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
