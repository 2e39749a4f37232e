import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction } from './database.ts';
import { type LockName, lockFor } from './locks.ts';
import { type TestDatabase, testDatabase } from './testing.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

it('one transaction at a time holds a lock, also before its row is there', async () => {
  let holders = 0;
  let most = 0;
  const hold = () =>
    inTransaction(database.db, async (trx) => {
      await lockFor(trx, 'jobs of a new queue');
      holders += 1;
      most = Math.max(most, holders);
      await delay(2);
      holders -= 1;
    });
  await Promise.all(Array.from({ length: 30 }, hold));
  expect([holders, most]).toEqual([0, 1]);
});

it('transactions that take many locks at once, in any order, all end', async () => {
  const names = Array.from({ length: 60 }, (_, n) => `hostname: ${n}.example` as LockName);
  const take = (nth: number) =>
    inTransaction(database.db, (trx) => lockFor(trx, ...(nth % 2 === 0 ? names : names.toReversed())));
  await Promise.all(Array.from({ length: 12 }, (_, nth) => take(nth)));
});

it('names without number share a bounded number of rows', async () => {
  const names = Array.from({ length: 5_000 }, (_, n) => `hostname: ${n}.example` as LockName);
  await inTransaction(database.db, (trx) => lockFor(trx, ...names));
  const [row] = await database.query("select count(*)::int as count from locks where name like 'hostname %'");
  expect(row?.count).toBeLessThanOrEqual(1_024);
});

it('nobody takes an advisory lock, listens or notifies but behind the interfaces', () => {
  const root = join(import.meta.dirname, '../..');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|sql)$/.test(name) && !/test|testing/.test(name))
    .filter((name) =>
      /pg_(try_)?advisory|pg_notify|[`'"](un)?listen [$\w]/i.test(readFileSync(join(root, name), 'utf8')),
    );
  expect(files.toSorted()).toEqual(['platform/cache/change-listener.ts', 'platform/cache/schema.sql']);
});
