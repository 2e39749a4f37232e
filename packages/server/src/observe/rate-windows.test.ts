import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../storage/testing.ts';
import { countHit } from './rate-windows.ts';

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
  it('are let through, also when 100 come at once from two nodes', async () => {
    const nodes = [database.db, database.open().db] as const;
    const attempts = Array.from({ length: 100 }, (_, i) =>
      countHit(nodes[i % 2 === 0 ? 0 : 1], [bucket('crowd')], 60),
    );
    const allowed = (await Promise.all(attempts)).filter((state) => state.allowed);
    expect(allowed).toHaveLength(10);
    expect(new Set(allowed.map(({ remaining }) => remaining)).size).toBe(10);
  });

  it('are told: how many are left, and when there is room again', async () => {
    const first = await countHit(database.db, [bucket('one', 2)], 60);
    expect(first).toMatchObject({ allowed: true, remaining: 1, reset: 60 });
    await age('one', 20);
    expect(await countHit(database.db, [bucket('one', 2)], 60)).toMatchObject({
      allowed: true,
      remaining: 0,
    });
    const refused = await countHit(database.db, [bucket('one', 2)], 60);
    expect(refused).toMatchObject({ allowed: false, remaining: 0 });
    expect(refused.reset).toBeGreaterThan(38);
    expect(refused.reset).toBeLessThanOrEqual(40);
  });

  it('slide: each hit leaves 60 s after it came, not at a turn of the minute', async () => {
    for (let i = 0; i < 5; i += 1) await countHit(database.db, [bucket('slide')], 60);
    await age('slide', 59);
    for (let i = 0; i < 5; i += 1) await countHit(database.db, [bucket('slide')], 60);
    expect((await countHit(database.db, [bucket('slide')], 60)).allowed).toBe(false);
    await age('slide', 1.5);
    for (let i = 0; i < 5; i += 1) {
      expect((await countHit(database.db, [bucket('slide')], 60)).allowed).toBe(true);
    }
    expect((await countHit(database.db, [bucket('slide')], 60)).allowed).toBe(false);
  });

  it('a refused attempt does not put off the next one', async () => {
    await countHit(database.db, [bucket('patient', 1)], 60);
    await age('patient', 59);
    for (let i = 0; i < 20; i += 1) await countHit(database.db, [bucket('patient', 1)], 60);
    await age('patient', 1.5);
    expect((await countHit(database.db, [bucket('patient', 1)], 60)).allowed).toBe(true);
  });
});

describe('several buckets', () => {
  it('are counted all or none, and the full one is named', async () => {
    const caller = bucket('caller', 5);
    const host = bucket('host', 1);
    expect((await countHit(database.db, [caller, host], 60)).allowed).toBe(true);
    const refused = await countHit(database.db, [caller, host], 60);
    expect(refused).toMatchObject({ allowed: false, bucket: { name: 'host' }, remaining: 0 });
    expect(await countHit(database.db, [caller], 60)).toMatchObject({ allowed: true, remaining: 3 });
  });

  it('stay exact when many want overlapping ones at once', async () => {
    const all = bucket('all', 12);
    const attempts = Array.from({ length: 60 }, (_, i) =>
      countHit(database.db, [bucket(`caller-${i % 6}`, 3), all], 60),
    );
    const allowed = (await Promise.all(attempts)).filter((state) => state.allowed);
    expect(allowed).toHaveLength(12);
  });

  it('with no room at all are always full', async () => {
    expect(await countHit(database.db, [bucket('closed', 0)], 60)).toMatchObject({
      allowed: false,
      reset: 60,
    });
  });
});
