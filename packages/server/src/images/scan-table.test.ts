import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testShop } from '../certificates/testing.ts';
import { type TestDatabase, testDatabase } from '../platform/database/testing.ts';
import { type JobQueue, openJobQueue } from '../platform/jobs/job-queue.ts';
import { retryImages } from './image-scans.ts';
import { freeInterruptedLooks, sweepDueLooks } from './scan-table.ts';

let database: TestDatabase;
let queue: JobQueue;
let storeId: string;
beforeAll(async () => {
  database = await testDatabase();
  const settings = { name: 'images', retries: 3, retryDelay: 1, maxRetryDelay: 10 };
  queue = await openJobQueue(database.connection, settings, (error) => {
    throw error;
  });
  const shop = await testShop(database);
  storeId = shop.storeId;
  await shop.addProduct({ images: 1 });
});
afterAll(async () => {
  await queue?.close();
  await database?.close();
});

/** The service takes the image, and ends without a word so many times. */
async function ends(times: number): Promise<unknown> {
  for (let n = 0; n < times; n++) {
    await sweepDueLooks(database.db, queue);
    expect(await queue.take(5, 5)).toHaveLength(1);
    expect(await freeInterruptedLooks(database.db, queue)).toBe(1);
  }
  const { rows } = await sql`select state, due_at is not null as due from image_looks`.execute(database.db);
  return rows[0];
}

it('gives up an image that was there at 11 ends of the service, and gives it as many again on demand', async () => {
  expect(await ends(10)).toEqual({ state: 'waiting', due: true });
  expect(await ends(1)).toEqual({ state: 'failed', due: false });
  const registry = { db: database.db, clock: () => new Date(), onChange: () => {} };
  expect(await retryImages(registry, 'all', storeId, undefined)).toEqual({ retried: 1 });
  expect(await ends(10)).toEqual({ state: 'waiting', due: true });
  expect(await ends(1)).toEqual({ state: 'failed', due: false });
});
