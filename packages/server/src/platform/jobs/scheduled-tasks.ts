import type { Logger } from 'pino';

export interface ScheduledTask {
  readonly name: string;
  /** Milliseconds between runs. */
  readonly every: number;
  /** It runs as soon as tasks are started, too; else its first run comes after `every`. */
  readonly atStart?: boolean;
  readonly run: () => Promise<unknown>;
}

/** Milliseconds between the first runs of two tasks: those of one pace would each ask for a connection of the database at once. */
const APART = 150;

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
  const timers = new Map<ScheduledTask, NodeJS.Timeout>();
  const begin = (task: ScheduledTask) => {
    if (running.has(task)) return;
    running.set(
      task,
      runTask(task, logger).finally(() => running.delete(task)),
    );
  };
  for (const [place, task] of tasks.entries()) {
    const repeat = () => timers.set(task, setInterval(begin, task.every, task).unref());
    timers.set(task, setTimeout(repeat, place * APART).unref());
    if (task.atStart === true) begin(task);
  }
  return {
    async close() {
      for (const timer of timers.values()) clearTimeout(timer);
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
