import type { Measure } from './rounds.ts';

/** Something to measure within this process. */
export interface Subject {
  readonly name: string;
  /** What is measured, and nothing else. */
  readonly run: () => unknown;
  /** Whether what `run` answered means that its credential is good. */
  readonly isGood: (answer: unknown) => boolean;
}

const WARM_UP_MICROSECONDS = 1_000_000;

/**
 * Processor time of one run, in microseconds, this thread's alone: waiting for the processor does not count.
 *
 * @param microseconds - of one measurement, about: long enough for its own garbage to be collected in it
 * @throws Error when it refuses its own credential: then there is nothing to compare
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
  await run(); // fills the caches, which the one before has left full of its own
  const start = process.threadCpuUsage();
  for (let i = 0; i < runs; i++) await run();
  const { user, system } = process.threadCpuUsage(start);
  return user + system;
}
