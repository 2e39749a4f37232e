/**
 * Issues certificates in a service as fast as it can, and measures how far its transparency log is behind: `npm run bench:log -- behind
 * [products]`, by default 100,000, each with a certificate of its own. Exits with 1 if the last proof was published more than 5 seconds after
 * the last certificate was issued.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { query, startDatabase } from '../kit/database.ts';
import { rate, round } from '../kit/row.ts';
import { startService } from '../kit/server.ts';
import { addShop } from '../kit/shop.ts';

/** Seconds. */
const MOST = 5;
const SAMPLED_EVERY = 500;

interface Log {
  readonly size: number;
  readonly waiting: number;
  readonly publishedAt?: string;
  readonly refusal?: string;
}

const products = Number(process.argv[2] ?? 100_000);
if (!Number.isSafeInteger(products) || products < 1) throw new Error('How many products? A whole number.');
const folder = await mkdtemp(join(tmpdir(), 'touchstone-behind-'));
const closers: (() => Promise<unknown>)[] = [];
const onEnd = (close: () => Promise<unknown>) => {
  closers.unshift(close);
};

try {
  process.exitCode = (await measure()) <= MOST ? 0 : 1;
} finally {
  for (const close of closers) await close();
  await rm(folder, { recursive: true, force: true });
}

/** @returns seconds between the last certificate and the checkpoint that has its proof */
async function measure(): Promise<number> {
  const database = await startDatabase({ onEnd }, join(folder, 'database'));
  const settings = { TOUCHSTONE_DATABASE_URL: database, TOUCHSTONE_CERTIFICATES_AHEAD: 'true' };
  const service = await startService({ folder: join(folder, 'service'), settings });
  onEnd(() => service.close());
  const behind: number[] = [];
  const sampling = sample(database, behind);
  const { storeId } = await addShop(service, products);
  const issued = async () =>
    (await service.call('GET', `/registry/stores/${storeId}/certificates/progress`)) as unknown as {
      left: number;
      done: number;
      since: string;
      doneAt: string;
    };
  let progress = await issued();
  while (progress.left > 0 || progress.done === 0) {
    await delay(SAMPLED_EVERY);
    progress = await issued();
  }
  const log = await untilLogged(service);
  sampling.stop();
  await sampling.ended;
  const late = (Date.parse(log.publishedAt ?? '') - Date.parse(progress.doneAt)) / 1_000;
  const [{ seconds, count } = {}] = await query(
    database,
    'select extract(epoch from max(entered_at) - min(entered_at))::float8 as seconds, count(*)::int as count from log_leaves',
    [],
  );
  const sorted = behind.toSorted((a, b) => a - b);
  const at = (share: number) => round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
  console.log(
    `${count} certificates at ${rate(Number(count) / Number(seconds))}; the log has ${log.size}, the last of them ${round(late)} s after it was issued (at most ${MOST})`,
  );
  console.log(
    `  the oldest proof without a place had waited: median ${at(0.5)} s, p99 ${at(0.99)} s, longest ${at(1)} s (${sorted.length} samples)`,
  );
  return late;
}

/** Asks the database how long the oldest leaf without a place has waited, in seconds. */
function sample(database: string, into: number[]) {
  const stopping = new AbortController();
  const run = async () => {
    while (!stopping.signal.aborted) {
      const [row] = await query(
        database,
        'select coalesce(extract(epoch from now() - min(entered_at)), 0)::float8 as seconds from log_leaves where index is null',
        [],
      );
      into.push(Number(row?.seconds));
      await delay(SAMPLED_EVERY);
    }
  };
  return { stop: () => stopping.abort(), ended: run() };
}

async function untilLogged({ call }: Pick<Awaited<ReturnType<typeof startService>>, 'call'>): Promise<Log> {
  for (;;) {
    const { logs } = (await call('GET', '/mc4p/log')) as unknown as { readonly logs: readonly Log[] };
    const log = logs.find(({ size }) => size > 0);
    const refusal = logs.find((one) => one.refusal !== undefined)?.refusal;
    if (refusal !== undefined) throw new Error(refusal);
    if (log !== undefined && log.waiting === 0 && log.size >= products) return log;
    await delay(100);
  }
}
