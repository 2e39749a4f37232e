import { expect, it } from 'vitest';
import { createChangeHub } from '../../platform/cache/changes.ts';
import { createComparison } from './comparison.ts';

function open(compare: () => Promise<void>) {
  const hub = createChangeHub();
  const faults: unknown[] = [];
  return {
    hub,
    faults,
    comparison: createComparison({ hub, compare, onFault: (fault) => faults.push(fault) }),
  };
}

it('a database that was lost and came back is compared again, and what was read meanwhile is read again', async () => {
  let compared = 0;
  const { hub, comparison } = open(async () => {
    compared += 1;
  });
  const read: number[] = [];
  const result = await comparison.whenDone(async () => {
    if (read.push(compared) === 1) {
      hub.publish('unheard');
      hub.publish('heard');
    }
    return compared;
  });
  expect([result, read]).toEqual([2, [1, 2]]);
  await comparison.close();
});

it('a comparison does not count during which the database was lost', async () => {
  const gate = Promise.withResolvers<void>();
  let compared = 0;
  const { hub, comparison } = open(() => {
    compared += 1;
    return compared === 1 ? gate.promise : Promise.resolve();
  });
  const read = comparison.whenDone(async () => compared);
  hub.publish('unheard');
  gate.resolve();
  expect(await read).toBe(2);
  await comparison.close();
});

it('while the copies cannot be read, callers are refused at once, and it is tried again', async () => {
  let isAway = true;
  const { faults, comparison } = open(async () => {
    if (isAway) throw new Error('away');
  });
  await comparison.attempt();
  await expect(comparison.whenDone(async () => 0)).rejects.toMatchObject({ code: 'blobs_unavailable' });
  expect([comparison.findings().length, faults.length]).toEqual([1, 1]);
  isAway = false;
  await expect.poll(() => comparison.isDone()).toBe(true);
  expect(comparison.findings()).toEqual([]);
  await comparison.close();
});
