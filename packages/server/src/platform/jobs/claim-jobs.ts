import { type RawBuilder, sql } from 'kysely';
import { type Database, type DatabaseTransaction, inTransaction } from '../database/database.ts';
import { lockFor } from '../database/locks.ts';
import type { Job } from './job.ts';

export interface ClaimOptions {
  readonly db: Database;
  /** Name of the queue. */
  readonly name: string;
  /** Jobs of one resource that run at a time, over all nodes. */
  readonly perResource: number;
  /** Code of the failure of a job that was interrupted too often by nodes that ended; without one, no job is given up. */
  readonly lostCode?: string;
  /** Seconds for which a node holds a job without renewing its lease. */
  readonly lease: number;
}

/** Owners considered by one claim; the next claim continues after them. */
const OWNERS = 50;
/** Jobs of one owner, those due longest, among which a claim searches for one whose resource is free. */
const WINDOW = 200;
/** Jobs made ready by one statement. */
const READY_BATCH = 1_000;
/** Interruptions in succession after which the job itself is suspected of ending the node. */
const MAX_INTERRUPTIONS = 10;
/** Milliseconds between two searches for jobs that have become due or whose lease has expired. */
const SEARCH_INTERVAL = 250;
/** The nil UUID (RFC 9562), which sorts before every owner. */
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/**
 * Claims up to `count` jobs for this node, owner by owner, within the limits of their resources. Owners with a job that made room for
 * others come last, the one that did so first before the others.
 */
export function createClaim(options: ClaimOptions): (count: number) => Promise<Job[]> {
  const { db, name } = options;
  let searchedAt = Number.NEGATIVE_INFINITY;
  let servedLast = NIL_UUID;
  return (count) =>
    inTransaction(db, async (trx) => {
      // one claim at a time: two at once could together exceed the limit of a resource
      await lockFor(trx, `jobs ${name}`);
      if (performance.now() - searchedAt > SEARCH_INTERVAL) {
        await makeReady(trx, name);
        await releaseExpiredLeases(trx, options);
        searchedAt = performance.now();
      }
      const owners = await nextOwners(trx, name, servedLast);
      const claimed = await claimOf(trx, owners, count, options);
      const served = new Set(claimed.map(({ owner }) => owner));
      const last = claimed.length < count ? owners.at(-1) : owners.findLast((owner) => served.has(owner));
      servedLast = last ?? NIL_UUID;
      return claimed;
    });
}

async function makeReady(trx: DatabaseTransaction, queue: string): Promise<void> {
  const { rows } = await sql<{ subject: string }>`
    select subject from jobs where queue = ${queue} and state = 'scheduled' and due_at <= now()
    order by due_at limit ${READY_BATCH} for update skip locked`.execute(trx);
  if (rows.length === 0) return;
  // a list, since the planner may read the whole table for a subquery
  const subjects = rows.map(({ subject }) => subject);
  await sql`
    update jobs set state = 'ready' where queue = ${queue} and subject = any(${subjects}::uuid[])`.execute(
    trx,
  );
}

/** Makes the jobs of dead nodes ready again, after those not attempted yet; a job that is interrupted an 11th time is given up. */
async function releaseExpiredLeases(
  trx: DatabaseTransaction,
  { name, lostCode }: ClaimOptions,
): Promise<void> {
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

/** Owners of ready jobs, in cyclic order beginning after `last`. */
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
  if (behind.length === OWNERS || last === NIL_UUID) return behind;
  return [...behind, ...(await walk(NIL_UUID, sql`<= ${last}`))];
}

async function claimOf(
  trx: DatabaseTransaction,
  owners: readonly string[],
  count: number,
  { name, perResource, lease }: ClaimOptions,
): Promise<Job[]> {
  if (owners.length === 0) return [];
  const { rows } = await sql<Job>`
    with running as (
      select resource, count(*)::int as count from jobs where queue = ${name} and state = 'running' group by resource
    ), candidates as (
      select c.*, o.nth, (
          select max(due_at) from jobs where queue = ${name} and owner = o.owner and displaced
        ) as displaced_at, coalesce(running.count, 0)
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
      select subject from candidates where place <= ${perResource}
      order by displaced_at nulls first, nth, due_at limit ${count}
    ), locked as (
      -- by their keys: for a join, or for state = 'ready', the planner may read the whole index of what is ready
      select subject from jobs where queue = ${name} and subject = any(array(select subject from chosen))
        and state <> 'idle' and lease is null
      for update skip locked
    )
    update jobs set state = 'running', attempts = attempts + 1, lease = gen_random_uuid(),
      leased_until = now() + make_interval(secs => ${lease}), displaced = false
    where queue = ${name} and subject = any(array(select subject from locked))
    returning subject, owner, attempts as attempt, orders, lease, traceparent`.execute(trx);
  return rows;
}
