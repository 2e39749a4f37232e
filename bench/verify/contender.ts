/** One thing to measure. */
export interface Contender {
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
const TURNS = 1000;
const TURN_MICROSECONDS = 2000;

/**
 * Measures all of them in turns. A turn is so short that what else the machine does meets each alike: longer ones
 * told more about the neighbours than about the code. All turns are summed, so that each pays for its own garbage.
 *
 * @throws Error when one refuses its own credential: then there is nothing to compare
 */
export async function race(contenders: readonly Contender[]): Promise<Rate[]> {
  const entrants: { contender: Contender; runs: number; spent: number }[] = [];
  for (const contender of contenders) {
    const { name, run, isGood } = contender;
    if (!isGood(await run())) throw new Error(`${name} does not verify its own credential`);
    let spent = 0;
    let warm = 0;
    for (; spent < WARM_UP_MICROSECONDS; warm += 10) spent += await turn(contender, 10);
    const runs = Math.ceil((TURN_MICROSECONDS * warm) / spent);
    entrants.push({ contender, runs, spent: 0 });
  }
  for (let i = 0; i < TURNS; i++) {
    for (const entrant of entrants) entrant.spent += await turn(entrant.contender, entrant.runs);
  }
  return entrants.map(({ contender: { name }, runs, spent }) => ({
    name,
    perSecond: (runs * TURNS * 1_000_000) / spent,
  }));
}

/** Microseconds of processor time of this thread, so that waiting for the processor does not count. */
async function turn({ run }: Contender, runs: number): Promise<number> {
  await run(); // fills the caches, which the one before has left full of its own
  const start = process.threadCpuUsage();
  for (let i = 0; i < runs; i++) await run();
  const { user, system } = process.threadCpuUsage(start);
  return user + system;
}
