import type { ScheduledTask } from './scheduled-tasks.ts';

export interface PeriodicCount<T> {
  /** As last counted; `null` before the first time, and in processes that run no scheduled tasks. */
  readonly latest: () => T | null;
  readonly task: ScheduledTask;
}

/** Something over all nodes for the metrics: counted at start and then at its own pace, however often metrics are scraped. */
export function countPeriodically<T>({
  name,
  every,
  count,
}: {
  /** Of the task, in the log. */
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
