import type { Logger } from 'pino';
import { levelOf } from '../log/fault-log.ts';

export interface ScheduledTask {
  readonly name: string;
  /** Milliseconds between runs. */
  readonly every: number;
  /** Whether it also runs at the start; else its first run is after `every`. */
  readonly atStart?: boolean;
  /** @param signal - aborted when the tasks are closed, which waits for the run */
  readonly run: (signal: AbortSignal) => Promise<unknown>;
}

/** Milliseconds between the starts of two tasks, so that tasks with the same interval do not all need a connection at once. */
const STAGGER = 150;

/**
 * Runs tasks in the background, each at its own interval and never twice at once; a failure is logged.
 *
 * For maintenance that may miss a run: each task queries the database for what is due, in small batches, and may run on any
 * number of nodes at once. Work that must not be lost is a job.
 */
export function startScheduledTasks(
  tasks: readonly ScheduledTask[],
  logger: Logger,
): { close(): Promise<void> } {
  const running = new Map<ScheduledTask, Promise<void>>();
  const timers = new Map<ScheduledTask, NodeJS.Timeout>();
  const closing = new AbortController();
  const begin = (task: ScheduledTask) => {
    if (running.has(task)) return;
    running.set(
      task,
      runTask(task, logger, closing.signal).finally(() => running.delete(task)),
    );
  };
  for (const [index, task] of tasks.entries()) {
    const repeat = () => timers.set(task, setInterval(begin, task.every, task).unref());
    timers.set(task, setTimeout(repeat, index * STAGGER).unref());
    if (task.atStart === true) begin(task);
  }
  return {
    async close() {
      for (const timer of timers.values()) clearTimeout(timer);
      closing.abort();
      await Promise.all(running.values());
    },
  };
}

async function runTask(task: ScheduledTask, logger: Logger, signal: AbortSignal): Promise<void> {
  try {
    const result = await task.run(signal);
    logger.debug({ task: task.name, result }, 'scheduled task done');
  } catch (error) {
    logger[levelOf(error)](
      { task: task.name, err: error },
      'a scheduled task failed and will be tried again',
    );
  }
}
