import type { Logger } from 'pino';

export interface Chore {
  readonly name: string;
  /** Milliseconds between runs. */
  readonly every: number;
  readonly run: () => Promise<unknown>;
}

/** Runs chores beside the service, each at its own pace and never twice at once; a failure is logged. */
export function startMaintenance(chores: readonly Chore[], logger: Logger): { close(): Promise<void> } {
  const underWay = new Set<Promise<void>>();
  const timers = chores.map((chore) => {
    let busy = false;
    const timer = setInterval(() => {
      if (busy) return;
      busy = true;
      const run = runChore(chore, logger).finally(() => {
        busy = false;
        underWay.delete(run);
      });
      underWay.add(run);
    }, chore.every);
    timer.unref();
    return timer;
  });
  return {
    async close() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(underWay);
    },
  };
}

async function runChore(chore: Chore, logger: Logger): Promise<void> {
  try {
    const result = await chore.run();
    logger.debug({ chore: chore.name, result }, 'chore done');
  } catch (error) {
    logger.warn({ chore: chore.name, err: error }, 'a chore failed and will be tried again');
  }
}
