/** A ratio of two alternating measurements: its median over the rounds, and its interquartile range. */
export interface Ratio {
  readonly figure: number;
  readonly least: number;
  readonly most: number;
}

/** One measurement: a cost, or a rate per second. */
export type Measure = () => Promise<number>;

/**
 * Takes each measurement once per round, so that other load affects all equally; the order changes from round to round. The first round is
 * a warm-up and does not count.
 */
export async function alternate<M extends Readonly<Record<string, Measure>>>(
  rounds: number,
  measures: M,
): Promise<{ [N in keyof M]: number[] }> {
  const entries = Object.entries(measures).map(([name, measure]) => ({
    name,
    measure,
    figures: [] as number[],
  }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const { measure, figures } of round % 2 === 0 ? entries : entries.toReversed()) {
      const figure = await measure();
      if (round > 0) figures.push(figure);
    }
  }
  return Object.fromEntries(entries.map(({ name, figures }) => [name, figures])) as {
    [N in keyof M]: number[];
  };
}

/** The ratios of each round, so that a slow minute of the machine affects both sides. */
export function ratioOf(above: readonly number[], below: readonly number[]): Ratio {
  return summary(above.map((figure, round) => figure / (below[round] ?? Number.NaN)));
}

export function summary(figures: readonly number[]): Ratio {
  return { figure: median(figures), least: quantile(figures, 0.25), most: quantile(figures, 0.75) };
}

export function median(figures: readonly number[]): number {
  return quantile(figures, 0.5);
}

function quantile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const [below = Number.NaN, above = Number.NaN] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return below + (above - below) * (at - Math.floor(at));
}
