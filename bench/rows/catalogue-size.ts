import { fill } from '../catalogue/size/fill.ts';
import { openRegistry } from '../catalogue/size/open-registry.ts';
import { operations } from '../catalogue/size/operations.ts';
import { alternate, median, ratioOf } from '../kit/rounds.ts';
import { type Row, round } from '../kit/row.ts';
import type { Bench } from '../kit/run.ts';

const SMALL = 1_000;
/** `npm run bench:catalogue -- size` has a million, which takes longer to fill. */
const LARGE = 200_000;
const ROUNDS = 12;

/** Every write and listing of the registry in a large store, compared with a small one. */
export const catalogueSize: Bench = async ({ folder, onEnd, tell }) => {
  const { registry, close } = await openRegistry(folder);
  onEnd(close);
  const small = await fill(registry, 'small', SMALL);
  const large = await fill(registry, 'large', LARGE);
  tell(`${LARGE.toLocaleString('en')} products are there`);
  const rows: Row[] = [];
  for (const { name, run } of operations(registry)) {
    const millisecondsOf = (shop: typeof small) => {
      let turn = 0;
      return async () => {
        const begun = performance.now();
        await run(shop, turn);
        turn += 1;
        return performance.now() - begun;
      };
    };
    const figures = await alternate(ROUNDS, { small: millisecondsOf(small), large: millisecondsOf(large) });
    rows.push({
      name,
      against: `the same with ${SMALL.toLocaleString('en')} products`,
      ratio: ratioOf(figures.large, figures.small),
      goal: ['<=', 1.25],
      detail: `${round(median(figures.large))} ms against ${round(median(figures.small))} ms`,
    });
  }
  return rows;
};
