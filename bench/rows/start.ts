import { join } from 'node:path';
import { alternate, type Measure, median, type Ratio, summary } from '../kit/rounds.ts';
import { type Row, round } from '../kit/row.ts';
import type { Bench } from '../kit/run.ts';
import { startService } from '../kit/server.ts';

const ROUNDS = 4;
/** Maximum seconds of a start: the first, which creates the database, and any later one. */
const FIRST = 3;
const AGAIN = 1.2;

/** Starts until the first response, including the database, compared with their limits. */
export const start: Bench = async ({ folder }) => {
  let folders = 0;
  const secondsOf =
    (folderOf: () => string): Measure =>
    async () => {
      const begun = performance.now();
      const service = await startService({ folder: folderOf() });
      const seconds = (performance.now() - begun) / 1_000;
      await service.close();
      return seconds;
    };
  const figures = await alternate(ROUNDS, {
    first: secondsOf(() => {
      folders += 1;
      return join(folder, String(folders));
    }),
    again: secondsOf(() => join(folder, 'kept')),
  });
  const row = (name: string, most: number, seconds: readonly number[]): Row => ({
    name,
    against: `${most} s`,
    ratio: shareOf(most, summary(seconds)),
    goal: ['<=', 1],
    detail: `${round(median(seconds))} s`,
  });
  return [row('first start', FIRST, figures.first), row('start again', AGAIN, figures.again)];
};

function shareOf(most: number, { figure, least, most: longest }: Ratio): Ratio {
  return { figure: figure / most, least: least / most, most: longest / most };
}
