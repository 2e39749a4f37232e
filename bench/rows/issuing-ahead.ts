import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startDatabase } from '../kit/database.ts';
import { GETS_PER_SECOND } from '../kit/latency.ts';
import { besideRenewals } from '../kit/renewals.ts';
import { alternate, median, ratioOf } from '../kit/rounds.ts';
import { type Row, rate, round } from '../kit/row.ts';
import type { Bench } from '../kit/run.ts';
import { type Service, startService } from '../kit/server.ts';
import { addShop, type Shop } from '../kit/shop.ts';
import { signaturesPerSecond } from '../kit/signing.ts';

const ROUNDS = 3;
const ROUNDS_BESIDE = 6;
const PRODUCTS = 4_000;

/**
 * The job that issues certificates before they are requested, compared with bare RSA-2048 signing on all cores; and cached GETs with and
 * without concurrent renewals. Renaming the store, whose name is in every certificate, makes all of them due.
 */
export const issuingAhead: Bench = async (context) => {
  const { folder, tell, onEnd } = context;
  const databaseUrl = await startDatabase(context, join(folder, 'database'));
  const service = await startService({
    folder: join(folder, 'service'),
    settings: { TOUCHSTONE_DATABASE_URL: databaseUrl, TOUCHSTONE_CERTIFICATES_AHEAD: 'true' },
  });
  onEnd(service.close);
  const shop = await addShop(service, PRODUCTS, 3);
  await untilDone(service, shop);
  let names = 0;
  const { signed, issued } = await alternate(ROUNDS, {
    signed: signaturesPerSecond,
    issued: async () => {
      names += 1;
      await rename(service, shop, `Name ${names}`);
      return untilDone(service, shop);
    },
  });
  tell('GETs beside renewals');
  const gets = await besideRenewals({ service, databaseUrl, storeId: shop.storeId }, ROUNDS_BESIDE);
  return [
    {
      name: 'certificates issued by the job',
      against: 'RSA-2048 signing on all cores',
      ratio: ratioOf(issued, signed),
      goal: ['>=', 0.55],
      detail: `${rate(median(issued))}, signing ${rate(median(signed))}`,
    },
    {
      name: 'GET p99 beside renewals',
      against: 'the same without them',
      ratio: ratioOf(gets.beside, gets.alone),
      goal: ['<=', 2],
      detail: `${round(median(gets.beside))} ms, alone ${round(median(gets.alone))} ms, at ${GETS_PER_SECOND} GETs a second; ${rate(median(gets.renewed))} renewed beside them`,
    },
  ] satisfies Row[];
};

const progressOf = async ({ call }: Service, { storeId }: Shop) =>
  (await call('GET', `/registry/stores/${storeId}/certificates/progress`)) as {
    left: number;
    done: number;
    since?: string;
    doneAt?: string;
  };

const rename = ({ call }: Service, { storeId }: Shop, name: string) =>
  call('PATCH', `/registry/stores/${storeId}`, { name });

/** @returns certificates per second, by the times that the service recorded */
async function untilDone(service: Service, shop: Shop): Promise<number> {
  for (;;) {
    // polls rarely, since the job yields to requests
    await delay(4_000);
    const { left, done, since = '', doneAt = '' } = await progressOf(service, shop);
    if (left === 0 && done > 0) return done / ((Date.parse(doneAt) - Date.parse(since)) / 1_000);
  }
}
