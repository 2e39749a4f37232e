import { measureImport } from '../catalogue/import.ts';
import { median, ratioOf } from '../kit/rounds.ts';
import { rate } from '../kit/row.ts';
import type { Bench } from '../kit/run.ts';

const ROUNDS = 2;
const PRODUCTS = 50_000;

/** An NDJSON import into an empty store, compared with COPY of the same rows. */
export const importing: Bench = async ({ tell }) => {
  const rounds = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    rounds.push(await measureImport(PRODUCTS));
    tell(`round ${round} of ${ROUNDS}`);
  }
  const imported = rounds.map((round) => round.imported);
  const copied = rounds.map((round) => round.copied);
  const peak = Math.max(...rounds.map(({ peakMb }) => peakMb));
  return [
    {
      name: `import of ${PRODUCTS.toLocaleString('en')} products`,
      against: 'COPY of the same rows',
      ratio: ratioOf(imported, copied),
      goal: ['>=', 0.25],
      detail: `${rate(median(imported))} against ${rate(median(copied))}; the service took ${peak.toFixed(0)} MB at most`,
    },
  ];
};
