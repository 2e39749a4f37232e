import { setTimeout as delay } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { startUpkeep } from './upkeep.ts';

test('rounds go on after one that failed, never two at a time, and end when told', async () => {
  const faults: unknown[] = [];
  let rounds = 0;
  let running = 0;
  const stop = startUpkeep({
    every: 2,
    async tend() {
      rounds += 1;
      running += 1;
      expect(running).toBe(1);
      await delay(5);
      running -= 1;
      if (rounds === 1) throw new Error('away');
    },
    onFault: (cause) => faults.push(cause),
  });
  await vi.waitUntil(() => rounds >= 3);
  await stop();
  expect(running).toBe(0);
  const ended = rounds;
  await delay(20);
  expect(rounds).toBe(ended);
  expect(faults).toEqual([new Error('away')]);
});
