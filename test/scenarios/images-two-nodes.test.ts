import { join } from 'node:path';
import { readConfig, startService } from '@touchstone/server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { databaseUrl, type TestService, testService } from '../../packages/server/src/testing.ts';
import { useFolder } from '../kit/folder.ts';
import { picture } from '../kit/pictures.ts';
import { openShop, type Shop } from '../kit/shop.ts';

const COUNT = 40;
const REGISTRY = '/api/v1/registry';

const folder = useFolder('two');
let shop: Shop;
let first: TestService;
let second: Awaited<ReturnType<typeof startService>>;

beforeAll(async () => {
  shop = await openShop();
  const settings = {
    TOUCHSTONE_FETCH_CONNECT_TO: `shop.example=127.0.0.1:${shop.port}`,
    TOUCHSTONE_BLOBS: join(folder, 'blobs'),
    TOUCHSTONE_IMAGE_CONCURRENT: '4',
    TOUCHSTONE_IMAGE_PER_HOST: '8',
    TOUCHSTONE_IMAGE_SPACING_MS: '0',
    TOUCHSTONE_IMAGE_PROCESSES: '1',
  };
  first = await testService({ settings });
  second = await startService(
    readConfig({
      ...settings,
      TOUCHSTONE_PORT: '0',
      TOUCHSTONE_LOG_LEVEL: 'silent',
      TOUCHSTONE_DATA_DIR: join(folder, 'data'),
      TOUCHSTONE_DATABASE_URL: databaseUrl(first.database),
      TOUCHSTONE_DATABASE_CONNECTIONS: '4',
      TOUCHSTONE_MASTER_KEY_FILE: join(first.dataDir, 'master.key'),
    }),
  );
});
afterAll(async () => {
  await second?.close();
  await first?.dispose();
  await shop?.close();
});

it('two nodes on one database share the images, and neither processes one that the other has taken', async () => {
  const bytes = await picture('shared', 'jpeg', 64);
  const urls = Array.from({ length: COUNT }, (_, i) => `http://shop.example/${i}.jpg`);
  for (const url of urls) shop.put(url, (_request, response) => response.writeHead(200).end(bytes));
  const merchant = (await first.operate('POST', `${REGISTRY}/merchants`, { name: 'M', planCapacity: 9 })) as {
    id: string;
  };
  const store = (await first.operate('POST', `${REGISTRY}/stores`, {
    merchantId: merchant.id,
    name: 'S',
    url: 'http://shop.example/',
    signImages: true,
  })) as { id: string };
  const row = { externalProductId: '1', name: 'Many', url: 'http://shop.example/many' };
  const images = urls.map((url) => ({ url }));
  await first.operate('PUT', `${REGISTRY}/stores/${store.id}/products`, [{ ...row, images }]);
  const progress = () => first.operate('GET', `${REGISTRY}/stores/${store.id}/images/progress`);
  await expect.poll(progress, { interval: 200 }).toMatchObject({ done: COUNT, signedByUs: COUNT, failed: 0 });
  // on a slow machine, checks of the page come in between
  const asked = shop.asked.filter((address) => address.endsWith('.jpg'));
  expect(asked.toSorted()).toEqual(urls.map((url) => url.replace('http://', '')).toSorted());
  // one signature for each image: two would give two blobs
  const counts = await first.database.query(
    'select count(*)::int as images, count(distinct blob_key)::int as blobs from images',
  );
  expect(counts).toEqual([{ images: COUNT, blobs: COUNT }]);
  const blob = await first.database.query('select blob_key from images limit 1');
  for (const { url } of [first, second]) {
    expect((await fetch(`${url}/api/v1/mc4p/blobs/${blob[0]?.blob_key}`)).status).toBe(200);
  }
});
