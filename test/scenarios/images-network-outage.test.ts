import { connect, Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestService, testService } from '../../packages/server/src/testing.ts';
import { picture, servePicture } from '../kit/pictures.ts';
import { openShop, type Shop } from '../kit/shop.ts';

const REGISTRY = '/api/v1/registry';
const URL = 'http://shop.example/cup.img';

let shop: Shop;
let service: TestService;
const network = { isDown: true };
/** Connects like a machine without a network cable. */
const dialer = (address: string, port: number) => {
  if (!network.isDown) return connect(port, address);
  const socket = new Socket();
  const error = Object.assign(new Error('connect ENETUNREACH'), { code: 'ENETUNREACH' });
  setImmediate(() => socket.destroy(error));
  return socket;
};
beforeAll(async () => {
  shop = await openShop();
  servePicture(shop, URL, await picture('cup'));
  service = await testService({
    settings: {
      TOUCHSTONE_FETCH_CONNECT_TO: `shop.example=127.0.0.1:${shop.port}`,
      TOUCHSTONE_IMAGE_CONCURRENT: '2',
      TOUCHSTONE_IMAGE_SPACING_MS: '0',
      TOUCHSTONE_IMAGE_ATTEMPTS: '1',
      TOUCHSTONE_IMAGE_RETRY_SECONDS: '1',
    },
    overrides: { dialer },
  });
});
afterAll(async () => {
  await service?.dispose();
  await shop?.close();
});

/** The value of a metric; 0 if it has not been counted yet. */
async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length) ?? 0);
}

const create = async (path: string, body: unknown) =>
  ((await service.operate('POST', REGISTRY + path, body)) as { id: string }).id;

it('an outage of our own network costs an image no attempt, and is visible in the metrics', async () => {
  const merchantId = await create('/merchants', { name: 'M', planCapacity: 1 });
  const storeId = await create('/stores', { merchantId, name: 'S', url: 'http://shop.example/' });
  await service.operate('PUT', `${REGISTRY}/stores/${storeId}/products`, [
    { externalProductId: 'cup', name: 'Cup', url: 'http://shop.example/cup', images: [{ url: URL }] },
  ]);
  const progress = () => service.operate('GET', `${REGISTRY}/stores/${storeId}/images/progress`);

  // more failures than it has attempts
  const outage = 'touchstone_image_scans_total{outcome="image_network_unavailable"}';
  await expect.poll(() => metric(outage), { interval: 100 }).toBeGreaterThan(1);
  expect(await progress()).toMatchObject({ waiting: 1, failed: 0, retrying: 1 });

  network.isDown = false;
  await expect.poll(() => metric('touchstone_image_scans_total{outcome="image"}'), { interval: 100 }).toBe(1);
  expect(await progress()).toMatchObject({ waiting: 0, done: 1, failed: 0, retrying: 0 });
  await expect.poll(() => metric('touchstone_images_under_way')).toBe(0);
  // counted at the start, when there was nothing; the next count is a minute later, too long for a test
  expect(await (await fetch(`${service.url}/metrics`)).text()).toContain(
    'touchstone_images{state="waiting"} 0',
  );
});
