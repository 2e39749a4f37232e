import { type RawBuilder, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../database/database.ts';

/** Statements that change more would run into the time that one may take. */
const ORDERED_AT_ONCE = 10_000;
/** What an order makes of a job that is there. */
const ORDERED = sql`orders = jobs.orders + 1, due_at = now(), attempts = 0, interrupted = 0, result = null, failure = null,
  state = case when jobs.state = 'running' then jobs.state else 'ready' end`;

/** Orders the one job of a subject, made where there is none: it is due now. */
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
    on conflict (queue, subject) do update set ${ORDERED}`.execute(trx);
}

/**
 * Orders jobs of one owner anew: they are due now, with all their attempts, and count as if they had never been run.
 * In statements of bounded size, for an owner may have millions.
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

/** The same for jobs of these subjects, where there are any. */
export async function orderSubjects(
  db: Database | DatabaseTransaction,
  queue: string,
  subjects: readonly string[],
): Promise<void> {
  for (let begun = 0; begun < subjects.length; begun += ORDERED_AT_ONCE) {
    const some = subjects.slice(begun, begun + ORDERED_AT_ONCE);
    await sql`
      update jobs set ${ORDERED} where queue = ${queue} and subject = any(${some}::uuid[])`.execute(db);
  }
}
