import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from './database.ts';
import { type LockName, lockByRows, lockFor } from './locks.ts';
import { type TestDatabase, testDatabase } from './testing.ts';

describe.each(['advisory locks', 'rows'])('by %s,', (way) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
    if (way === 'rows') await lockByRows(database.db);
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

  it('whoever only tries a lock that is held goes on without it', async () => {
    const fold = async () =>
      (await database.query<{ folded: boolean }>('select fold_image_counts() as folded'))[0]?.folded;
    const release = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const holding = inTransaction(database.db, async (trx) => {
      await lockFor(trx, 'image counts');
      held.resolve();
      await release.promise;
    });
    await held.promise;
    expect(await fold()).toBe(false);
    release.resolve();
    await holding;
    expect(await fold()).toBe(true);
  });

  it('names without number share a bounded number of rows', async () => {
    const names = Array.from({ length: 5_000 }, (_, n) => `hostname: ${n}.example` as LockName);
    await inTransaction(database.db, (trx) => lockFor(trx, ...names));
    const [row] = await database.query(
      "select count(*)::int as count from locks where name like 'hostname %'",
    );
    expect(row?.count).toBeLessThanOrEqual(1_024);
    if (way === 'rows') expect(row?.count).toBeGreaterThan(0);
    else expect(row?.count).toBe(0);
  });
});

it('nodes lock by rows only once nobody holds an advisory lock, and then all of them do', async () => {
  const database = await testDatabase();
  try {
    const release = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const order: string[] = [];
    const first = inTransaction(database.db, async (trx) => {
      await lockFor(trx, 'signing keys');
      held.resolve();
      await release.promise;
      order.push('first');
    });
    await held.promise;
    const changing = lockByRows(database.db).then(() => order.push('changed'));
    const blocked =
      "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%table locks%'";
    await expect.poll(() => database.query(blocked)).toHaveLength(1);
    // begun before the change, and locked after it
    const second = inTransaction(database.db, async (trx) => {
      await lockFor(trx, 'signing keys');
      order.push('second');
    });
    release.resolve();
    await Promise.all([first, changing, second]);
    expect(order).toHaveLength(3);
    expect(order[0]).toBe('first');
    expect(await database.query("select name from locks where name = 'signing keys'")).toHaveLength(1);
  } finally {
    await database.close();
  }
});

it('nobody takes an advisory lock, listens or notifies but behind the interfaces', () => {
  const root = join(import.meta.dirname, '../..');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|sql)$/.test(name) && !/test|testing/.test(name))
    .filter((name) =>
      /pg_(try_)?advisory|pg_notify|[`'"](un)?listen [$\w]/i.test(readFileSync(join(root, name), 'utf8')),
    );
  expect(files.toSorted()).toEqual([
    'platform/cache/change-listener.ts',
    'platform/cache/schema.sql',
    'platform/database/locks.ts',
    'platform/database/schema.sql',
    // asks whether notifications arrive
    'start/doctor/database.ts',
  ]);
});
