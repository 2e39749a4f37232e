import { type RawBuilder, sql } from 'kysely';
import type { ChangeHub } from '../../platform/cache/changes.ts';
import type { Comparison } from './comparison.ts';
import type { MergeOptions } from './merge-lists.ts';
import { type Published, publishLists } from './publish-lists.ts';
import { copyLists } from './reconcile-copies.ts';

export interface PublisherOptions extends MergeOptions {
  readonly hub: Pick<ChangeHub, 'subscribe'>;
  readonly comparison: Pick<Comparison, 'isDone'>;
  /** Called with the seconds of each publishing that signed lists. */
  readonly onPublished: (seconds: number) => void;
}

export interface Publisher {
  /** Publishes what is due, unless a run is at it. */
  run(signal?: AbortSignal): Promise<void>;
  /** Waits for the run. */
  close(): Promise<void>;
}

/** Milliseconds between two publishings, so that changes that follow each other share one. */
const PAUSE = 250;
/** Milliseconds until it is tried again while another node publishes, or did a moment ago. */
const AGAIN = 500;
/** Publishings before their lists' former tokens are removed from the disk: autovacuum comes once a minute at the most. */
const VACUUM_AFTER = 4;
/** Publishings of one run. */
const MOST = 20;

export function createPublisher(options: PublisherOptions): Publisher {
  const { db, hub, logger, onPublished } = options;
  let running: Promise<void> | undefined;
  let settling: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let unvacuumed = 0;
  let uncopied = new Set<number>();

  /** Beside publishing, which waits for no disk but the database's. */
  const settle = async () => {
    while (uncopied.size > 0) {
      const ids = [...uncopied];
      uncopied = new Set();
      try {
        await copyLists(options, ids);
      } catch (error) {
        for (const id of ids) uncopied.add(id);
        logger.warn({ err: error }, 'copies of status lists could not be written; it is tried again');
        break;
      }
    }
    if (unvacuumed < VACUUM_AFTER) return;
    unvacuumed = 0;
    for (const statement of VACUUM)
      await statement
        .execute(db)
        .catch((error: unknown) =>
          logger.warn({ err: error }, 'former tokens of status lists could not be removed from the disk'),
        );
  };

  const publishOnce = async (): Promise<Published | null> => {
    const begun = performance.now();
    const published = await publishLists(options);
    if (published !== null && published.lists.length > 0) {
      onPublished((performance.now() - begun) / 1000);
      unvacuumed += 1;
      for (const id of published.lists) uncopied.add(id);
    }
    settling ??= settle().finally(() => {
      settling = undefined;
    });
    return published;
  };

  const runAll = async (signal?: AbortSignal): Promise<void> => {
    for (let nth = 0; nth < MOST && signal?.aborted !== true; nth += 1) {
      const published = await publishOnce();
      if (published === null) wake(AGAIN);
      if (published === null || published.changes === 0) return;
    }
  };

  const run = async (signal?: AbortSignal): Promise<void> => {
    // changes wait in the database, and are looked at each second
    if (!options.comparison.isDone()) return;
    running ??= runAll(signal).finally(() => {
      running = undefined;
    });
    await running;
  };
  const wake = (after: number) => {
    if (isClosed) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      // what failed is due, and tried again by the next run
      run().catch((error: unknown) => logger.warn({ err: error }, 'status lists could not be published'));
    }, after).unref();
  };
  const unsubscribe = hub.subscribe((change) => {
    if (!change.startsWith('l:')) wake(PAUSE);
  });
  return {
    run,
    async close() {
      isClosed = true;
      unsubscribe();
      clearTimeout(timer);
      await running?.catch(() => {});
      await settling;
    },
  };
}

/** Nothing is given back to the file system, which would lock out readers. */
const VACUUM: readonly RawBuilder<unknown>[] = [
  sql`vacuum (truncate false) status_list_tokens`,
  sql`vacuum (truncate false) status_changes`,
];
