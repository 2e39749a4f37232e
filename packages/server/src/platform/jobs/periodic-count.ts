import type { ScheduledTask } from './scheduled-tasks.ts';

export interface PeriodicCount<T> {
  /** The last count; `null` before the first one, and in processes without scheduled tasks. */
  readonly latest: () => T | null;
  readonly task: ScheduledTask;
}

/** A count over all nodes for the metrics, made at start and then periodically, independent of how often metrics are scraped. */
export function countPeriodically<T>({
  name,
  every,
  count,
}: {
  /** Name of the task in the log. */
  readonly name: string;
  /** Milliseconds between two counts. */
  readonly every: number;
  readonly count: () => Promise<T>;
}): PeriodicCount<T> {
  let latest: T | null = null;
  const run = async () => {
    latest = await count();
  };
  return { latest: () => latest, task: { name, every, atStart: true, run } };
}
