import { type RawBuilder, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../database/database.ts';

/** Jobs ordered by one statement: with more it could exceed its time limit. */
const BATCH = 10_000;
/** What an order changes in an existing job. */
const ORDERED = sql`orders = jobs.orders + 1, due_at = now(), attempts = 0, interrupted = 0, result = null, failure = null,
  traceparent = nullif(current_setting('touchstone.traceparent', true), ''),
  state = case when jobs.state = 'running' then jobs.state else 'ready' end`;

/** Orders the job of a subject, creating it if necessary: it is due now. */
export async function orderJob(
  trx: DatabaseTransaction,
  queue: string,
  {
    subject,
    owner,
    resource = '',
  }: { readonly subject: string; readonly owner: string; readonly resource?: string },
): Promise<void> {
  await sql`
    insert into jobs (queue, subject, owner, resource) values (${queue}, ${subject}, ${owner}, ${resource})
    on conflict (queue, subject) do update set ${ORDERED}, resource = excluded.resource`.execute(trx);
}

/**
 * Orders existing jobs of one owner again: they are due now, as if they had never been run. In batches, since an owner may have
 * millions.
 *
 * @param which - of the table `jobs`
 * @returns how many
 */
export async function orderJobs(
  db: Database | DatabaseTransaction,
  queue: string,
  owner: string,
  which: RawBuilder<unknown>,
): Promise<number> {
  const { rows } = await sql<{ subject: string }>`
    select subject from jobs where queue = ${queue} and owner = ${owner} and ${which} order by subject`.execute(
    db,
  );
  await orderSubjects(
    db,
    queue,
    rows.map(({ subject }) => subject),
  );
  return rows.length;
}

/** The same for the existing jobs of these subjects. */
export async function orderSubjects(
  db: Database | DatabaseTransaction,
  queue: string,
  subjects: readonly string[],
): Promise<void> {
  for (let begun = 0; begun < subjects.length; begun += BATCH) {
    const some = subjects.slice(begun, begun + BATCH);
    await sql`
      update jobs set ${ORDERED} where queue = ${queue} and subject = any(${some}::uuid[])`.execute(db);
  }
}
