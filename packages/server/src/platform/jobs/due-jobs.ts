import { setTimeout as delay } from 'node:timers/promises';
import { type CompiledQuery, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import type { Closers } from '../lifecycle/closers.ts';
import { createFaultWarning } from '../log/fault-log.ts';

/** Notifies the workers of one process when there are jobs to claim. */
export interface DueJobs {
  /**
   * Calls `onDue` after each poll that finds a job of the queue which may be claimed, or whose lease has expired.
   *
   * @returns a function that ends this
   */
  watch(queue: string, onDue: () => void): () => void;
}

export interface DueJobsOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly closers: Closers;
  /** Milliseconds between two polls. Default: 1,000. */
  readonly every?: number;
}

/** Milliseconds until the next poll after the database did not answer. */
const PAUSE = 5_000;

/**
 * Polls for jobs of all queues by one statement, so that idle workers cost almost nothing: a claim is a transaction of six
 * statements, and there are as many workers as queues.
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

  const poll = async (): Promise<number> => {
    if (watched.size === 0) return every;
    try {
      // compiled once, which would take half of the time of a poll
      statement ??= queuesWithWork([...watched.keys()]).compile(db);
      const { rows } = await db.executeQuery(statement);
      for (const { queue } of rows) for (const onDue of watched.get(queue) ?? []) onDue();
      return every;
    } catch (error) {
      if (!signal.aborted) onFault(error);
      return PAUSE;
    }
  };

  const polling = (async () => {
    for (let wait = every; !signal.aborted; ) {
      await delay(wait, undefined, { signal, ref: false }).catch(() => {});
      if (!signal.aborted) wait = await poll();
    }
  })();
  closers.add('due jobs', async () => {
    stop.abort();
    await polling;
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

/** Each condition reads the first entry of an index: without an order the planner may read the whole table if it expects many. */
function queuesWithWork(queues: readonly string[]) {
  const first = (state: string, further: ReturnType<typeof sql>, order: string) => sql`(
    select true from jobs where queue = q.queue and state = ${sql.lit(state)} ${further} order by ${sql.ref(order)} limit 1)`;
  return sql<Found>`
    select queue from unnest(${queues}::text[]) as q (queue)
    where ${first('ready', sql``, 'owner')}
      or ${first('scheduled', sql`and due_at <= now()`, 'due_at')}
      or ${first('running', sql`and leased_until < now()`, 'resource')}`;
}
