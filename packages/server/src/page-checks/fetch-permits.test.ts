import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFetchPermits, type FetchOwner, type FetchPermits, networkOfCaller } from './fetch-permits.ts';

let permits: FetchPermits;
let finish: (() => void)[];
let started: string[];

beforeEach(() => {
  permits = createFetchPermits(8, 200);
  finish = [];
  started = [];
});
afterEach(() => {
  for (const end of finish) end();
});

/** Starts work that goes on until it is told to finish. */
function start(owner: FetchOwner): Promise<void> {
  return permits.run(owner, async () => {
    started.push(`${owner.caller} ${owner.host}`);
    await new Promise<void>((resolve) => finish.push(resolve));
  });
}

/** The same, where it does not matter what comes of it. */
function begin(owner: FetchOwner): void {
  start(owner).catch(() => {});
}

const settle = () => delay(5);

describe('of eight permits', () => {
  it('one host gets one, whoever asks', async () => {
    for (const caller of ['a', 'b', 'c']) begin({ caller, host: 'slow' });
    await settle();
    expect(started).toEqual(['a slow']);
    finish[0]?.();
    await settle();
    expect(started).toEqual(['a slow', 'b slow']);
  });

  it('one caller gets two, wherever it asks', async () => {
    for (let i = 0; i < 10; i += 1) begin({ caller: 'greedy', host: `${i}` });
    await settle();
    expect(started).toHaveLength(2);
    begin({ caller: 'other', host: 'quick' });
    await settle();
    expect(started).toContain('other quick');
  });

  it('the callers of one network get two, however many addresses they have', async () => {
    for (let i = 0; i < 10; i += 1) begin({ caller: `ip:198.51.100.${i}`, host: `${i}` });
    await settle();
    expect(started).toHaveLength(2);
    begin({ caller: 'ip:192.0.2.1', host: 'quick' });
    await settle();
    expect(started).toContain('ip:192.0.2.1 quick');
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

it.each([
  ['ip:198.51.100.7', 'ip:198.51.100.0/24'],
  ['ip:2001:db8:1:2::/64', 'ip:2001:db8:1::/48'],
  ['key:1f0c', 'key:1f0c'],
])('the network of caller %s is %s', (caller, network) => {
  expect(networkOfCaller(caller)).toBe(network);
});

it('a permit is given back when its work fails', async () => {
  const owner = { caller: 'a', host: 'h' };
  for (let i = 0; i < 20; i += 1) {
    const failing = permits.run(owner, async () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
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
