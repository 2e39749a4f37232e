import type { KeyRotation, NodeHealth, OperatorOverview, QueueState } from '@touchstone/contract';
import { sql } from 'kysely';
import { type AnyKey, activeKey, type KeyPolicy, ripeAt, standbyKeys } from '../../core/keys/key-schedule.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, onlyRow } from '../../platform/database/database.ts';

/** The keys of each purpose, and when they are replaced. */
export interface Rotation {
  readonly policy: KeyPolicy;
  readonly listKeys: Readonly<Record<KeyRotation['purpose'], () => Promise<readonly AnyKey[]>>>;
}

export interface OperatorContext extends Rotation {
  readonly db: Database;
  readonly clock: Clock;
}

/** Jobs of a queue are counted up to this number. */
const MOST_JOBS = 10_000;
/** Seconds without a heartbeat after which a node counts as silent: four times the interval. */
const SILENT = 60;
/** Seconds for which a silent node is listed. */
const LISTED_FOR = 3_600;

/** The state of the service over all of its nodes. */
export async function operatorOverview(context: OperatorContext): Promise<OperatorOverview> {
  const now = context.clock();
  const [merchants, stores, nodes, queues, proofs, requests, statusLists, receipts, attestations] =
    await Promise.all([
      readCapacity(context.db),
      countStores(context.db),
      readNodes(context.db),
      readQueues(context.db),
      context.listKeys.proofs(),
      context.listKeys.requests(),
      context.listKeys.status_lists(),
      context.listKeys.receipts(),
      context.listKeys.attestations(),
    ]);
  return {
    at: now.toISOString(),
    merchants,
    stores,
    nodes,
    queues,
    keys: [
      rotationOf('proofs', proofs, context.policy),
      rotationOf('requests', requests, context.policy),
      rotationOf('status_lists', statusLists, context.policy),
      rotationOf('receipts', receipts, context.policy),
      rotationOf('attestations', attestations, context.policy),
    ],
  };
}

type Capacity = OperatorOverview['merchants'];

async function readCapacity(db: Database): Promise<Capacity> {
  const { rows } = await sql<Capacity>`
    select count(*)::int as count, count(*) filter (where paused)::int as paused,
      count(*) filter (where slots_held >= plan_capacity)::int as full,
      coalesce(sum(plan_capacity), 0)::float8 as "planCapacity", coalesce(sum(slots_held), 0)::float8 as "slotsHeld"
    from merchants`.execute(db);
  return onlyRow(rows);
}

async function countStores(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from stores where deleted_at is null`.execute(db);
  return onlyRow(rows).count;
}

interface NodeRow extends Omit<NodeHealth, 'startedAt' | 'seenAt' | 'state'> {
  readonly started_at: Date;
  readonly seen_at: Date;
  readonly silent: boolean;
}

async function readNodes(db: Database): Promise<NodeHealth[]> {
  const { rows } = await sql<NodeRow>`
    select id, version, processes, problems, findings, started_at, seen_at,
      seen_at < now() - make_interval(secs => ${SILENT}) as silent
    from nodes where seen_at > now() - make_interval(secs => ${LISTED_FOR}) order by started_at, id`.execute(
    db,
  );
  return rows.map(({ started_at, seen_at, silent, ...row }) => ({
    ...row,
    startedAt: started_at.toISOString(),
    seenAt: seen_at.toISOString(),
    state: silent ? 'silent' : row.problems.length > 0 ? 'not_ready' : 'ready',
  }));
}

interface QueueRow extends Omit<QueueState, 'oldestDueAt' | 'givenUp'> {
  readonly oldest: Date | null;
}

/** Images whose scans were given up. */
async function countGivenUp(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(failed), 0)::int as count from image_counts c join stores s on s.id = c.store_id
    where s.deleted_at is null`.execute(db);
  return onlyRow(rows).count;
}

/** Each queue is found, and counted, by an index: there may be a job for each of millions of images. */
async function readQueues(db: Database): Promise<QueueState[]> {
  const due = sql`state = 'scheduled' and due_at <= now()`;
  const givenUp = await countGivenUp(db);
  const { rows } = await sql<QueueRow>`
    with recursive names as (
      select min(queue) as queue from jobs
      union all
      select (select min(queue) from jobs where queue > names.queue) from names where names.queue is not null)
    select n.queue, ready.count + due.count as waiting, running.count as running, later.count as scheduled,
      later.retrying, least(ready.oldest, due.oldest) as oldest
    from names n
      cross join lateral (select count(*)::int as count, min(due_at) as oldest from (
        select due_at from jobs where queue = n.queue and state = 'ready' limit ${MOST_JOBS}) j) ready
      cross join lateral (select count(*)::int as count, min(due_at) as oldest from (
        select due_at from jobs where queue = n.queue and ${due} order by due_at limit ${MOST_JOBS}) j) due
      cross join lateral (select count(*)::int as count from jobs where queue = n.queue and state = 'running') running
      cross join lateral (select count(*)::int as count, count(failure)::int as retrying from (
        select failure from jobs where queue = n.queue and state = 'scheduled' and due_at > now()
        order by due_at limit ${MOST_JOBS}) j) later
    where n.queue is not null order by n.queue`.execute(db);
  return rows.map(({ oldest, ...row }) => ({
    ...row,
    waiting: Math.min(row.waiting, MOST_JOBS),
    ...(row.queue === 'image-scans' ? { givenUp } : {}),
    ...(oldest === null ? {} : { oldestDueAt: oldest.toISOString() }),
  }));
}

function rotationOf(
  purpose: KeyRotation['purpose'],
  keys: readonly AnyKey[],
  policy: KeyPolicy,
): KeyRotation {
  const active = activeKey(keys);
  const [standby] = standbyKeys(keys);
  const until = active?.activeFrom === undefined ? 0 : active.activeFrom.getTime() + policy.rotateEvery;
  return {
    purpose,
    ...(active?.activeFrom === undefined
      ? {}
      : { activeKid: active.kid, activeFrom: active.activeFrom.toISOString() }),
    ...(standby === undefined
      ? {}
      : {
          standbyKid: standby.kid,
          rotatesAt: new Date(Math.max(until, ripeAt(standby).getTime())).toISOString(),
        }),
    retired: keys.filter(({ retiredAt, revokedAt }) => retiredAt !== undefined && revokedAt === undefined)
      .length,
    revoked: keys.filter(({ revokedAt }) => revokedAt !== undefined).length,
  };
}
