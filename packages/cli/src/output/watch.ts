import type { Io } from '../io.ts';
import { createProgress, type Progress } from './progress.ts';

/** Milliseconds between two questions. */
const PACE = 1_000;

/**
 * Asks again and again how far something is, until it is done or the person stops it.
 *
 * @param things - what is counted, in words
 * @param tell - tells how far an answer says it is, and whether that is all
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
