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
   * @returns a function that stops watching
   */
  watch(queue: string, onDue: () => void): () => void;
  /** A job of the queue was added by this process: its workers claim it now. */
  wake(queue: string): void;
  /** A request was answered, which may have added a job: ends idle polling with a poll at once. */
  onRequest(): void;
}

export interface DueJobsOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly closers: Closers;
  /** Milliseconds between two polls. Default: 1,000. */
  readonly every?: number;
  /** Milliseconds between two polls of an idle process. Default: 5,000. */
  readonly everyIdle?: number;
}

/** Milliseconds until the next poll after the database did not answer. */
const PAUSE = 5_000;

/** Polls in succession that find nothing, without a request, after which a process is idle. */
const POLLS_UNTIL_IDLE = 10;

/**
 * Polls for jobs of all queues by one statement, so that idle workers cost almost nothing: a claim is a transaction of six
 * statements, and there are as many workers as queues. Jobs are added by requests and by other jobs, so a process that has seen
 * neither for ten seconds polls less often: it can only miss what another process added, or what has become due.
 */
export function watchDueJobs(options: DueJobsOptions): DueJobs {
  const { db, clock, logger, closers, every = 1_000, everyIdle = 5_000 } = options;
  const watched = new Map<string, Set<() => void>>();
  let statement: CompiledQuery<Found> | undefined;
  let pollsInVain = 0;
  let isClosed = false;
  let endWait = () => {};
  const onFault = createFaultWarning(
    { logger, clock },
    'jobs that are due cannot be looked up at the moment; it is tried again',
  );

  const wake = (queue: string) => {
    for (const onDue of watched.get(queue) ?? []) onDue();
  };
  /** @returns milliseconds until the next poll */
  const poll = async (): Promise<number> => {
    if (watched.size === 0) return every;
    try {
      // compiled once, which would take half of the time of a poll
      statement ??= queuesWithWork([...watched.keys()]).compile(db);
      const { rows } = await db.executeQuery(statement);
      for (const { queue } of rows) wake(queue);
      pollsInVain = rows.length > 0 ? 0 : pollsInVain + 1;
      return pollsInVain < POLLS_UNTIL_IDLE ? every : everyIdle;
    } catch (error) {
      if (!isClosed) onFault(error);
      return PAUSE;
    }
  };
  const wait = async (milliseconds: number): Promise<void> => {
    // closed during a poll
    if (isClosed) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, milliseconds).unref();
    endWait = resolve;
    await promise;
    clearTimeout(timer);
  };

  const polling = (async () => {
    await wait(every);
    while (!isClosed) await wait(await poll());
  })();
  closers.add('due jobs', async () => {
    isClosed = true;
    endWait();
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
    wake,
    onRequest() {
      if (pollsInVain >= POLLS_UNTIL_IDLE) endWait();
      pollsInVain = 0;
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
