import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testSecrets } from '../secrets/testing.ts';
import {
  countHit,
  dailyName,
  forgetHit,
  type RateBucket,
  refusalIn,
  type SpentRow,
  spendBudgets,
  spendingOf,
} from './rate-windows.ts';
import { type TestDatabase, testDatabase } from './testing.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const bucket = (name: string, limit = 10) => ({ name, limit });

/** Lets time pass for one bucket. */
const age = (name: string, seconds: number) =>
  database.query(
    `update rate_windows set hits = (select array_agg(h - make_interval(secs => $2)) from unnest(hits) h)
     where bucket = $1`,
    [name, seconds],
  );

describe('at most 10 hits in any 60 seconds', () => {
  it('are admitted, also of 100 concurrent ones on two nodes', async () => {
    const nodes = [database.db, database.open().db] as const;
    const attempts = Array.from({ length: 100 }, (_, i) =>
      countHit(nodes[i % 2 === 0 ? 0 : 1], bucket('crowd'), 60),
    );
    const allowed = (await Promise.all(attempts)).filter((state) => state.allowed);
    expect(allowed).toHaveLength(10);
    expect(new Set(allowed.map(({ remaining }) => remaining)).size).toBe(10);
  });

  it('are reported with how many are left, and when another is possible', async () => {
    const first = await countHit(database.db, bucket('one', 2), 60);
    expect(first).toMatchObject({ allowed: true, remaining: 1, reset: 60 });
    await age('one', 20);
    expect(await countHit(database.db, bucket('one', 2), 60)).toMatchObject({
      allowed: true,
      remaining: 0,
    });
    const refused = await countHit(database.db, bucket('one', 2), 60);
    expect(refused).toMatchObject({ allowed: false, remaining: 0 });
    expect(refused.reset).toBeGreaterThan(30);
    expect(refused.reset).toBeLessThanOrEqual(40);
  });

  it('slide: each hit expires after 60 s, not at the end of a minute', async () => {
    for (let i = 0; i < 5; i += 1) await countHit(database.db, bucket('slide'), 60);
    await age('slide', 40);
    for (let i = 0; i < 5; i += 1) await countHit(database.db, bucket('slide'), 60);
    expect((await countHit(database.db, bucket('slide'), 60)).allowed).toBe(false);
    await age('slide', 20.5);
    for (let i = 0; i < 5; i += 1) {
      expect((await countHit(database.db, bucket('slide'), 60)).allowed).toBe(true);
    }
    expect((await countHit(database.db, bucket('slide'), 60)).allowed).toBe(false);
  });

  it('a refused attempt does not delay the next one', async () => {
    await countHit(database.db, bucket('patient', 1), 60);
    await age('patient', 40);
    for (let i = 0; i < 20; i += 1) await countHit(database.db, bucket('patient', 1), 60);
    await age('patient', 20.5);
    expect((await countHit(database.db, bucket('patient', 1), 60)).allowed).toBe(true);
  });
});

it('a limit of zero admits nothing', async () => {
  expect(await countHit(database.db, bucket('closed', 0), 60)).toMatchObject({
    allowed: false,
    remaining: 0,
  });
});

function spendAll(...budgets: RateBucket[]) {
  return spendBudgets(database.db, budgets, 60);
}

describe('budgets', () => {
  it('are spent all or none, and the exhausted one is named', async () => {
    const caller = bucket('caller', 3);
    const host = bucket('host', 1);
    expect(await spendAll(caller, host)).toBeNull();
    const spent = await spendAll(caller, host);
    expect(spent).toMatchObject({ name: 'host' });
    expect(spent?.reset).toBeGreaterThan(50);
    expect(await spendAll(caller)).toBeNull();
    expect(await spendAll(caller)).toBeNull();
    expect(await spendAll(caller)).toMatchObject({ name: 'caller' });
  });

  it('stay exact for concurrent requests with overlapping budgets, on two nodes', async () => {
    const nodes = [database.db, database.open().db] as const;
    const attempts = Array.from({ length: 60 }, (_, i) =>
      spendBudgets(nodes[i % 2 === 0 ? 0 : 1], [bucket(`spender-${i % 6}`, 3), bucket('all', 12)], 60),
    );
    const granted = (await Promise.all(attempts)).filter((spent) => spent === null);
    expect(granted).toHaveLength(12);
  });

  it('refill evenly: of 6 a minute, one every ten seconds, and never more than 6 at once', async () => {
    const six = bucket('six', 6);
    for (let i = 0; i < 6; i += 1) expect(await spendAll(six)).toBeNull();
    const spent = await spendAll(six);
    expect(spent?.reset).toBeGreaterThan(5);
    expect(spent?.reset).toBeLessThanOrEqual(10);
    await age('six', 10);
    expect(await spendAll(six)).toBeNull();
    expect(await spendAll(six)).not.toBeNull();
    await age('six', 3_600);
    for (let i = 0; i < 6; i += 1) expect(await spendAll(six)).toBeNull();
    expect(await spendAll(six)).not.toBeNull();
  });

  it('of zero are always exhausted', async () => {
    expect(await spendAll(bucket('none', 0))).toMatchObject({ name: 'none' });
  });
});

describe('a clock that was set back by an hour', () => {
  it('does not block callers until it has caught up, and limits apply as before', async () => {
    for (let hit = 0; hit < 2; hit += 1) await countHit(database.db, bucket('back', 2), 60);
    await age('back', -3_600);
    expect(await countHit(database.db, bucket('back', 2), 60)).toMatchObject({ allowed: true, remaining: 1 });
    expect(await countHit(database.db, bucket('back', 2), 60)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await countHit(database.db, bucket('back', 2), 60)).toMatchObject({ allowed: false });
  });

  it('leaves no budget exhausted for so long', async () => {
    const spend = () => spendBudgets(database.db, [bucket('budget back', 2)], 60);
    const amount = () => spendingOf([bucket('amount back', 2)], sql`2`, 60);
    const spendAmount = async () => {
      const { rows } = await sql<SpentRow>`select refused, reset from ${amount()}`.execute(database.db);
      return refusalIn(rows[0], 60);
    };
    await spend();
    await spend();
    await spendAmount();
    for (const spent of [await spend(), await spendAmount()]) expect(spent).not.toBeNull();
    await age('budget back', -3_600);
    await age('amount back', -3_600);
    for (const spent of [await spend(), await spendAmount()]) expect(spent).toBeNull();
    await spend();
    for (const spent of [await spend(), await spendAmount()]) expect(spent).not.toBeNull();
  });
});

describe('the counter of a caller that is stored as a hash of the day', () => {
  const DAY = 86_400_000;
  const secrets = testSecrets();
  const naming = (ahead = 0) => ({ secrets, clock: () => new Date(Date.now() + ahead) });
  const named = (whose: string, ahead = 0): RateBucket => ({
    name: dailyName(naming(ahead), 'fresh', whose),
    limit: 10,
  });
  const stored = async () =>
    (
      await database.query<{ bucket: string }>(`select bucket from rate_windows where bucket like 'fresh:%'`)
    ).map(({ bucket: name }) => name);
  beforeEach(() => database.query('truncate rate_windows'));

  it('is not named after the caller, nor as on another day', async () => {
    await countHit(database.db, named('ip:192.0.2.7'), 60);
    expect((await stored()).join()).not.toContain('192.0.2.7');
    const { names } = dailyName(naming(), 'fresh', 'ip:192.0.2.7');
    expect(new Set(names).size).toBe(3);
    expect(await stored()).toEqual([names[1]]);
  });

  it('is exact at midnight: the hits of the day before count, also for 40 concurrent ones on two nodes', async () => {
    for (let hit = 0; hit < 7; hit += 1) await countHit(database.db, named('night'), 60);
    const { names } = dailyName(naming(), 'fresh', 'night');
    await database.query('update rate_windows set bucket = $1', [names[0]]);
    const nodes = [database.db, database.open().db] as const;
    const attempts = Array.from({ length: 40 }, (_, at) =>
      countHit(nodes[at % 2 === 0 ? 0 : 1], named('night'), 60),
    );
    expect((await Promise.all(attempts)).filter(({ allowed }) => allowed)).toHaveLength(3);
    expect(await stored()).toEqual([names[1]]);
  });

  it('is the same for nodes whose clocks are a day apart, and can be spent and forgotten', async () => {
    const first = await countHit(database.db, named('skewed'), 60);
    await countHit(database.db, named('skewed', DAY), 60);
    await countHit(database.db, named('skewed', -DAY), 60);
    expect(await stored()).toHaveLength(1);
    await forgetHit(database.db, named('skewed'), first);
    expect((await countHit(database.db, named('skewed'), 60)).remaining).toBe(7);
    for (let spent = 0; spent < 3; spent += 1)
      expect(
        await spendBudgets(database.db, [{ ...named('spender'), limit: 3 }, bucket('all', 99)], 60),
      ).toBeNull();
    expect(await spendBudgets(database.db, [{ ...named('spender'), limit: 3 }], 60)).not.toBeNull();
  });
});
