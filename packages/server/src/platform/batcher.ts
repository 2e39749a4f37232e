export interface BatcherOptions<I, O> {
  /**
   * Returns the results in the order of the items. An error in place of a result fails only that item, a thrown one the whole
   * batch.
   */
  readonly run: (items: readonly I[]) => Promise<readonly (O | Error)[]>;
  readonly maxItems: number;
  /** Concurrent batches; calls made meanwhile wait for the next ones. */
  readonly maxRunning: number;
}

/**
 * Combines the calls of one iteration of the event loop, and those that wait for earlier batches, into batches. A single call is
 * not delayed. A batch begins after all of its calls, so it never reads data from before a call.
 */
export function createBatcher<I, O>({
  run,
  maxItems,
  maxRunning,
}: BatcherOptions<I, O>): (item: I) => Promise<O> {
  const waiting: { readonly item: I; readonly settle: (answer: O | Error) => void }[] = [];
  let running = 0;
  let isScheduled = false;

  const runBatch = async () => {
    const batch = waiting.splice(0, maxItems);
    running += 1;
    const answers = await run(batch.map(({ item }) => item)).catch((error: unknown) => asError(error));
    running -= 1;
    schedule();
    for (const [index, { settle }] of batch.entries())
      settle(answers instanceof Error ? answers : (answers[index] as O | Error));
  };

  const schedule = () => {
    if (isScheduled || waiting.length === 0 || running >= maxRunning) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      while (waiting.length > 0 && running < maxRunning) void runBatch();
    });
  };

  return (item) =>
    new Promise((resolve, reject) => {
      const settle = (answer: O | Error) => (answer instanceof Error ? reject(answer) : resolve(answer));
      waiting.push({ item, settle });
      schedule();
    });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
