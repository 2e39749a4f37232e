import type { Ratio } from './rounds.ts';

/** One row of the table: a ratio of two alternating measurements of one run. */
export interface Row {
  readonly name: string;
  /** The divisor of the ratio. */
  readonly against: string;
  readonly ratio: Ratio;
  /** `>=`: the minimum of the ratio; `<=`: its maximum. */
  readonly goal: readonly ['>=' | '<=', number];
  /** The figures behind the ratio, as text. */
  readonly detail: string;
}

export function isMet({ ratio, goal: [sign, bound] }: Row): boolean {
  return sign === '>=' ? ratio.figure >= bound : ratio.figure <= bound;
}

export function line(row: Row): string {
  const { name, against, ratio, goal, detail } = row;
  const [sign, bound] = goal;
  const spread = `(${round(ratio.least)} to ${round(ratio.most)})`;
  const cells = [
    name.padEnd(38),
    against.padEnd(46),
    round(ratio.figure).padStart(7),
    spread.padEnd(18),
    `${sign === '>=' ? '≥' : '≤'} ${bound}`.padEnd(8),
    (isMet(row) ? 'met' : 'MISSED').padEnd(7),
    detail,
  ];
  return cells.join(' ').trimEnd();
}

export function round(figure: number): string {
  return figure >= 100 ? figure.toFixed(0) : figure.toPrecision(3);
}

/** `12,300/s` */
export function rate(perSecond: number): string {
  return `${Math.round(perSecond).toLocaleString('en')}/s`;
}

/** `31.4 µs` */
export function cost(microseconds: number): string {
  return `${round(microseconds)} µs`;
}
