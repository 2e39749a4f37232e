/** One thing to measure: it answers whether its credential is good. */
export interface Contender {
  readonly name: string;
  readonly run: () => boolean | Promise<boolean>;
}

/** Median of the rates of these rounds, in verifications a second of processor time. */
export interface Rate {
  readonly name: string;
  readonly perSecond: number;
}

const ROUNDS = 21;
const ROUND_MICROSECONDS = 100_000;

/**
 * Measures all of them in turns, round by round, so that what else the machine does weighs on each alike.
 *
 * @throws Error when one refuses its own credential: then there is nothing to compare
 */
export async function race(contenders: readonly Contender[]): Promise<Rate[]> {
  for (const contender of contenders) {
    if (!(await contender.run())) throw new Error(`${contender.name} does not verify its own credential`);
    await round(contender);
  }
  const rates = contenders.map((): number[] => []);
  for (let i = 0; i < ROUNDS; i++) {
    for (const [at, contender] of contenders.entries()) rates[at]?.push(await round(contender));
  }
  return contenders.map(({ name }, at) => ({ name, perSecond: median(rates[at] ?? []) }));
}

/** By the processor time of this thread, so that a machine with other work to do tells the same. */
async function round({ run }: Contender): Promise<number> {
  const start = process.threadCpuUsage();
  let count = 0;
  let spent = 0;
  while (spent < ROUND_MICROSECONDS) {
    for (let i = 0; i < 10; i++) await run();
    count += 10;
    const { user, system } = process.threadCpuUsage(start);
    spent = user + system;
  }
  return (count * 1_000_000) / spent;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
