import { beforeEach, expect, test } from 'vitest';
import { type BackgroundPace, createBackgroundPace } from './background-pace.ts';

let now: number;
let pace: BackgroundPace;

beforeEach(() => {
  now = 100_000;
  pace = createBackgroundPace(() => now);
});

const ask = (times: number) => {
  for (let count = 0; count < times; count += 1) pace.onRequest();
};
/** Products of one piece of work: many while nobody is in the way, few beside requests. */
const items = () => pace.run(async (load) => load.items);

test('a request now and then, as of a probe or of someone who orders the work, slows nothing down', async () => {
  const alone = await items();
  for (let second = 0; second < 5; second += 1) {
    ask(3);
    expect(await items()).toBe(alone);
    expect(pace.load()).toBeUndefined();
    now += 1_000;
  }
});

test('beside many requests it goes in small pieces, one at a time, until they are over', async () => {
  const alone = await items();
  ask(20);
  expect(pace.load()).toEqual({ utilization: expect.any(Number) });
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

test('what another process of the service is asked counts as well, for as long as it says so', async () => {
  const alone = await items();
  pace.onLoadElsewhere({ utilization: 0.01 });
  expect(await items()).toBeLessThan(alone / 4);
  // that is told by the other process itself
  expect(pace.load()).toBeUndefined();
  now += 2_000;
  expect(await items()).toBe(alone);
});

test('what has begun while nobody asked signs less from the moment on in which many do', async () => {
  await pace.run(async (load) => {
    expect(load.signatures).toBeGreaterThan(4);
    ask(20);
    expect(load.signatures).toBe(1);
    now += 2_000;
    expect(load.signatures).toBeGreaterThan(4);
  });
});

test('a piece that fails keeps none behind it waiting', async () => {
  ask(20);
  await expect(pace.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await items()).toBeGreaterThan(0);
});
