/**
 * One store from its first product to its renewals, at the maximum size: the import compared with COPY of the same rows, pulling all its
 * certificates once compared with bare signing, and GETs with and without concurrent renewals; then the renewals of one day. `npm run
 * bench:catalogue -- million [products, 1,000,000]`: half an hour and 20 GB of disk at that size.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startDatabase } from '../kit/database.ts';
import { besideRenewals, dueNow, letAge, type Renewing } from '../kit/renewals.ts';
import { median, ratioOf } from '../kit/rounds.ts';
import { OPERATOR_KEY, type Service, startService } from '../kit/server.ts';
import { signaturesPerSecond } from '../kit/signing.ts';
import { copyTables } from './import/copy-tables.ts';
import { emptyStore, putProducts } from './import.ts';

const products = Number(process.argv[2] ?? 1_000_000);
/** Share of the certificates that is renewed per day: the cycle is four and a half days. */
const RENEWED = 0.22;
/** Rounds in which GETs are measured with and without renewals. */
const ROUNDS = 10;

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
  await renewals({ service: renewing, databaseUrl, storeId: path.split('/').at(-2) ?? '' });
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

/** Reads the whole stream once, which issues every certificate. */
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
        // the last line marks the end
        if (response.statusCode === 200 && lines >= products) resolve(lines);
        else reject(new Error(`${response.statusCode} after ${lines} lines`));
      });
      response.on('error', reject);
    });
    sent.on('error', reject).end();
  });
}

/** GETs with and without concurrent renewals; then the rest of a day's renewals, without GETs. */
async function renewals(renewing: Renewing): Promise<void> {
  const { beside, alone, renewed } = await besideRenewals(renewing, ROUNDS);
  const { figure, least, most } = ratioOf(beside, alone);
  tell(
    'renewal',
    `GET p99 ${median(beside).toFixed(1)} ms beside ${rate(median(renewed))}, ${median(alone).toFixed(1)} ms without: ` +
      `${figure.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)}; goal 2)`,
  );
  const share = Math.floor(products * RENEWED);
  await letAge(renewing, share);
  const begun = performance.now();
  while ((await dueNow(renewing)) > 0) await delay(1_000);
  const took = (performance.now() - begun) / 1_000;
  tell('renewal', `${share} of a day in ${took.toFixed(0)} s while nobody asks, ${rate(share / took)}`);
}

function rate(perSecond: number): string {
  return `${perSecond.toFixed(0)} /s`;
}

function tell(what: string, figures: string): void {
  console.log(`${new Date().toISOString()} ${what} of ${products} products: ${figures}`);
}
