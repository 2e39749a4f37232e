import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { networkOfCaller } from '../../platform/limits/caller-network.ts';
import { createFetchPermits, type FetchPermits } from './fetch-permits.ts';

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

const { signal } = new AbortController();

/** Starts work that continues until its entry in `finish` is called. */
function start(caller: string, network: string): Promise<void> {
  return permits.run(caller, async (takePermit) => {
    await takePermit(network, signal);
    started.push(`${caller} ${network}`);
    await new Promise<void>((resolve) => finish.push(resolve));
  });
}

/** The same, ignoring the result. */
function begin(caller: string, network: string): void {
  start(caller, network).catch(() => {});
}

const settle = () => nextTurn();

describe('of eight permits', () => {
  it('the hosts of one network get two, whoever the caller is', async () => {
    for (const caller of ['a', 'b', 'c']) begin(caller, 'slow');
    await settle();
    expect(started).toEqual(['a slow', 'b slow']);
    begin('other', 'quick');
    await settle();
    expect(started).toContain('other quick');
    finish[0]?.();
    await settle();
    expect(started.at(-1)).toBe('c slow');
  });

  it('one caller gets two, whatever the hosts', async () => {
    for (let i = 0; i < 10; i += 1) begin('greedy', `${i}`);
    await settle();
    expect(started).toHaveLength(2);
    begin('other', 'quick');
    await settle();
    expect(started).toContain('other quick');
  });

  it('the callers of one network get two, however many addresses they have', async () => {
    for (let i = 0; i < 10; i += 1) begin(`ip:198.51.100.${i}`, `${i}`);
    await settle();
    expect(started).toHaveLength(2);
    begin('ip:192.0.2.1', 'quick');
    await settle();
    expect(started).toContain('ip:192.0.2.1 quick');
  });

  it('work that moves on to another network returns its permit for the first', async () => {
    const moved = Promise.withResolvers<void>();
    for (const caller of ['a', 'b']) {
      const work = permits.run(caller, async (takePermit) => {
        await takePermit('crowded', signal);
        await takePermit(caller, signal);
        await moved.promise;
      });
      work.catch(() => {});
    }
    await settle();
    for (const caller of ['c', 'd']) begin(caller, 'crowded');
    await settle();
    expect(started).toEqual(['c crowded', 'd crowded']);
    moved.resolve();
  });

  it('together all get eight', async () => {
    for (let i = 0; i < 20; i += 1) begin(`${i}`, `${i}`);
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
  ['merchant:a/key:1f0c', 'merchant:a'],
])('the network of caller %s is %s', (caller, network) => {
  expect(networkOfCaller(caller)).toBe(network);
});

it('a permit is returned when its work fails', async () => {
  for (let i = 0; i < 20; i += 1) {
    const failing = permits.run('a', async (takePermit) => {
      await takePermit('n', signal);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
  }
  begin('a', 'n');
  await settle();
  expect(started).toHaveLength(1);
});

it('a caller who would wait longer than a fetch may take is asked to retry later', async () => {
  for (const caller of ['a', 'b']) begin(caller, 'slow');
  await expect(start('c', 'slow')).rejects.toMatchObject({ code: 'fetch_budget_spent', retryAfter: 5 });
  finish[0]?.();
  await settle();
  begin('d', 'slow');
  await settle();
  expect(started).toEqual(['a slow', 'b slow', 'd slow']);
});
