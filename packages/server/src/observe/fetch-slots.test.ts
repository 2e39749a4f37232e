import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFetchSlots, type FetchSlots, type SlotOwner } from './fetch-slots.ts';

let slots: FetchSlots;
let finish: (() => void)[];
let started: string[];

beforeEach(() => {
  slots = createFetchSlots(8, 200);
  finish = [];
  started = [];
});
afterEach(() => {
  for (const end of finish) end();
});

/** Starts work that goes on until it is told to finish. */
function start(owner: SlotOwner): Promise<void> {
  return slots.run(owner, () => {
    started.push(`${owner.caller} ${owner.host}`);
    return new Promise<void>((resolve) => finish.push(resolve));
  });
}

/** The same, where it does not matter what comes of it. */
function begin(owner: SlotOwner): void {
  start(owner).catch(() => {});
}

const settle = () => delay(5);

describe('of eight slots', () => {
  it('one host gets one, whoever asks', async () => {
    for (const caller of ['a', 'b', 'c']) begin({ caller, host: 'slow' });
    await settle();
    expect(started).toEqual(['a slow']);
    finish[0]?.();
    await settle();
    expect(started).toEqual(['a slow', 'b slow']);
  });

  it('one caller gets three, wherever it asks', async () => {
    for (let i = 0; i < 10; i += 1) begin({ caller: 'greedy', host: `${i}` });
    await settle();
    expect(started).toHaveLength(3);
    begin({ caller: 'other', host: 'quick' });
    await settle();
    expect(started).toContain('other quick');
  });

  it('all get eight', async () => {
    for (let i = 0; i < 20; i += 1) begin({ caller: `${i}`, host: `${i}` });
    await settle();
    expect(started).toHaveLength(8);
    for (const end of finish.splice(0, 3)) end();
    await settle();
    expect(started).toHaveLength(11);
    expect(started.at(-1)).toBe('10 10');
  });
});

it('a slot is given back when its work fails', async () => {
  const owner = { caller: 'a', host: 'h' };
  for (let i = 0; i < 20; i += 1) {
    await expect(slots.run(owner, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  }
  begin(owner);
  await settle();
  expect(started).toHaveLength(1);
});

it('who waits longer than a fetch may take is told to come back later', async () => {
  begin({ caller: 'a', host: 'slow' });
  await expect(start({ caller: 'b', host: 'slow' })).rejects.toMatchObject({
    code: 'fetch_budget_spent',
    retryAfter: 5,
  });
  finish[0]?.();
  await settle();
  begin({ caller: 'c', host: 'slow' });
  await settle();
  expect(started).toEqual(['a slow', 'c slow']);
});
