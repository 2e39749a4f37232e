import { type RawBuilder, sql, type UpdateObject } from 'kysely';
import { type Database, type DatabaseTransaction, inTransaction } from '../database/database.ts';
import type { JobFailure, Tables } from '../database/tables.ts';

export interface JobQueueOptions {
  readonly db: Database;
  readonly name: string;
  /** Jobs of one resource that run at a time, over all nodes. */
  readonly perResource: number;
  /** Code of the failure of a job in the middle of which nodes ended too often; without one, no job is given up. */
  readonly lostCode?: string;
  /** Seconds that a claimed job stays a node's without a sign of life; 15 unless a test says otherwise. */
  readonly lease?: number;
}

/** A job that this node runs. */
export interface Job {
  readonly subject: string;
  readonly owner: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** Orders given so far: one that comes later is not done with this run. */
  readonly orders: number;
  /** Names this claim, so that what comes of an earlier one does not count. */
  readonly lease: string;
}

export type JobEnd =
  | { readonly result: 'done' }
  | { readonly result: 'failed'; readonly failure: JobFailure };

/**
 * The jobs of one queue: rows of the table `jobs`, one for each subject, claimed by any number of nodes.
 *
 * A run ends in the caller's transaction, together with what it brought about. The answer is false where the job is this
 * node's no more: then what it brought about must be forgotten. After an order that came meanwhile the job is ready
 * again, whatever its end.
 */
export interface JobQueue {
  readonly name: string;
  /** Seconds that a claimed job stays this node's; `keep` is to be called more often. */
  readonly lease: number;
  /** Takes up to so many jobs, owner by owner, none beyond what their resources allow. */
  claim(count: number): Promise<Job[]>;
  /** Says that these are still worked on. */
  keep(jobs: readonly Job[]): Promise<void>;
  /** A part of it is done: it counts as never interrupted. False where the job is this node's no more. */
  progressed(trx: DatabaseTransaction, job: Job): Promise<boolean>;
  /** @param again - seconds until it is due again; 0: not until it is ordered */
  finish(trx: DatabaseTransaction, job: Job, end: JobEnd, again: number): Promise<boolean>;
  /** Tries again in so many seconds; the attempt counts. */
  retry(trx: DatabaseTransaction, job: Job, failure: JobFailure, wait: number): Promise<boolean>;
  /** Begins anew in so many seconds, as if no attempt had been made. */
  postpone(trx: DatabaseTransaction, job: Job, failure: JobFailure, wait: number): Promise<boolean>;
  /** Its subject has gone: nothing is to be done until it is ordered. */
  drop(job: Job): Promise<boolean>;
  /** Gives back a job that was not worked on to its end, for anyone to take up at once. */
  release(job: Job): Promise<boolean>;
}

/** Owners that one claim looks at; the next one goes on behind them. */
const OWNERS = 50;
/** Jobs of one owner, those due longest, among which a claim searches for one whose resource is free. */
const WINDOW = 200;
/** Jobs that become ready at once. */
const READY_AT_ONCE = 1_000;
/** Milliseconds between two searches for jobs that have become due, or whose node has ended. */
const SEARCH = 250;
/** How often in a row a node may end in the middle of a job before the job itself is suspected. */
const MAX_INTERRUPTIONS = 10;
/** Sorts before every owner. */
const NOBODY = '00000000-0000-0000-0000-000000000000';
const IDLE = { state: 'idle', due_at: null } as const;

export function openJobQueue(options: JobQueueOptions): JobQueue {
  const { db, name, lease = 15 } = options;
  let searchedAt = Number.NEGATIVE_INFINITY;
  let servedLast = NOBODY;

  const end = async (
    trx: Database | DatabaseTransaction,
    job: Job,
    set: UpdateObject<Tables, 'jobs'>,
  ): Promise<boolean> => {
    const mine = trx
      .updateTable('jobs')
      .where('queue', '=', name)
      .where('subject', '=', job.subject)
      .where('lease', '=', job.lease)
      .set({ lease: null, leased_until: null });
    const ended = await mine.set(set).where('orders', '=', job.orders).executeTakeFirst();
    if (ended.numUpdatedRows === 1n) return true;
    const ordered = await mine.set({ state: 'ready', attempts: 0 }).executeTakeFirst();
    return ordered.numUpdatedRows === 1n;
  };

  return {
    name,
    lease,
    claim: (count) =>
      inTransaction(db, async (trx) => {
        // one claim after another: two at once would each fill what is left of a resource
        await sql`select pg_advisory_xact_lock(hashtext('jobs'), hashtext(${name}))`.execute(trx);
        if (performance.now() - searchedAt > SEARCH) {
          await makeReady(trx, name);
          await takeFromEnded(trx, options);
          searchedAt = performance.now();
        }
        const owners = await nextOwners(trx, name, servedLast);
        const claimed = await claimOf(trx, owners, count, { ...options, lease });
        const served = new Set(claimed.map(({ owner }) => owner));
        const last = claimed.length < count ? owners.at(-1) : owners.findLast((owner) => served.has(owner));
        servedLast = last ?? NOBODY;
        return claimed;
      }),
    async keep(jobs) {
      const leases = jobs.map((job) => job.lease);
      // in the order of their keys, as whoever orders several locks them
      await sql`
        with mine as (
          select subject from jobs where queue = ${name} and state = 'running' and lease = any(${leases}::uuid[])
          order by subject for update)
        update jobs set leased_until = now() + make_interval(secs => ${lease})
        where queue = ${name} and subject = any(array(select subject from mine)) and lease = any(${leases}::uuid[])`.execute(
        db,
      );
    },
    async progressed(trx, job) {
      const { numUpdatedRows } = await trx
        .updateTable('jobs')
        .set({ interrupted: 0, attempts: 1 })
        .where('queue', '=', name)
        .where('subject', '=', job.subject)
        .where('lease', '=', job.lease)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    finish: (trx, job, { result, ...why }, again) =>
      end(trx, job, {
        ...(again === 0 ? IDLE : dueIn(again)),
        result,
        failure: 'failure' in why ? JSON.stringify(why.failure) : null,
        attempts: 0,
        interrupted: 0,
        finished_at: sql<Date>`now()`,
      }),
    retry: (trx, job, failure, wait) =>
      end(trx, job, { ...dueIn(wait), failure: JSON.stringify(failure), interrupted: 0 }),
    postpone: (trx, job, failure, wait) =>
      end(trx, job, { ...dueIn(wait), failure: JSON.stringify(failure), attempts: 0, interrupted: 0 }),
    drop: (job) => end(db, job, { ...IDLE, attempts: 0, interrupted: 0 }),
    release: (job) => end(db, job, { state: 'ready', attempts: job.attempt - 1 }),
  };
}

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

/** What an order makes of a job that is there. */
const ORDERED = sql`orders = jobs.orders + 1, due_at = now(), attempts = 0, interrupted = 0, result = null, failure = null,
  state = case when jobs.state = 'running' then jobs.state else 'ready' end`;

/**
 * Ends the leases of all queues, so that nobody waits for those of a node that ended without a word. For whoever knows that
 * no node runs jobs.
 */
export async function endLeases(db: Database): Promise<void> {
  await sql`update jobs set leased_until = '-infinity' where state = 'running'`.execute(db);
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

/** Statements that change more would run into the time that one may take. */
const ORDERED_AT_ONCE = 10_000;

/** In so many seconds, give or take a tenth, so that what came together does not come together again. */
function dueIn(seconds: number) {
  const due_at = sql<Date>`now() + make_interval(secs => ${seconds} * (0.9 + 0.2 * random()))`;
  return { state: 'scheduled', due_at } as const;
}

async function makeReady(trx: DatabaseTransaction, queue: string): Promise<void> {
  const { rows } = await sql<{ subject: string }>`
    select subject from jobs where queue = ${queue} and state = 'scheduled' and due_at <= now()
    order by due_at limit ${READY_AT_ONCE} for update skip locked`.execute(trx);
  if (rows.length === 0) return;
  // a list, since the planner may read the whole table for a subquery
  const subjects = rows.map(({ subject }) => subject);
  await sql`
    update jobs set state = 'ready' where queue = ${queue} and subject = any(${subjects}::uuid[])`.execute(
    trx,
  );
}

/** Jobs whose node has ended are ready again, behind those that were not tried yet; at its 11th time a job is given up. */
async function takeFromEnded(trx: DatabaseTransaction, { name, lostCode }: JobQueueOptions): Promise<void> {
  const isLost = lostCode === undefined ? sql`false` : sql`interrupted >= ${MAX_INTERRUPTIONS}`;
  await sql`
    update jobs set lease = null, leased_until = null, attempts = greatest(attempts - 1, 0),
      interrupted = interrupted + 1,
      state = case when ${isLost} then 'idle' else 'ready' end,
      due_at = case when ${isLost} then null else now() end,
      result = case when ${isLost} then 'failed' else result end,
      finished_at = case when ${isLost} then now() else finished_at end,
      failure = case when ${isLost}
        then jsonb_build_object('code', ${lostCode ?? ''}::text, 'detail', '', 'at', now(), 'attempts', interrupted)
        else failure end
    where queue = ${name} and state = 'running' and leased_until < now()`.execute(trx);
}

/** Owners of ready jobs, from the one behind `last` on, round to it again. */
async function nextOwners(trx: DatabaseTransaction, queue: string, last: string): Promise<string[]> {
  const next = (from: RawBuilder<unknown>) => sql`
    select owner from jobs where queue = ${queue} and state = 'ready' and owner > ${from} order by owner limit 1`;
  // from index entry to index entry: an owner's other jobs are not read
  const walk = async (from: string, to: RawBuilder<unknown>) => {
    const { rows } = await sql<{ owner: string }>`
      with recursive walk as (
        select (${next(sql`${from}`)}) as owner, 1 as nth
        union all
        select (${next(sql`walk.owner`)}), nth + 1 from walk where owner is not null and nth < ${OWNERS}
      )
      select owner from walk where owner ${to}`.execute(trx);
    return rows.map(({ owner }) => owner);
  };
  const behind = await walk(last, sql`is not null`);
  if (behind.length === OWNERS || last === NOBODY) return behind;
  return [...behind, ...(await walk(NOBODY, sql`<= ${last}`))];
}

interface ClaimTerms {
  readonly name: string;
  readonly perResource: number;
  readonly lease: number;
}

async function claimOf(
  trx: DatabaseTransaction,
  owners: readonly string[],
  count: number,
  { name, perResource, lease }: ClaimTerms,
): Promise<Job[]> {
  if (owners.length === 0) return [];
  const { rows } = await sql<Job>`
    with running as (
      select resource, count(*)::int as count from jobs where queue = ${name} and state = 'running' group by resource
    ), candidates as (
      select c.*, o.nth, coalesce(running.count, 0)
        + row_number() over (partition by c.resource order by o.nth, c.due_at) as place
      from unnest(${owners}::uuid[]) with ordinality as o(owner, nth)
      cross join lateral (
        select * from (
          select subject, resource, due_at from jobs
          where queue = ${name} and state = 'ready' and owner = o.owner order by due_at limit ${WINDOW}
        ) longest_due
        where resource not in (select resource from running where count >= ${perResource})
        limit ${count}
      ) c
      left join running on running.resource = c.resource
    ), chosen as (
      select subject from candidates where place <= ${perResource} order by nth, due_at limit ${count}
    ), locked as (
      -- by their keys: for a join, or for state = 'ready', the planner may read the whole index of what is ready
      select subject from jobs where queue = ${name} and subject = any(array(select subject from chosen))
        and state <> 'idle' and lease is null
      for update skip locked
    )
    update jobs set state = 'running', attempts = attempts + 1, lease = gen_random_uuid(),
      leased_until = now() + make_interval(secs => ${lease})
    where queue = ${name} and subject = any(array(select subject from locked))
    returning subject, owner, attempts as attempt, orders, lease`.execute(trx);
  return rows;
}
