import type { StoreDay } from '@touchstone/contract';

/** One line of a chart, and column of its table. */
export interface Series {
  readonly name: string;
  readonly values: readonly number[];
  /** Dash pattern that distinguishes its line without colours. */
  readonly dash?: readonly number[];
}

type Named = Readonly<Record<string, string>>;

/** Available certificates, and certified images. */
export function coverageSeries(
  days: readonly StoreDay[],
  names: { certificates: string; imagesDone: string },
): Series[] {
  return [
    { name: names.certificates, values: days.map(({ certificates }) => certificates) },
    { name: names.imagesDone, values: days.map(({ images }) => images.certified), dash: [6, 4] },
  ];
}

const DASHES: readonly (readonly number[])[] = [[], [6, 4], [2, 3], [10, 3, 2, 3], [10, 4], [4, 2], [1, 4]];

/** Pages by result; results without any page are left out, except the good one. */
export function verdictSeries(days: readonly StoreDay[], names: Named): Series[] {
  const results = Object.keys(days[0]?.pages ?? {}) as (keyof StoreDay['pages'])[];
  return results
    .map((result) => ({
      result,
      name: names[result] ?? result,
      values: days.map(({ pages }) => pages[result]),
    }))
    .filter(({ result, values }) => result === 'verified' || values.some((value) => value > 0))
    .map(({ name, values }, index) => withDash(name, values, DASHES[index % DASHES.length] ?? []));
}

export function renewalSeries(
  days: readonly StoreDay[],
  names: { issued: string; renewed: string; withdrawn: string },
): Series[] {
  return [
    { name: names.issued, values: days.map(({ issued }) => issued) },
    { name: names.renewed, values: days.map(({ renewed }) => renewed), dash: [6, 4] },
    { name: names.withdrawn, values: days.map(({ withdrawn }) => withdrawn), dash: [2, 3] },
  ];
}

function withDash(name: string, values: readonly number[], dash: readonly number[]): Series {
  return dash.length === 0 ? { name, values } : { name, values, dash };
}
