/**
 * How fast an NDJSON import into an empty store goes over HTTP, beside COPY of the very same rows into tables with the same
 * columns, indexes and constraints, in one run; then the same import once more, which changes nothing.
 * `npm run bench:import -- [products, 100,000 each round] [rounds, 3]`
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedPostgres } from '@touchstone/embedded-postgres';
import { copyTables } from './import/copy-tables.ts';

const ROOT = join(import.meta.dirname, '..');
const OPERATOR_KEY = 'bench-operator-key-of-this-run';
const ROWS_OF_A_CHUNK = 500;

/** One round; rates in products a second, each with one image. */
export interface ImportRound {
  readonly products: number;
  readonly imported: number;
  readonly importedAgain: number;
  readonly copied: number;
  /** Most memory that the service ever took, in MB (Linux; NaN elsewhere). */
  readonly peakMb: number;
  /** The same before the first row. */
  readonly startMb: number;
}

/** Imports so many products into a service of its own, then copies what came of it. */
export async function measureImport(products: number): Promise<ImportRound> {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-bench-import-'));
  const stops: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const database = await startEmbeddedPostgres({ folder: join(folder, 'database'), name: 'touchstone' });
    stops.push(() => database.close());
    const { host, port, user, password } = database.connection;
    const databaseUrl = `postgresql://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/touchstone`;
    const service = await startService(databaseUrl, join(folder, 'service'));
    stops.push(() => end(service.child));
    const path = await emptyStore(service.url, products);
    const startMb = await peakOf(service.child.pid);
    const first = await putProducts(service.url + path, products, 'created');
    const again = await putProducts(service.url + path, products, 'unchanged');
    const peakMb = await peakOf(service.child.pid);
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

async function startService(databaseUrl: string, data: string) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [join(ROOT, 'packages/cli/bin/touchstone.js'), 'serve'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      TOUCHSTONE_PORT: String(port),
      TOUCHSTONE_DATA_DIR: data,
      TOUCHSTONE_DATABASE_URL: databaseUrl,
      TOUCHSTONE_OPERATOR_KEY: OPERATOR_KEY,
      TOUCHSTONE_LOG_LEVEL: 'warn',
      TOUCHSTONE_IMAGE_CONCURRENT: '0',
    },
  });
  for (let patience = 300; !(await isReady(url)); patience -= 1) {
    if (patience === 0 || child.exitCode !== null) throw new Error('The service does not start.');
    await delay(100);
  }
  return { child, url };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).ok;
  } catch {
    return false;
  }
}

/** Path of the products of a new store. */
async function emptyStore(url: string, planCapacity: number): Promise<string> {
  const create = async (path: string, json: unknown) => {
    const response = await fetch(`${url}/api/v1/registry${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${OPERATOR_KEY}` },
      body: JSON.stringify(json),
    });
    const answer = (await response.json()) as { id: string };
    if (!response.ok) throw new Error(JSON.stringify(answer));
    return answer.id;
  };
  const merchantId = await create('/merchants', { name: 'Potter', planCapacity });
  const id = await create('/stores', { merchantId, name: 'Potter', url: 'https://shop.example/' });
  return `/api/v1/registry/stores/${id}/products`;
}

/** Seconds that it took; each row must come to this status. */
async function putProducts(url: string, products: number, status: string): Promise<number> {
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

async function peakOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1_000;
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
