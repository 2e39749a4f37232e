import { setTimeout as delay } from 'node:timers/promises';
import { type CompiledQuery, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import type { Closers } from '../lifecycle/closers.ts';
import { createFaultWarning } from '../log/fault-log.ts';

/** Tells the workers of one process when there is something to claim. */
export interface DueJobs {
  /**
   * Calls `onDue` at each look that finds a job of the queue which may be claimed, or one whose node has ended.
   *
   * @returns ends it
   */
  watch(queue: string, onDue: () => void): () => void;
}

export interface DueJobsOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly closers: Closers;
  /** Milliseconds between two looks; 1,000 unless a test says otherwise. */
  readonly every?: number;
}

/** Milliseconds between two looks when the database did not answer. */
const PAUSE = 5_000;

/**
 * Looks once a second for jobs of all queues by one statement, so that workers with nothing to do cost next to nothing: a claim
 * is a transaction of six statements, and there are as many workers as queues.
 */
export function watchDueJobs({ db, clock, logger, closers, every = 1_000 }: DueJobsOptions): DueJobs {
  const stop = new AbortController();
  const { signal } = stop;
  const watched = new Map<string, Set<() => void>>();
  let statement: CompiledQuery<Found> | undefined;
  const onFault = createFaultWarning(
    { logger, clock },
    'jobs that are due cannot be looked up at the moment; it is tried again',
  );

  const look = async (): Promise<number> => {
    if (watched.size === 0) return every;
    try {
      // made once: that would be half of a look
      statement ??= queuesWithWork([...watched.keys()]).compile(db);
      const { rows } = await db.executeQuery(statement);
      for (const { queue } of rows) for (const onDue of watched.get(queue) ?? []) onDue();
      return every;
    } catch (error) {
      if (!signal.aborted) onFault(error);
      return PAUSE;
    }
  };

  const looking = (async () => {
    for (let wait = every; !signal.aborted; ) {
      await delay(wait, undefined, { signal, ref: false }).catch(() => {});
      if (!signal.aborted) wait = await look();
    }
  })();
  closers.add('look for due jobs', async () => {
    stop.abort();
    await looking;
  });
  return {
    watch(queue, onDue) {
      const those = watched.get(queue) ?? new Set();
      watched.set(queue, those.add(onDue));
      statement = undefined;
      return () => {
        those.delete(onDue);
        if (those.size === 0) watched.delete(queue);
        statement = undefined;
      };
    },
  };
}

interface Found {
  readonly queue: string;
}

/** By the first entry of an index each: without an order the planner may read the whole table where it expects many. */
function queuesWithWork(queues: readonly string[]) {
  const first = (state: string, further: ReturnType<typeof sql>, order: string) => sql`(
    select true from jobs where queue = q.queue and state = ${sql.lit(state)} ${further} order by ${sql.ref(order)} limit 1)`;
  return sql<Found>`
    select queue from unnest(${queues}::text[]) as q (queue)
    where ${first('ready', sql``, 'owner')}
      or ${first('scheduled', sql`and due_at <= now()`, 'due_at')}
      or ${first('running', sql`and leased_until < now()`, 'resource')}`;
}
