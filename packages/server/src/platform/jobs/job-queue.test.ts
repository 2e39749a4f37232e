import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../database/database.ts';
import { type TestDatabase, testDatabase } from '../database/testing.ts';
import { type JobQueue, openJobQueue } from './job-queue.ts';

const SETTINGS = { name: 'test', retries: 1, retryDelay: 1, maxRetryDelay: 2 };

let database: TestDatabase;
let queue: JobQueue;
let other: JobQueue;

beforeAll(async () => {
  database = await testDatabase();
  // two nodes that start at once make one schema
  [queue, other] = await Promise.all([open(), open()]);
});
afterAll(async () => {
  await Promise.all([queue.close(), other.close()]);
  await database.close();
});

const open = () =>
  openJobQueue(database.connection, SETTINGS, (error) => {
    throw error;
  });
const add = (ids: readonly string[], group = 'host') =>
  inTransaction(database.db, (trx) =>
    queue.add(
      trx,
      ids.map((id) => ({ id, group })),
    ),
  );
const complete = (id: string) => inTransaction(database.db, (trx) => queue.complete(trx, id));

describe('a job', () => {
  it('is there only if what it was added with is', async () => {
    await inTransaction(database.db, async (trx) => {
      await queue.add(trx, [{ id: randomUUID(), group: 'host' }]);
      throw new Error('changed our mind');
    }).catch(() => {});
    expect(await queue.take(10, 10)).toEqual([]);
  });

  it('is handed to one node only', async () => {
    const ids = Array.from({ length: 40 }, () => randomUUID());
    await add(ids);
    const taken = await Promise.all([queue, other, queue, other].map((node) => node.take(20, 100)));
    const all = taken.flat().map(({ id }) => id);
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBe(40);
    await Promise.all(all.map(complete));
  });

  it('is handed out a few at a time of one group, over all nodes', async () => {
    const ids = Array.from({ length: 6 }, () => randomUUID());
    await add(ids, 'slow.example');
    const first = await queue.take(10, 2);
    expect(first).toHaveLength(2);
    expect(await other.take(10, 2)).toEqual([]);
    await complete(first[0]?.id ?? '');
    const next = await other.take(10, 2);
    expect(next).toHaveLength(1);
    await Promise.all([...first, ...next].map(({ id }) => complete(id)));
    for (const { id } of await queue.take(10, 10)) await complete(id);
  });

  it('that failed comes again, and says which attempt is the last', async () => {
    const id = randomUUID();
    await add([id]);
    expect(await queue.take(1, 1)).toEqual([{ id, attempt: 1, isLastAttempt: false }]);
    await inTransaction(database.db, (trx) => queue.fail(trx, id, 'timed_out'));
    await expect
      .poll(() => queue.take(1, 1), { timeout: 10_000, interval: 200 })
      .toEqual([{ id, attempt: 2, isLastAttempt: true }]);
    await complete(id);
  });
});
