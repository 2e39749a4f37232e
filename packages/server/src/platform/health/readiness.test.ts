import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../database/database.ts';
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

test('a node whose database does not answer is ready for as long as it answers from memory, and says what is the matter', async () => {
  const nowhere = openDatabase({
    connection: { host: '127.0.0.1', port: 9, user: 'x', password: 'x', database: 'x' },
  });
  let answersStale = true;
  const readiness = createReadiness({
    db: nowhere.db,
    clock: () => new Date(),
    whenFresh: () => Promise.reject(new Error('not heard')),
    checkKeys: () => Promise.reject(new Error('not read')),
    answersStale: () => answersStale,
  });
  expect(await readiness.problems()).toEqual([]);
  expect(readiness.findings()).toEqual(['the database does not answer']);
  answersStale = false;
  expect(await readiness.problems()).toContain('the database does not answer');
  await nowhere.close();
});
