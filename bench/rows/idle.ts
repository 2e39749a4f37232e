import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { alternate, type Measure, median, summary } from '../kit/rounds.ts';
import { type Row, round } from '../kit/row.ts';
import type { Bench } from '../kit/run.ts';
import { startService } from '../kit/server.ts';

/** Number of measured spans; the span before them belongs to the start. */
const ROUNDS = 3;
/** Milliseconds of a span. */
const SPAN = 20_000;
/** Maximum share of a core for a service without requests. */
const SHARE = 0.01;

/** An idle minute: processor time of a whole installation with default settings, including its database. */
export const idle: Bench = async ({ folder, onEnd }) => {
  const settings = {
    TOUCHSTONE_PROCESSES: '2',
    TOUCHSTONE_IMAGE_CONCURRENT: '8',
    TOUCHSTONE_CERTIFICATES_AHEAD: 'true',
    TOUCHSTONE_SWEEPS: 'true',
  };
  const service = await startService({ folder: join(folder, 'service'), settings });
  onEnd(service.close);
  const shareOfCore: Measure = async () => {
    const [before, begun] = [await service.cpuWithDatabase(), performance.now()];
    await delay(SPAN);
    return ((await service.cpuWithDatabase()) - before) / 1_000 / (performance.now() - begun);
  };
  const { shares } = await alternate(ROUNDS, { shares: shareOfCore });
  const row: Row = {
    name: 'idle, two processes and PostgreSQL',
    against: '1 % of a core',
    ratio: summary(shares.map((share) => share / SHARE)),
    goal: ['<=', 1],
    detail: `${round(median(shares) * 60)} s of processor time a minute`,
  };
  return [row];
};
