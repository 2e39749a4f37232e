import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { GETS_PER_SECOND, slowest } from '../kit/latency.ts';
import { median, ratioOf } from '../kit/rounds.ts';
import { type Row, rate, round } from '../kit/row.ts';
import type { Bench } from '../kit/run.ts';
import { type Service, startService } from '../kit/server.ts';
import { addShop, certificatePath, type Shop } from '../kit/shop.ts';
import { signaturesPerSecond } from '../kit/signing.ts';

const ROUNDS = 3;
const PRODUCTS = 4_000;
/** Seconds of GETs in one measurement. */
const SPAN = 4;

/**
 * The job that makes certificates before anyone asks, beside bare RSA-2048 signing on all cores; and warm GETs beside it. A new
 * name of the store, which every certificate states, makes all of them due.
 */
export const issuingAhead: Bench = async ({ folder, tell, onEnd }) => {
  const settings = { TOUCHSTONE_CERTIFICATES_AHEAD: 'true' };
  const service = await startService({ folder: join(folder, 'service'), settings });
  onEnd(service.close);
  const shop = await addShop(service, PRODUCTS, 3);
  const other = await addShop(service, 1);
  await untilDone(service, shop);
  const figures = { issued: [], signed: [], alone: [], beside: [], issuedBeside: [] } as Record<
    'issued' | 'signed' | 'alone' | 'beside' | 'issuedBeside',
    number[]
  >;
  const warm = certificatePath(String(other.productIds[0]));
  for (let nth = 0; nth <= ROUNDS; nth += 1) {
    tell(`round ${nth} of ${ROUNDS}`);
    const signed = await signaturesPerSecond();
    await rename(service, shop, `Round ${nth}`);
    const issued = await untilDone(service, shop);
    const alone = await slowest(service, warm, SPAN);
    await rename(service, shop, `Round ${nth} beside GETs`);
    const beside = await slowest(service, warm, SPAN);
    const { done } = await progressOf(service, shop);
    await untilDone(service, shop);
    if (nth === 0) continue;
    figures.signed.push(signed);
    figures.issued.push(issued);
    figures.alone.push(alone);
    figures.beside.push(beside);
    figures.issuedBeside.push(done / SPAN);
  }
  return [
    {
      name: 'certificates issued by the job',
      against: 'RSA-2048 signing on all cores',
      ratio: ratioOf(figures.issued, figures.signed),
      goal: ['>=', 0.55],
      detail: `${rate(median(figures.issued))}, signing ${rate(median(figures.signed))}`,
    },
    {
      name: 'GET p99 beside the job',
      against: 'the same without it',
      ratio: ratioOf(figures.beside, figures.alone),
      goal: ['<=', 2],
      detail: `${round(median(figures.beside))} ms, alone ${round(median(figures.alone))} ms, at ${GETS_PER_SECOND} GETs a second; ${rate(median(figures.issuedBeside))} issued beside them`,
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

/** @returns certificates a second, by the times that the service itself recorded */
async function untilDone(service: Service, shop: Shop): Promise<number> {
  for (;;) {
    // seldom: the job makes way for whoever asks
    await delay(4_000);
    const { left, done, since = '', doneAt = '' } = await progressOf(service, shop);
    if (left === 0 && done > 0) return done / ((Date.parse(doneAt) - Date.parse(since)) / 1_000);
  }
}
