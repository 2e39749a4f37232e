/** One thing to measure. */
export interface Subject {
  readonly name: string;
  /** What is measured, and nothing else. */
  readonly run: () => unknown;
  /** Whether what `run` answered means that its credential is good. */
  readonly isGood: (answer: unknown) => boolean;
}

/** Verifications a second of processor time. */
export interface Rate {
  readonly name: string;
  readonly perSecond: number;
}

const WARM_UP_MICROSECONDS = 1_000_000;
const ROUNDS = 1000;
const ROUND_MICROSECONDS = 2000;

/**
 * Measures all of them in rounds. A round is so short that what else the machine does meets each alike: longer ones
 * said more about other programs than about the code. All rounds are summed, so that each pays for its own garbage.
 *
 * @throws Error when one refuses its own credential: then there is nothing to compare
 */
export async function measure(subjects: readonly Subject[]): Promise<Rate[]> {
  const measured: { subject: Subject; runs: number; spent: number }[] = [];
  for (const subject of subjects) {
    const { name, run, isGood } = subject;
    if (!isGood(await run())) throw new Error(`${name} does not verify its own credential`);
    let spent = 0;
    let warm = 0;
    for (; spent < WARM_UP_MICROSECONDS; warm += 10) spent += await timeOf(subject, 10);
    const runs = Math.ceil((ROUND_MICROSECONDS * warm) / spent);
    measured.push({ subject, runs, spent: 0 });
  }
  for (let i = 0; i < ROUNDS; i++) {
    for (const one of measured) one.spent += await timeOf(one.subject, one.runs);
  }
  return measured.map(({ subject: { name }, runs, spent }) => ({
    name,
    perSecond: (runs * ROUNDS * 1_000_000) / spent,
  }));
}

/** Microseconds of processor time of this thread, so that waiting for the processor does not count. */
async function timeOf({ run }: Subject, runs: number): Promise<number> {
  await run(); // fills the caches, which the one before has left full of its own
  const start = process.threadCpuUsage();
  for (let i = 0; i < runs; i++) await run();
  const { user, system } = process.threadCpuUsage(start);
  return user + system;
}
