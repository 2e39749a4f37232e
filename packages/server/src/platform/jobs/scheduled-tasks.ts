import type { Logger } from 'pino';

export interface ScheduledTask {
  readonly name: string;
  /** Milliseconds between runs. */
  readonly every: number;
  readonly run: () => Promise<unknown>;
}

/**
 * Runs tasks beside the service, each at its own pace and never twice at once; a failure is logged.
 *
 * For what every node may do at any time and where a run that is missed costs nothing: each task asks the database what
 * is due, in small batches, and is right on any number of nodes at once. What must not be lost is a job.
 */
export function startScheduledTasks(
  tasks: readonly ScheduledTask[],
  logger: Logger,
): { close(): Promise<void> } {
  const running = new Map<ScheduledTask, Promise<void>>();
  const timers = tasks.map((task) => {
    const timer = setInterval(() => {
      if (running.has(task)) return;
      running.set(
        task,
        runTask(task, logger).finally(() => running.delete(task)),
      );
    }, task.every);
    timer.unref();
    return timer;
  });
  return {
    async close() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(running.values());
    },
  };
}

async function runTask(task: ScheduledTask, logger: Logger): Promise<void> {
  try {
    const result = await task.run();
    logger.debug({ task: task.name, result }, 'scheduled task done');
  } catch (error) {
    logger.warn({ task: task.name, err: error }, 'a scheduled task failed and will be tried again');
  }
}
