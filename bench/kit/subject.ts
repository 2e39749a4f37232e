import type { Measure } from './rounds.ts';

/** Something to measure in this process. */
export interface Subject {
  readonly name: string;
  /** The measured function. */
  readonly run: () => unknown;
  /** Whether the result of `run` means that its credential is valid. */
  readonly isGood: (answer: unknown) => boolean;
}

const WARM_UP_MICROSECONDS = 1_000_000;

/**
 * Processor time of one run by this thread, in microseconds: waiting for a processor does not count.
 *
 * @param microseconds - approximate time of one measurement, long enough to include the collection of its garbage
 * @throws Error if it rejects its own credential: then there is nothing to compare
 */
export async function costOfRun(subject: Subject, microseconds = 20_000): Promise<Measure> {
  const { name, run, isGood } = subject;
  if (!isGood(await run())) throw new Error(`${name} does not verify its own credential.`);
  let spent = 0;
  let warm = 0;
  for (; spent < WARM_UP_MICROSECONDS; warm += 10) spent += await timeOf(subject, 10);
  const runs = Math.ceil((microseconds * warm) / spent);
  return async () => (await timeOf(subject, runs)) / runs;
}

async function timeOf({ run }: Subject, runs: number): Promise<number> {
  await run(); // fills the processor caches, which contain data of the previous measurement
  const start = process.threadCpuUsage();
  for (let i = 0; i < runs; i++) await run();
  const { user, system } = process.threadCpuUsage(start);
  return user + system;
}
