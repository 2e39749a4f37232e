import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { testShop } from '../certificates/testing.ts';
import { removeImage } from '../registry/products/product-images.ts';
import { registryOf } from '../registry/testing.ts';
import { countScans } from './scan-progress.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.close());

it('counts over all stores what is waiting and what was given up, without deleted images', async () => {
  const { db } = database;
  expect(await countScans(db)).toEqual({ waiting: 0, failed: 0, oldestWaiting: null });
  const [one, other] = [await testShop(database), await testShop(database, 'other.example')];
  const set = (id: string | undefined, changes: ReturnType<typeof sql>) =>
    sql`update jobs set ${changes} where subject = ${id}`.execute(db);

  const { imageIds } = await one.addProduct({ images: 7 });
  const [due, postponed, running, done, failed, gone, goneFailed] = imageIds;
  await set(due, sql`due_at = '2026-11-22 11:00:00Z'`);
  // due again later, but kept from being scanned since ten
  await set(
    postponed,
    sql`state = 'scheduled', due_at = '2099-01-01', failure = '{"code": "image_network_unavailable", "since": "2026-11-22T10:00:00Z"}'`,
  );
  await set(
    running,
    sql`state = 'running', due_at = '2026-11-22 12:00:00Z', lease = gen_random_uuid(), leased_until = now()`,
  );
  await set(done, sql`result = 'done', due_at = '2026-01-01'`);
  await set(failed, sql`result = 'failed'`);
  await set(goneFailed, sql`result = 'failed'`);
  for (const id of [gone, goneFailed]) await removeImage(registryOf(database), 'all', id ?? '');
  await set((await other.addProduct({ images: 1 })).imageIds[0], sql`due_at = '2026-11-22 13:00:00Z'`);

  expect(await countScans(db)).toEqual({
    waiting: 4,
    failed: 1,
    oldestWaiting: new Date('2026-11-22T10:00:00Z'),
  });
});
