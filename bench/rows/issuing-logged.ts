import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startDatabase } from '../kit/database.ts';
import { alternate, median, ratioOf } from '../kit/rounds.ts';
import { type Row, rate, round } from '../kit/row.ts';
import type { Bench } from '../kit/run.ts';
import { type Service, startService } from '../kit/server.ts';
import { addShop, type Shop } from '../kit/shop.ts';

const ROUNDS = 3;
const PRODUCTS = 4_000;
/** Certificates that are issued when they are first asked for, one after another. */
const FIRST_GETS = 200;

/** Issuing with the transparency log, compared with issuing without that part: in advance, and when a certificate is first asked for. */
export const issuingLogged: Bench = async (context) => {
  const { folder, onEnd } = context;
  const open = async (name: string, without: string) => {
    const service = await startService({
      folder: join(folder, name),
      settings: {
        TOUCHSTONE_DATABASE_URL: await startDatabase(context, join(folder, `database-${name}`)),
        TOUCHSTONE_CERTIFICATES_AHEAD: 'true',
        TOUCHSTONE_WITHOUT: without,
      },
    });
    onEnd(service.close);
    const shop = await addShop(service, PRODUCTS, 3);
    await untilDone(service, shop);
    let names = 0;
    return {
      service,
      shop,
      /** Proofs so far, each of another name. */
      issued: () => PRODUCTS * (names + 1),
      async issue() {
        names += 1;
        await service.call('PATCH', `/registry/stores/${shop.storeId}`, { name: `Name ${names}` });
        return untilDone(service, shop);
      },
    };
  };
  const logging = await open('logging', '');
  const bare = await open('bare', 'transparency-log');
  const { logged, unlogged } = await alternate(ROUNDS, { logged: logging.issue, unlogged: bare.issue });
  await assertLogged(logging.service, logging.issued());
  // once each: a second GET of the same image is none
  const first = {
    logged: await firstGets(logging.service, logging.shop),
    unlogged: await firstGets(bare.service, bare.shop),
  };
  return [
    {
      name: 'certificates issued by the job and logged',
      against: 'the same without the log',
      ratio: ratioOf(logged, unlogged),
      goal: ['>=', 0.85],
      detail: `${rate(median(logged))}, without ${rate(median(unlogged))}; p99 of the first GET of an image’s certificate ${round(first.logged)} ms, without ${round(first.unlogged)} ms`,
    },
  ] satisfies Row[];
};

/** Milliseconds that what was issued may take until it is logged. */
const LOGGED_WITHIN = 60_000;

/**
 * A service whose log does not grow issues faster, and measures nothing.
 *
 * @throws Error unless the log has as many proofs as were issued
 */
async function assertLogged(service: Service, issued: number): Promise<void> {
  let found = 0;
  for (const begun = performance.now(); performance.now() - begun < LOGGED_WITHIN; await delay(200)) {
    const { logs } = (await service.call('GET', '/mc4p/log')) as {
      logs: readonly { readonly size: number; readonly refusal?: string }[];
    };
    const refusal = logs.find((log) => log.refusal !== undefined)?.refusal;
    if (refusal !== undefined) throw new Error(`The log does not grow: ${refusal}`);
    found = logs.reduce((sum, { size }) => sum + size, 0);
    if (found >= issued) return;
  }
  throw new Error(`The log has ${found} of the ${issued} proofs that were issued.`);
}

/** @returns p99 in milliseconds of the first GETs of certificates of images, which nothing issues in advance */
async function firstGets({ url, call }: Service, { storeId }: Shop): Promise<number> {
  const { images } = (await call('GET', `/registry/stores/${storeId}/images?limit=${FIRST_GETS}`)) as {
    images: { id: string }[];
  };
  const times: number[] = [];
  for (const { id } of images) {
    const begun = performance.now();
    const response = await fetch(`${url}/api/v1/mc4p/assets/${id}/certificate`);
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`the certificate of image ${id} was answered with ${response.status}`);
    times.push(performance.now() - begun);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
}

/** @returns certificates per second, by the times that the service recorded */
async function untilDone(service: Service, { storeId }: Shop): Promise<number> {
  for (;;) {
    await delay(4_000);
    const { left, done, since, doneAt } = (await service.call(
      'GET',
      `/registry/stores/${storeId}/certificates/progress`,
    )) as { left: number; done: number; since: string; doneAt: string };
    if (left === 0 && done > 0) return done / ((Date.parse(doneAt) - Date.parse(since)) / 1_000);
  }
}
