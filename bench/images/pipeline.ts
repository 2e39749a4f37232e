/**
 * Images per second through the whole pipeline, compared with its necessary parts, in alternating rounds of one run, so that other load
 * affects both equally. `npm run bench:images -- [--images 1000]`
 *
 * The necessary parts are fetching each image through the guarded fetcher, and opening it (hash, decode, C2PA) in the image processes. The
 * pipeline adds jobs, rate limits, blobs and the database. Fetching waits and opening computes, so the parts run concurrently, and their
 * time is not the sum of both: they are measured in one pass that fetches and opens with the pipeline's concurrency and does nothing else.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createBytesFetcher, parseConnectTo } from '@touchstone/fetch';
import { uhash } from '@touchstone/image';
import { openImageWorkers } from '@touchstone/image/node';
import { readConfig, startService } from '@touchstone/server';
import { picture } from '../../test/kit/pictures.ts';

const CONCURRENT = 8;
const PROCESSES = 2;
const DISTINCT = 50;
/** Number of rounds, in which parts and pipeline alternate. */
const ROUNDS = 10;
const HOST = 'http://shop.example';

interface Shop {
  readonly port: number;
  readonly urls: readonly string[];
  close(): void;
}

/** Serves this number of addresses, with photos of typical shop size; each differs in its last bytes. */
async function openShop(count: number): Promise<Shop> {
  const pictures = await Promise.all(
    Array.from({ length: DISTINCT }, (_, i) => picture(`photo ${i}`, 'jpeg', 1_000)),
  );
  const server: Server = createServer((request, response) => {
    const number = Number(/(\d+)\.jpg/.exec(request.url ?? '')?.[1] ?? 0);
    const bytes = pictures[number % DISTINCT] ?? Buffer.alloc(0);
    response.writeHead(200, { 'content-type': 'image/jpeg' });
    // bytes after the end of a JPEG are not part of the picture
    response.end(Buffer.concat([bytes, Buffer.from(String(number))]));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    urls: Array.from({ length: count }, (_, i) => `${HOST}/${i}.jpg`),
    close: () => server.close().closeAllConnections(),
  };
}

/** Scans images; returns the seconds that it took. */
interface Scanner {
  scan(urls: readonly string[]): Promise<number>;
  close(): Promise<void>;
}

/** Only fetches, hashes, decodes and validates. */
function openParts(shop: Shop): Scanner {
  const fetcher = createBytesFetcher({
    userAgent: 'Touchstone-bench',
    connectTo: parseConnectTo(`shop.example=127.0.0.1:${shop.port}`),
    limits: { bodySize: 20_000_000 },
  });
  const trust = { name: 'none', date: '', anchorsPem: '' };
  const workers = openImageWorkers({ processes: PROCESSES, memoryMb: 1_024, timeoutMs: 30_000, trust });
  const open = async (url: string) => {
    const result = await fetcher.fetch(url);
    if (result.kind !== 'bytes') throw new Error(`${url} was not fetched: ${result.kind}`);
    await uhash(result.body);
    await workers.inspect(result.body);
  };
  return {
    async scan(urls) {
      const left = urls.values();
      const start = performance.now();
      const worker = async () => {
        for (const url of left) await open(url);
      };
      await Promise.all(Array.from({ length: CONCURRENT }, worker));
      return (performance.now() - start) / 1000;
    },
    close: () => workers.close(),
  };
}

/** A whole service with its embedded database; measured from the upsert to the last scanned image. */
async function openPipeline(shop: Shop): Promise<Scanner & { slowestAnswer(): number }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'touchstone-bench-'));
  const service = await startService(
    readConfig({
      TOUCHSTONE_PORT: '0',
      TOUCHSTONE_DATA_DIR: dataDir,
      TOUCHSTONE_LOG_LEVEL: 'error',
      TOUCHSTONE_FETCH_CONNECT_TO: `shop.example=127.0.0.1:${shop.port}`,
      TOUCHSTONE_IMAGE_CONCURRENT: String(CONCURRENT),
      TOUCHSTONE_IMAGE_PER_HOST: String(CONCURRENT),
      TOUCHSTONE_IMAGE_PROCESSES: String(PROCESSES),
      TOUCHSTONE_IMAGE_SPACING_MS: '0',
    }),
  );
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${service.url}/api/v1/registry${path}`, {
      method,
      headers: { authorization: `Bearer ${service.operatorKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
  const merchant = await call('POST', '/merchants', { name: 'M', planCapacity: 1_000_000 });
  const store = await call('POST', '/stores', { merchantId: merchant.id, name: 'S', url: HOST });
  const done = async () => Number((await call('GET', `/stores/${store.id}/images/progress`)).done);
  let wanted = 0;
  let slowest = 0;
  return {
    async scan(urls) {
      wanted += urls.length;
      const start = performance.now();
      const id = String(wanted);
      const images = urls.map((url) => ({ url }));
      const product = { externalProductId: id, name: id, url: `${HOST}/products/${id}`, images };
      await call('PUT', `/stores/${store.id}/products`, [product]);
      for (;;) {
        const asked = performance.now();
        const scanned = await done();
        slowest = Math.max(slowest, performance.now() - asked);
        if (scanned >= wanted) return (performance.now() - start) / 1000;
        await delay(100);
      }
    },
    slowestAnswer: () => slowest,
    async close() {
      await service.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const { values } = parseArgs({ options: { images: { type: 'string', default: '1000' } } });
const perRound = Math.round(Number(values.images) / ROUNDS);
const shop = await openShop((perRound + 2) * ROUNDS);
const parts = openParts(shop);
const pipeline = await openPipeline(shop);
try {
  // starts the processes before the measurement
  const warmUp = ['warm-1', 'warm-2'].map((name) => `${HOST}/${name}.jpg`);
  await parts.scan(warmUp);
  await pipeline.scan(warmUp);
  const seconds = { parts: 0, pipeline: 0 };
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const urls = shop.urls.slice(round * perRound, (round + 1) * perRound);
    const [alone, whole] = [await parts.scan(urls), await pipeline.scan(urls)];
    seconds.parts += alone;
    seconds.pipeline += whole;
    ratios.push(alone / whole);
  }
  const count = perRound * ROUNDS;
  const median = ratios.toSorted((a, b) => a - b)[ROUNDS / 2] ?? 0;
  console.log(
    `${count} images of 1000 x 1000, ${CONCURRENT} at a time, ${PROCESSES} processes, ${ROUNDS} rounds`,
  );
  console.log(`parts (fetch, hash, decode, C2PA)  ${(count / seconds.parts).toFixed(1)} images/s`);
  console.log(`pipeline                           ${(count / seconds.pipeline).toFixed(1)} images/s`);
  console.log(
    `ratio                              ${(seconds.parts / seconds.pipeline).toFixed(2)}, median of rounds ${median.toFixed(2)} (goal 0.70)`,
  );
  console.log(`slowest answer meanwhile           ${pipeline.slowestAnswer().toFixed(0)} ms`);
} finally {
  await pipeline.close();
  await parts.close();
  shop.close();
}
