/**
 * How fast certificates come that are not in memory, beside what bounds them, in alternating rounds of one run:
 * first GETs (recorded, signed, rendered) beside bare RSA-2048 signing on all cores, and GETs of signed ones beside a bare
 * HTTP server that does one indexed SELECT on a prepared statement.
 * `npm run bench:issuing -- [folder of another checkout, installed]`
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request as httpRequest } from 'node:http';
import { createServer } from 'node:net';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '@touchstone/embedded-postgres';

const ROUNDS = 6;
/** Certificates of one measurement. */
const MEASURED = 1_000;
const AT_ONCE = 128;
/** More than the smallest memory for certificates holds. */
const PRODUCTS = MEASURED * (ROUNDS + 1);
const IMAGES_OF_EACH = 3;
const OPERATOR_KEY = 'bench-operator-key-of-this-run';

interface Service {
  readonly root: string;
  readonly url: string;
  readonly databaseUrl: string;
  readonly ids: readonly string[];
  readonly first: number[];
  readonly again: number[];
}

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
const folder = await mkdtemp(join(tmpdir(), 'touchstone-bench-'));
const stops: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
try {
  const roots = [
    ...process.argv.slice(2, 3).map((root) => resolve(root)),
    resolve(import.meta.dirname, '..'),
  ];
  const services: Service[] = [];
  for (const root of roots) services.push(await open(root, join(folder, String(services.length))));
  const last = services.at(-1) as Service;
  const bare = await openBare(last);
  const raw: number[] = [];
  const select: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const rsa = await signaturesPerSecond();
    const selects = await getsPerSecond(
      bare,
      last.ids.slice(0, 2 * MEASURED).map((id) => `/${id}`),
    );
    if (round > 0) {
      raw.push(rsa);
      select.push(selects);
    }
    for (const service of round % 2 === 0 ? services : services.toReversed()) {
      const ids = service.ids.slice(round * MEASURED, (round + 1) * MEASURED);
      const first = await getsPerSecond(service.url, ids.map(pathOf));
      // no longer in memory: this round's have taken their place
      const earlier = service.ids.slice(Math.max(0, round - 1) * MEASURED).slice(0, MEASURED);
      const again = round === 0 ? 0 : await getsPerSecond(service.url, earlier.map(pathOf));
      if (round === 0) continue;
      service.first.push(first);
      service.again.push(again);
    }
  }
  const signing = median(raw);
  const reading = median(select);
  console.log(`\nbare RSA-2048 signing, ${cpus().length} cores     ${line(signing, raw)}`);
  console.log(`bare HTTP, one prepared SELECT    ${line(reading, select)}`);
  for (const { root, first, again } of services) {
    console.log(`\n${root === resolve(import.meta.dirname, '..') ? 'this checkout' : root}`);
    console.log(
      `first GET, ${AT_ONCE} at a time        ${line(median(first), first)}   ${(median(first) / signing).toFixed(3)} of the signing`,
    );
    console.log(
      `signed, not in memory            ${line(median(again), again)}   ${(median(again) / reading).toFixed(3)} of the SELECT`,
    );
  }
} finally {
  agent.destroy();
  for (const stop of stops.toReversed()) await stop().catch((error: unknown) => console.error(error));
}

async function open(root: string, data: string): Promise<Service> {
  const database = await startEmbeddedPostgres({ folder: data, name: 'touchstone' });
  stops.push(() => database.close());
  const { host, port: dbPort, user, password } = database.connection;
  const databaseUrl = `postgresql://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${dbPort}/touchstone`;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [join(root, 'packages/cli/bin/touchstone.js'), 'serve'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      TOUCHSTONE_PORT: String(port),
      TOUCHSTONE_DATA_DIR: join(data, 'service'),
      TOUCHSTONE_DATABASE_URL: databaseUrl,
      TOUCHSTONE_OPERATOR_KEY: OPERATOR_KEY,
      TOUCHSTONE_LOG_LEVEL: 'warn',
      TOUCHSTONE_IMAGE_CONCURRENT: '0',
      TOUCHSTONE_CERTIFICATE_CACHE_MB: '1',
    },
  });
  stops.push(() => end(child));
  for (let patience = 300; !(await isReady(url)); patience -= 1) {
    if (patience === 0 || child.exitCode !== null) throw new Error(`${root} does not start.`);
    await delay(100);
  }
  const ids = await importProducts(url);
  return { root, url, ids, first: [], again: [], databaseUrl };
}

async function openBare({ databaseUrl }: Service): Promise<string> {
  const child = fork(join(import.meta.dirname, 'issuing/select-server.ts'), [databaseUrl]);
  stops.push(() => end(child));
  const [port] = (await once(child, 'message')) as [number];
  return `http://127.0.0.1:${port}`;
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

async function importProducts(url: string): Promise<string[]> {
  const call = async (method: 'POST' | 'PUT', path: string, json: unknown) => {
    const response = await fetch(`${url}/api/v1/registry${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${OPERATOR_KEY}` },
      body: JSON.stringify(json),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    if (!response.ok) throw new Error(JSON.stringify(answer));
    return answer;
  };
  const merchant = await call('POST', '/merchants', { name: 'Potter', planCapacity: PRODUCTS });
  const store = await call('POST', '/stores', {
    merchantId: merchant.id,
    name: 'Potter',
    url: 'https://shop.example/',
  });
  const ids: string[] = [];
  for (let begun = 0; begun < PRODUCTS; begun += 1_000) {
    const rows = Array.from({ length: 1_000 }, (_, index) => productRow(begun + index));
    const { results } = await call('PUT', `/stores/${store.id}/products`, rows);
    ids.push(...(results as { id: string }[]).map(({ id }) => id));
  }
  return ids;
}

function productRow(number: number) {
  return {
    externalProductId: `cup-${number}`,
    name: `Cup number ${number}`,
    url: `https://shop.example/products/cup-${number}`,
    sku: `CUP-${number}`,
    brand: 'Potter',
    images: Array.from({ length: IMAGES_OF_EACH }, (_, index) => ({
      url: `https://cdn.shop.example/cup-${number}-${index}.jpg`,
    })),
  };
}

function pathOf(id: string): string {
  return `/api/v1/mc4p/products/${id}/certificate`;
}

async function getsPerSecond(url: string, paths: readonly string[]): Promise<number> {
  const begun = performance.now();
  let next = 0;
  const worker = async () => {
    while (next < paths.length) {
      const path = paths[next++] as string;
      await answered(`${url}${path}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return paths.length / ((performance.now() - begun) / 1_000);
}

function answered(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(address, { agent }, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      if (response.statusCode === 200) resolve();
      else reject(new Error(`${address}: ${response.statusCode} ${text.slice(0, 500)}`));
    });
    sent.on('error', reject).end();
  });
}

async function signaturesPerSecond(): Promise<number> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const signOffThread = promisify(sign);
  const bytes = Buffer.alloc(900, 'x');
  const begun = performance.now();
  let left = 4_000;
  const worker = async () => {
    while (left-- > 0) await signOffThread('sha256', bytes, privateKey);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  return 4_000 / ((performance.now() - begun) / 1_000);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

function line(middle: number, all: readonly number[]): string {
  const [least, most] = [Math.min(...all), Math.max(...all)];
  return `${middle.toFixed(0).padStart(7)} /s  (${least.toFixed(0)} to ${most.toFixed(0)})`;
}
