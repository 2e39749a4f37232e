import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type BackgroundPace, createBackgroundPace, type RequestLoad } from './background-pace.ts';

let now: number;
let pace: BackgroundPace;
let reports: RequestLoad[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  now = 100_000;
  reports = [];
  pace = createBackgroundPace(() => now);
  pace.reportLoad((load) => reports.push(load));
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (milliseconds: number) => {
  now += milliseconds;
  vi.advanceTimersByTime(milliseconds);
};

const ask = (times: number) => {
  for (let count = 0; count < times; count += 1) pace.onRequest();
};
/** Batch size for background work: large without requests, small during requests. */
const items = () => pace.run(async (load) => load.items);

test('an occasional request, such as a probe or an order, slows nothing down', async () => {
  const alone = await items();
  for (let second = 0; second < 5; second += 1) {
    ask(3);
    expect(await items()).toBe(alone);
    pass(1_000);
  }
  expect(reports).toEqual([]);
});

test('during many requests it works in small pieces, one at a time, until they are over', async () => {
  const alone = await items();
  ask(20);
  let running = 0;
  const pieces = [1, 2, 3].map(() =>
    pace.run(async (load) => {
      running += 1;
      expect(running).toBe(1);
      await Promise.resolve();
      running -= 1;
      return load;
    }),
  );
  for (const { items: count, signatures } of await Promise.all(pieces)) {
    expect(count).toBeLessThan(alone / 4);
    expect(signatures).toBe(1);
  }
  now += 2_000;
  expect(await items()).toBe(alone);
});

test('requests to another process of the service count as well, for as long as it reports them', async () => {
  const alone = await items();
  pace.onLoadElsewhere({ utilization: 0.01 });
  expect(await items()).toBeLessThan(alone / 4);
  // that is reported by the other process itself
  pass(2_000);
  expect(reports).toEqual([]);
  expect(await items()).toBe(alone);
});

test('work that started while idle signs less as soon as there are many requests', async () => {
  await pace.run(async (load) => {
    expect(load.signatures).toBeGreaterThan(4);
    ask(20);
    expect(load.signatures).toBe(1);
    now += 2_000;
    expect(load.signatures).toBeGreaterThan(4);
  });
});

test('a piece that fails does not block those behind it', async () => {
  ask(20);
  await expect(pace.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await items()).toBeGreaterThan(0);
});

test('reports twice a second while there are many requests; idle, it has no timer', () => {
  expect(vi.getTimerCount()).toBe(0);
  for (let half = 0; half < 4; half += 1) {
    ask(20);
    pass(500);
  }
  expect(reports).toEqual(Array.from({ length: 4 }, () => ({ utilization: expect.any(Number) })));
  pass(3_000);
  expect(vi.getTimerCount()).toBe(0);
  ask(20);
  pass(500);
  expect(reports.length).toBeGreaterThan(4);
});
