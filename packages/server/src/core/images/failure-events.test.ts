import { eventSchema } from '@touchstone/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openJobQueue } from '../../platform/jobs/job-queue.ts';
import { IMAGE_SCANS } from '../registry/products/product-images.ts';
import { type TestRegistry, type TestShop, testRegistry, testShop } from '../registry/testing.ts';
import { recordFailure } from './record-scan.ts';

let registry: TestRegistry;
let shop: TestShop;

beforeAll(async () => {
  registry = await testRegistry();
  shop = await testShop(registry);
});
afterAll(() => registry.close());

it('an image that is given up leads to one event, and to another when it fails for another reason', async () => {
  const { db, clock, database } = registry;
  const [result] = await shop.put(shop.row('cup'));
  await database.query(
    `insert into webhooks (id, merchant_id, url, events, secret, created_at)
     values (gen_random_uuid(), $1, 'https://hooks.example', '{image.failed}', '', now())`,
    [shop.merchantId],
  );
  const queue = openJobQueue({ db, name: IMAGE_SCANS, perResource: 10 });
  const fail = async (code: string) => {
    await database.query("update jobs set state = 'ready', due_at = now() where queue = 'image-scans'");
    const [job] = await queue.claim(1);
    if (job === undefined) throw new Error('no image is to be scanned');
    const failure = { code, detail: '', at: clock().toISOString(), attempts: 8 };
    await recordFailure(
      job,
      { failure, next: 'give_up' },
      { db, queue, clock, emit: registry.emit, recheck: 3_600, trustList: '' },
    );
  };
  for (const code of ['image_timed_out', 'image_timed_out', 'image_host_unknown']) await fail(code);
  const events = await database.query('select count, items from events');
  const image = {
    imageId: expect.any(String),
    productId: result?.id,
    url: 'https://shop.example/cup.jpg',
  };
  expect(events).toEqual([
    {
      count: 2,
      items: [
        { ...image, code: 'image_timed_out' },
        { ...image, code: 'image_host_unknown' },
      ],
    },
  ]);
  const { data } = eventSchema('image.failed').shape;
  const { merchantId, storeId } = shop;
  expect(data.safeParse({ merchantId, storeId, count: 2, images: events[0]?.items }).success).toBe(true);
});
