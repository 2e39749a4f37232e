import { join } from 'node:path';
import { startDatabase } from '../kit/database.ts';
import { createClient, request } from '../kit/load.ts';
import { alternate, median, ratioOf } from '../kit/rounds.ts';
import { type Row, rate } from '../kit/row.ts';
import type { Bench, BenchContext } from '../kit/run.ts';
import { startBare, startService } from '../kit/server.ts';
import { addShop, certificatePath } from '../kit/shop.ts';
import { signaturesPerSecond } from '../kit/signing.ts';

const ROUNDS = 6;
/** Certificates of one measurement: more than the smallest cache holds. */
const MEASURED = 1_000;
const AT_ONCE = 128;
const IMAGES_OF_EACH = 3;

/** Uncached certificates, 128 at a time: the first GET of each, which signs it, and later ones. */
export const issuing: Bench = async (context) => {
  const { folder, onEnd, tell } = context;
  const databaseUrl = await startDatabase(context, join(folder, 'database'));
  const service = await startService({
    folder: join(folder, 'service'),
    settings: { TOUCHSTONE_DATABASE_URL: databaseUrl, TOUCHSTONE_CERTIFICATE_CACHE_MB: '1' },
  });
  onEnd(service.close);
  const bare = await startBare('select.ts', databaseUrl);
  onEnd(bare.close);
  const { productIds } = await addShop(service, MEASURED * (ROUNDS + 1), IMAGES_OF_EACH);
  tell(`${productIds.length} products are there`);
  const ours = getsPerSecond(context, service.port, certificatePath);
  const select = getsPerSecond(context, bare.port, (id) => `/${id}`);
  let issued = 0;
  const earlier = () => productIds.slice(Math.max(0, issued - 2 * MEASURED)).slice(0, MEASURED);
  const figures = await alternate(ROUNDS, {
    signing: signaturesPerSecond,
    first: () => {
      issued += MEASURED;
      return ours(productIds.slice(issued - MEASURED, issued));
    },
    // later requests have evicted them from the cache
    again: () => ours(earlier()),
    select: () => select(earlier()),
  });
  const row = (name: string, against: string, least: number, above: number[], below: number[]): Row => ({
    name,
    against,
    ratio: ratioOf(above, below),
    goal: ['>=', least],
    detail: `${rate(median(above))} against ${rate(median(below))}`,
  });
  const { signing, first, again } = figures;
  return [
    row(`first GET, ${AT_ONCE} at a time`, 'bare RSA-2048 signing, all cores', 0.35, first, signing),
    row('GET, signed, not in memory', 'bare HTTP, one prepared SELECT', 0.4, again, figures.select),
  ];
};

function getsPerSecond(
  { onEnd }: BenchContext,
  port: number,
  pathOf: (id: string) => string,
): (ids: readonly string[]) => Promise<number> {
  const client = createClient(port, AT_ONCE);
  onEnd(async () => client.close());
  return async (ids) => {
    let next = 0;
    const seconds = await client.load(() => {
      const id = ids[next++];
      return id === undefined ? undefined : request('GET', pathOf(id));
    });
    return ids.length / seconds;
  };
}
