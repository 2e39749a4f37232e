import { setTimeout as delay } from 'node:timers/promises';
import { query } from './database.ts';
import { slowest } from './latency.ts';
import { alternate } from './rounds.ts';
import type { Service } from './server.ts';
import { addShop, certificatePath } from './shop.ts';

/** Seconds of GETs in one measurement; also before it, so that renewals start and notice the requests. */
const SPAN = 4;
const BEFORE = 2;
/** Certificates due in one measurement: more than it can renew. */
const DUE = 4_000;

/** A store whose certificates are renewed in the background by a service. */
export interface Renewing {
  readonly service: Service;
  readonly databaseUrl: string;
  readonly storeId: string;
}

/** For each round: the 99th percentile of cached GETs in milliseconds, and certificates renewed per second meanwhile. */
export interface BesideRenewals {
  readonly beside: readonly number[];
  readonly alone: readonly number[];
  readonly renewed: readonly number[];
}

/**
 * GETs of another store's cached certificate at a constant rate, alternately with and without renewals. GETs start before the first
 * renewal, and nothing else runs in between: work at full speed would leave the database busy.
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

/** Makes this number of renewals due now. */
export async function letAge({ databaseUrl, storeId }: Renewing, count: number): Promise<void> {
  await query(
    databaseUrl,
    `with aged as (update certificate_lines set renew_at = now() where product_id in
       (select product_id from certificate_lines where store_id = $1 and renew_at > now() order by product_id limit $2)
       returning merchant_id, proof_id)
     update proofs set issued_at = issued_at - interval '5 days'
       where (merchant_id, id) in (select merchant_id, proof_id from aged) and issued_at > now() - interval '5 days'`,
    [storeId, count],
  );
  await query(
    databaseUrl,
    `update jobs set state = 'ready', due_at = now() where queue = 'certificates' and subject = $1 and state = 'scheduled'`,
    [storeId],
  );
}

/** The number of renewals that are due. */
export async function dueNow({ databaseUrl, storeId }: Renewing): Promise<number> {
  const [row] = await query(
    databaseUrl,
    'select count(*)::int as due from certificate_lines where store_id = $1 and renew_at <= now()',
    [storeId],
  );
  return Number(row?.due);
}

/** Postpones the renewals that are still due, and waits for those in progress. */
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
