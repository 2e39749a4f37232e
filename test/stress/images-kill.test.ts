import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedPostgres } from '@touchstone/embedded-postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { picture } from '../support/pictures.ts';
import { freePort, registry, type ServeProcess, spawnServe, untilReady } from '../support/serve-process.ts';
import { openShop, type Shop } from '../support/shop.ts';

const ROUNDS = Number(process.env.TOUCHSTONE_KILL_ROUNDS ?? 50);
const PER_PRODUCT = 20;
const HOST = 'http://shop.example';

let shop: Shop;
let dataDir: string;
let service: ServeProcess;
let storeId: string;
let port: number;

beforeAll(async () => {
  shop = await openShop();
  dataDir = await mkdtemp(join(tmpdir(), 'touchstone-images-kill-'));
  port = await freePort();
  service = serve();
  await untilReady(service);
  const merchant = await call('POST', '/merchants', { name: 'M', planCapacity: 1_000_000 });
  const store = await call('POST', '/stores', {
    merchantId: merchant.id,
    name: 'S',
    url: HOST,
    signImages: true,
  });
  storeId = String(store.id);
});

afterAll(async () => {
  service?.kill('SIGTERM');
  await Promise.race([service?.ended, delay(20_000)]);
  await shop?.close();
  if (dataDir) await rm(dataDir, { recursive: true, force: true });
});

function serve(): ServeProcess {
  return spawnServe({
    port,
    dataDir,
    env: {
      TOUCHSTONE_FETCH_CONNECT_TO: `shop.example=127.0.0.1:${shop.port}`,
      TOUCHSTONE_IMAGE_SPACING_MS: '0',
      TOUCHSTONE_IMAGE_RETRY_SECONDS: '1',
    },
  });
}

async function call(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const answer = await registry(service.url, method, path, body);
  expect(answer.status).toBeLessThan(300);
  return answer.body as Record<string, unknown>;
}

/** Adds a product with new images. */
async function addProduct(turn: number): Promise<string[]> {
  const bytes = await picture(`turn ${turn}`, 'jpeg', 64);
  const urls = Array.from({ length: PER_PRODUCT }, (_, i) => `${HOST}/${turn}-${i}.jpg`);
  // bytes after the end of a JPEG are not part of the picture, but make the file different
  for (const [i, url] of urls.entries()) {
    shop.put(url, (_request, response) =>
      response.writeHead(200).end(Buffer.concat([bytes, Buffer.from([i])])),
    );
  }
  const row = { externalProductId: `p${turn}`, name: `P ${turn}`, url: `${HOST}/products/${turn}` };
  await call('PUT', `/stores/${storeId}/products`, [{ ...row, images: urls.map((url) => ({ url })) }]);
  return urls;
}

it(`loses no image and certifies none twice over ${ROUNDS} kills in the middle of the pipeline`, async () => {
  const wanted: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    wanted.push(...(await addProduct(round)));
    // from before the first fetch to after the first certificate
    await delay(Math.random() * 2_500);
    service.kill('SIGKILL');
    await service.ended;
    service = serve();
    await untilReady(service);
  }
  const progress = () => call('GET', `/stores/${storeId}/images/progress`);
  const midway = await progress();
  await expect.poll(async () => (await progress()).waiting, { timeout: 600_000, interval: 1_000 }).toBe(0);
  const end = await progress();
  console.info(`${ROUNDS} kills, ${wanted.length} images, ${midway.done} done by the last kill`);
  expect(end).toMatchObject({
    total: wanted.length,
    done: wanted.length,
    failed: 0,
    signedByUs: wanted.length,
  });

  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  const rows = await storedCertifications();
  expect(rows.map(({ url }) => url).toSorted()).toEqual(wanted.toSorted());
  // one version, one certification, one blob for each
  expect(rows.filter(({ version, certifications }) => version !== 1 || certifications !== 1)).toEqual([]);
  expect(new Set(rows.map(({ blob_key }) => blob_key)).size).toBe(wanted.length);
  for (const { blob_key } of rows) expect(await hashOfBlob(blob_key)).toBe(blob_key.slice(0, 64));
});

interface Stored {
  url: string;
  version: number;
  blob_key: string;
  certifications: number;
}

async function storedCertifications(): Promise<Stored[]> {
  const database = await startEmbeddedPostgres({ folder: dataDir, name: 'touchstone' });
  const client = new pg.Client(database.connection);
  await client.connect();
  const { rows } = await client.query<Stored>(`
    select url, version, blob_key,
      (select count(*)::int from image_certifications c where c.image_id = i.id) as certifications
    from images i`);
  await client.end();
  await database.close();
  return rows;
}

async function hashOfBlob(key: string): Promise<string> {
  const bytes = await readFile(join(dataDir, 'blobs', key.slice(0, 2), key));
  return createHash('sha256').update(bytes).digest('hex');
}
