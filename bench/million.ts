/**
 * One store from its first product to its renewals, at the size that is promised: the import beside COPY of the same rows, all its
 * certificates pulled once beside bare signing, and GETs while a fifth of them are renewed beside the same GETs without.
 * `npm run bench:million -- [products, 1,000,000]`: half an hour and 20 GB of disk at that size.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { copyTables } from './import/copy-tables.ts';
import { emptyStore, putProducts } from './import.ts';
import { startDatabase } from './kit/database.ts';
import { slowest } from './kit/latency.ts';
import { median } from './kit/rounds.ts';
import { OPERATOR_KEY, type Service, startService } from './kit/server.ts';
import { addShop, certificatePath } from './kit/shop.ts';
import { signaturesPerSecond } from './kit/signing.ts';

const products = Number(process.argv[2] ?? 1_000_000);
/** Of the certificates, in a day: the cycle is four and a half days. */
const RENEWED = 0.22;
/** Seconds of GETs in one measurement, and how often they are measured without renewals. */
const SPAN = 4;
const TIMES_ALONE = 5;

const DUE = `select count(*)::int as due from certificate_lines where store_id = $1 and renew_at <= now()`;

const folder = await mkdtemp(join(tmpdir(), 'touchstone-bench-million-'));
const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
try {
  const onEnd = (end: () => Promise<unknown>) => void ends.push(end);
  const databaseUrl = await startDatabase({ onEnd }, join(folder, 'database'));
  const start = (ahead: boolean) =>
    startService({
      folder: join(folder, 'service'),
      settings: { TOUCHSTONE_DATABASE_URL: databaseUrl, TOUCHSTONE_CERTIFICATES_AHEAD: String(ahead) },
    });
  const service = await start(false);
  ends.push(service.close);
  const path = await emptyStore(service, products);
  await importing(service, databaseUrl, path);
  await pulling(service, path.replace(/products$/, 'certificates'));
  await service.close();
  const renewing = await start(true);
  ends.push(renewing.close);
  await renewals(renewing, databaseUrl, path.replace(/^\/api\/v1|\/products$/g, ''));
} finally {
  for (const end of ends.toReversed()) await end().catch((error: unknown) => console.error(error));
}

async function importing(service: Service, databaseUrl: string, path: string): Promise<void> {
  const took = await putProducts(service.url + path, products, 'created');
  const memory = await service.peakMemory();
  const copied = await copyTables(databaseUrl, folder);
  tell(
    'import',
    `${rate(products / took)}, COPY ${rate(products / copied)}: ${(copied / took).toFixed(3)} of it (goal 0.25); ` +
      `the service took ${memory.toFixed(0)} MB at most (goal 400)`,
  );
}

/** Reads the whole stream once, which makes every certificate on the way. */
async function pulling(service: Service, path: string): Promise<void> {
  const before = await signaturesPerSecond();
  const begun = performance.now();
  const count = await linesAt(service.url + path);
  const pulled = count / ((performance.now() - begun) / 1_000);
  const signed = (before + (await signaturesPerSecond())) / 2;
  const memory = await service.peakMemory();
  tell(
    'pull',
    `${count} certificates, ${rate(pulled)}, signing ${rate(signed)}: ${(pulled / signed).toFixed(3)} of it; ` +
      `the service took ${memory.toFixed(0)} MB at most`,
  );
}

function linesAt(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: { authorization: `Bearer ${OPERATOR_KEY}` } }, (response) => {
      let lines = 0;
      response.on('data', (chunk: Buffer) => {
        for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
      });
      response.on('end', () => {
        // the last line tells the end
        if (response.statusCode === 200 && lines >= products) resolve(lines);
        else reject(new Error(`${response.statusCode} after ${lines} lines`));
      });
      response.on('error', reject);
    });
    sent.on('error', reject).end();
  });
}

async function renewals(service: Service, databaseUrl: string, store: string): Promise<void> {
  const other = await addShop(service, 1);
  const warm = certificatePath(String(other.productIds[0]));
  await service.call('GET', warm.replace('/api/v1', ''));
  const alone: number[] = [];
  for (let nth = 0; nth < TIMES_ALONE; nth += 1) alone.push(await slowest(service, warm, SPAN));
  const due = await letAge(databaseUrl, store);
  const begun = performance.now();
  const beside: number[] = [];
  let left = due;
  while (left > 0) {
    beside.push(await slowest(service, warm, SPAN));
    left = await renewalsLeft(databaseUrl, store);
  }
  const took = (performance.now() - begun) / 1_000;
  tell(
    'renewal',
    `${due} in ${took.toFixed(0)} s, ${rate(due / took)}; GET p99 beside them ${median(beside).toFixed(1)} ms, ` +
      `without ${median(alone).toFixed(1)} ms: ${(median(beside) / median(alone)).toFixed(2)} (goal 2)`,
  );
}

/** Lets the moment of a day's share of certificates come at once. @returns how many */
async function letAge(databaseUrl: string, store: string): Promise<number> {
  return inDatabase(databaseUrl, async (client) => {
    const storeId = store.split('/').at(-1);
    const aged = await client.query(
      `with aged as (update certificate_lines set renew_at = now() where product_id in
         (select product_id from certificate_lines where store_id = $1 order by product_id limit $2) returning proof_id)
       update proofs set issued_at = issued_at - interval '5 days' where id in (select proof_id from aged)`,
      [storeId, Math.floor(products * RENEWED)],
    );
    await client.query(
      `update jobs set state = 'ready', due_at = now() where queue = 'certificates' and state = 'scheduled'`,
    );
    return aged.rowCount ?? 0;
  });
}

function renewalsLeft(databaseUrl: string, store: string): Promise<number> {
  return inDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query(DUE, [store.split('/').at(-1)]);
    return Number(rows[0].due);
  });
}

async function inDatabase<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function rate(perSecond: number): string {
  return `${perSecond.toFixed(0)} /s`;
}

function tell(what: string, figures: string): void {
  console.log(`${new Date().toISOString()} ${what} of ${products} products: ${figures}`);
}
