export interface BatcherOptions<I, O> {
  /**
   * Answers each item at its place. An error in the place of an answer fails that item alone, one that is thrown fails
   * the whole batch.
   */
  readonly run: (items: readonly I[]) => Promise<readonly (O | Error)[]>;
  readonly maxItems: number;
  /** Batches under way at once; what is asked meanwhile waits and forms the next ones. */
  readonly maxRunning: number;
}

/**
 * Combines calls of one turn of the event loop, and those that wait while earlier batches run, into batches. Alone, a call
 * waits for nobody. A batch begins after each of its calls: what it reads is never older than the question.
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
