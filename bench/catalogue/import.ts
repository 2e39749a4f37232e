/**
 * The speed of an NDJSON import into an empty store over HTTP, compared with COPY of the same rows into tables with the same columns,
 * indexes and constraints, in one run; then the same import again, which changes nothing. `npm run bench:catalogue -- import [products, 100,000 each
 * round] [rounds, 3]`
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { startEmbeddedPostgres } from '@touchstone/embedded-postgres';
import { OPERATOR_KEY, type Service, startService } from '../kit/server.ts';
import { copyTables } from './import/copy-tables.ts';

const ROWS_OF_A_CHUNK = 500;

/** One round; rates in products per second, each product with one image. */
export interface ImportRound {
  readonly products: number;
  readonly imported: number;
  readonly importedAgain: number;
  readonly copied: number;
  /** Peak memory of the service in MB, with all its processes except PostgreSQL. */
  readonly peakMb: number;
  /** The same before the first row. */
  readonly startMb: number;
}

/** Imports products into a new service, then copies the resulting rows. */
export async function measureImport(products: number): Promise<ImportRound> {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-bench-import-'));
  const stops: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const database = await startEmbeddedPostgres({ folder: join(folder, 'database'), name: 'touchstone' });
    stops.push(() => database.close());
    const { host, port, user, password } = database.connection;
    const databaseUrl = `postgresql://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/touchstone`;
    const settings = { TOUCHSTONE_DATABASE_URL: databaseUrl };
    const service = await startService({ folder: join(folder, 'service'), settings });
    stops.push(service.close);
    const path = await emptyStore(service, products);
    const startMb = await service.peakMemory();
    const first = await putProducts(service.url + path, products, 'created');
    const again = await putProducts(service.url + path, products, 'unchanged');
    const peakMb = await service.peakMemory();
    const copied = await copyTables(databaseUrl, folder);
    return {
      products,
      imported: products / first,
      importedAgain: products / again,
      copied: products / copied,
      peakMb,
      startMb,
    };
  } finally {
    for (const stop of stops.toReversed()) await stop().catch((error: unknown) => console.error(error));
  }
}

/** The products path of a new store. */
export async function emptyStore({ call }: Service, planCapacity: number): Promise<string> {
  const merchant = await call('POST', '/registry/merchants', { name: 'Potter', planCapacity });
  const address = { merchantId: merchant.id, name: 'Potter', url: 'https://shop.example/' };
  const { id } = await call('POST', '/registry/stores', address);
  return `/api/v1/registry/stores/${id}/products`;
}

/** Returns the seconds that it took; each row must have this status. */
export async function putProducts(url: string, products: number, status: string): Promise<number> {
  const begun = performance.now();
  const sent = request(url, {
    method: 'PUT',
    headers: { 'content-type': 'application/x-ndjson', authorization: `Bearer ${OPERATOR_KEY}` },
  });
  const answered = once(sent, 'response');
  Readable.from(rows(products)).pipe(sent);
  const [response] = (await answered) as [Readable & { statusCode: number }];
  let count = 0;
  let rest = '';
  for await (const chunk of response.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.includes(`"status":"${status}"`)) throw new Error(line);
      count += 1;
    }
  }
  if (response.statusCode !== 200 || count !== products) {
    throw new Error(`${response.statusCode}, ${count} of ${products} rows`);
  }
  return (performance.now() - begun) / 1_000;
}

function* rows(products: number): Generator<string> {
  for (let begun = 0; begun < products; begun += ROWS_OF_A_CHUNK) {
    const count = Math.min(ROWS_OF_A_CHUNK, products - begun);
    const lines = Array.from({ length: count }, (_, index) => JSON.stringify(row(begun + index)));
    yield `${lines.join('\n')}\n`;
  }
}

function row(number: number) {
  return {
    externalProductId: `cup-${number}`,
    name: `Cup number ${number}`,
    url: `https://shop.example/products/cup-${number}`,
    sku: `CUP-${number}`,
    brand: 'Potter',
    images: [{ url: `https://cdn.shop.example/cup-${number}.jpg` }],
  };
}

if (import.meta.main) {
  const [products = 100_000, rounds = 3] = process.argv.slice(2).map(Number);
  for (let round = 0; round < rounds; round += 1) {
    const { imported, importedAgain, copied, peakMb, startMb } = await measureImport(products);
    const times = (rate: number) => `${rate.toFixed(0)} /s (${(rate / copied).toFixed(3)} of COPY)`;
    console.log(
      `${products} products: imported ${times(imported)}, unchanged ${times(importedAgain)}, ` +
        `COPY ${copied.toFixed(0)} /s, at most ${peakMb.toFixed(0)} MB (${startMb.toFixed(0)} before)`,
    );
  }
}
