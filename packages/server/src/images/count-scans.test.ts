import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testShop } from '../certificates/testing.ts';
import { type TestDatabase, testDatabase } from '../platform/database/testing.ts';
import { countLooks } from './count-scans.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.close());

it('counts over all stores what waits and what was given up, and nothing of images that have gone', async () => {
  const { db } = database;
  expect(await countLooks(db)).toEqual({ waiting: 0, failed: 0, oldestWaiting: null });
  const [one, other] = [await testShop(database), await testShop(database, 'other.example')];
  const set = (id: string | undefined, changes: ReturnType<typeof sql>) =>
    sql`update image_looks set ${changes} where image_id = ${id}`.execute(db);

  const { imageIds } = await one.addProduct({ images: 7 });
  const [due, putOff, underWay, settled, failed, gone, goneFailed] = imageIds;
  await set(due, sql`due_at = '2026-11-22 11:00:00Z'`);
  // due again later, but kept from being looked at since ten
  await set(
    putOff,
    sql`due_at = '2099-01-01', trouble = '{"code": "image_network_unavailable", "since": "2026-11-22T10:00:00Z"}'`,
  );
  await set(underWay, sql`due_at = '2026-11-22 12:00:00Z', job_id = gen_random_uuid()`);
  await set(settled, sql`state = 'settled', due_at = '2026-01-01'`);
  await set(failed, sql`state = 'failed'`);
  await set(gone, sql`due_at = null`);
  await set(goneFailed, sql`state = 'failed'`);
  await sql`update images set removed_at = now() where id in (${gone}, ${goneFailed})`.execute(db);
  await set((await other.addProduct({ images: 1 })).imageIds[0], sql`due_at = '2026-11-22 13:00:00Z'`);

  expect(await countLooks(db)).toEqual({
    waiting: 4,
    failed: 1,
    oldestWaiting: new Date('2026-11-22T10:00:00Z'),
  });
});
