import { setTimeout as delay } from 'node:timers/promises';
import { query } from './database.ts';
import { slowest } from './latency.ts';
import { alternate } from './rounds.ts';
import type { Service } from './server.ts';
import { addShop, certificatePath } from './shop.ts';

/** Seconds of GETs in one measurement, and before it, in which renewals begin and find that somebody asks. */
const SPAN = 4;
const BEFORE = 2;
/** Certificates due in one measurement: more than are renewed in it. */
const DUE = 4_000;

/** A store whose certificates are renewed by a service that makes them ahead. */
export interface Renewing {
  readonly service: Service;
  readonly databaseUrl: string;
  readonly storeId: string;
}

/** Of each round: the 99th percentile of warm GETs in milliseconds, and certificates renewed a second beside them. */
export interface BesideRenewals {
  readonly beside: readonly number[];
  readonly alone: readonly number[];
  readonly renewed: readonly number[];
}

/**
 * Warm GETs of another store's certificate at a steady rate, in turns with renewals and without. GETs go on from before the
 * first renewal, and nothing else is done between the turns: work at full speed would leave a busy database behind.
 */
export async function besideRenewals(renewing: Renewing, rounds: number): Promise<BesideRenewals> {
  const { service } = renewing;
  const { productIds } = await addShop(service, 1);
  const path = certificatePath(String(productIds[0]));
  await service.call('GET', path.replace('/api/v1', ''));
  const renewed: number[] = [];
  const { beside, alone } = await alternate(rounds, {
    alone: async () => {
      await slowest(service, path, BEFORE);
      return slowest(service, path, SPAN);
    },
    beside: async () => {
      const before = slowest(service, path, BEFORE);
      await delay((BEFORE * 1_000) / 2);
      await letAge(renewing, DUE);
      await before;
      const left = await dueNow(renewing);
      const took = await slowest(service, path, SPAN);
      renewed.push((left - (await dueNow(renewing))) / SPAN);
      await callOff(renewing);
      return took;
    },
  });
  return { beside, alone, renewed: renewed.slice(1) };
}

/** Lets the moment of so many renewals come at once. */
export async function letAge({ databaseUrl, storeId }: Renewing, count: number): Promise<void> {
  await query(
    databaseUrl,
    `with aged as (update certificate_lines set renew_at = now() where product_id in
       (select product_id from certificate_lines where store_id = $1 and renew_at > now() order by product_id limit $2)
       returning proof_id)
     update proofs set issued_at = issued_at - interval '5 days'
       where id in (select proof_id from aged) and issued_at > now() - interval '5 days'`,
    [storeId, count],
  );
  await query(
    databaseUrl,
    `update jobs set state = 'ready', due_at = now() where queue = 'certificates' and subject = $1 and state = 'scheduled'`,
    [storeId],
  );
}

/** How many renewals are due. */
export async function dueNow({ databaseUrl, storeId }: Renewing): Promise<number> {
  const [row] = await query(
    databaseUrl,
    'select count(*)::int as due from certificate_lines where store_id = $1 and renew_at <= now()',
    [storeId],
  );
  return Number(row?.due);
}

/** Puts off what is still due, and waits for what is under way. */
async function callOff({ databaseUrl, storeId }: Renewing): Promise<void> {
  await query(
    databaseUrl,
    `update certificate_lines set renew_at = now() + interval '4 days' where store_id = $1 and renew_at <= now()`,
    [storeId],
  );
  for (let taken = 1; taken > 0; ) {
    await delay(100);
    const [row] = await query(
      databaseUrl,
      'select count(*)::int as taken from certificate_due where store_id = $1 and taken is not null',
      [storeId],
    );
    taken = Number(row?.taken);
  }
}
