import type { Io } from '../io.ts';
import { createProgress, type Progress } from './progress.ts';

/** Poll interval in milliseconds. */
const PACE = 1_000;

/**
 * Polls the progress of a task until it is done or the user stops it.
 *
 * @param things - what is counted, in the plural
 * @param tell - shows the progress of an answer; returns whether the task is done
 * @returns the last answer
 */
export async function watch<T>(
  io: Io,
  things: string,
  ask: () => Promise<T>,
  tell: (answer: T, progress: Progress) => boolean,
): Promise<T> {
  const progress = createProgress(io, things);
  try {
    for (;;) {
      const answer = await ask();
      if (tell(answer, progress) || io.stop.aborted) return answer;
      await io.sleep(PACE);
    }
  } finally {
    progress.end();
  }
}
