import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { queryStopped } from '../kit/database.ts';
import { useFolder } from '../kit/folder.ts';
import { picture } from '../kit/pictures.ts';
import { openStore, operate, putProducts } from '../kit/registry.ts';
import { type ServeProcess, spawnServe, untilReady } from '../kit/serve-process.ts';
import { freePort } from '../kit/servers.ts';
import { openShop, type Shop } from '../kit/shop.ts';

const ROUNDS = Number(process.env.TOUCHSTONE_KILL_ROUNDS ?? 50);
const PER_PRODUCT = 20;
const HOST = 'http://shop.example';

const dataDir = useFolder('images-kill');
let shop: Shop;
let service: ServeProcess;
let storeId: string;
let port: number;

beforeAll(async () => {
  shop = await openShop();
  port = await freePort();
  service = serve();
  await untilReady(service);
  storeId = (await openStore(service, HOST, { signImages: true })).id;
});

afterAll(async () => {
  await service?.stop();
  await shop?.close();
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
  await putProducts(service, storeId, [{ ...row, images: urls.map((url) => ({ url })) }]);
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
  const progress = () => operate(service, 'GET', `/stores/${storeId}/images/progress`);
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

const storedCertifications = () =>
  queryStopped<Stored>(
    dataDir,
    `select url, version, blob_key,
      (select count(*)::int from image_certifications c where c.image_id = i.id) as certifications
    from images i`,
  );

async function hashOfBlob(key: string): Promise<string> {
  const bytes = await readFile(join(dataDir, 'blobs', key.slice(0, 2), key));
  return createHash('sha256').update(bytes).digest('hex');
}
