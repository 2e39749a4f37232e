import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../database/testing.ts';
import { createReadiness } from './readiness.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

function open(whenFresh: (signal: AbortSignal) => Promise<unknown>) {
  return createReadiness({ db: database.db, clock: () => new Date(), whenFresh, checkKeys: async () => {} });
}

test('a late proof of freshness is waited for', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const problems = open((signal) => {
    // asked, and proven only then
    setImmediate(resolve);
    return signal.aborted ? Promise.reject(signal.reason) : promise;
  }).problems();
  expect(await problems).toEqual([]);
});

test('changes that cannot be received are reported, and nobody is kept waiting for them', async () => {
  let given: AbortSignal | undefined;
  const refused = open(async (signal) => {
    given = signal;
    throw new Error('given up');
  });
  expect(await refused.problems()).toEqual(['changes made on other nodes are not received at the moment']);
  expect(given?.aborted).toBe(true);
});
