import { setImmediate as nextTurn } from 'node:timers/promises';
import { BATCH_ANSWER_LIMIT } from '@touchstone/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createBatchPermits } from '../limits/batch-permits.ts';
import { answerBatch } from './batch.ts';

const Item = z.object({ name: z.string() });
const CALL = { signal: new AbortController().signal, requestId: 'r' };
const OPTIONS = { baseUrl: 'https://certs.example', onItemFault: () => {} };
const items = (...names: string[]) => names.map((name) => ({ name }));

describe('a batch', () => {
  it('answers equal items once, in their order, unless each must be answered separately', async () => {
    const asked: string[] = [];
    const answer = async ({ name }: { name: string }) => {
      asked.push(name);
      await nextTurn();
      return { name };
    };
    const keyOf = ({ name }: { name: string }) => (name === 'each' ? null : name);
    const values = items('a', 'each', 'a', 'b', 'each', 'a');
    const results = await answerBatch(Item, values, CALL, OPTIONS, answer, keyOf);
    expect(results).toEqual(values.map((result) => ({ status: 200, result })));
    expect(asked.toSorted()).toEqual(['a', 'b', 'each', 'each']);
  });

  it('yields to others between any two items', async () => {
    let turn = 0;
    let isOver = false;
    const count = () => {
      turn += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const judgedIn: number[] = [];
    const answer = async ({ name }: { name: string }) => {
      judgedIn.push(turn);
      return { name };
    };
    const names = Array.from({ length: 20 }, (_, at) => `${at}`);
    await answerBatch(Item, items(...names), CALL, OPTIONS, answer, () => null);
    isOver = true;
    expect(new Set(judgedIn).size).toBe(names.length);
  });

  it('reports the failure of an item for all items equal to it', async () => {
    const answer = () => Promise.reject(new Error('broken'));
    const results = await answerBatch(Item, items('a', 'a'), CALL, OPTIONS, answer, ({ name }) => name);
    expect(results.map(({ status }) => status)).toEqual([500, 500]);
  });

  it('returns as much as fits into its response, and refers the rest to another batch', async () => {
    // the JSON around it, and room for the small one
    const half = 'x'.repeat(BATCH_ANSWER_LIMIT / 2 - 20);
    const answer = async ({ name }: { name: string }) => ({ t: name === 'small' ? '' : half });
    const values = items('large', 'large', 'large', 'small');
    const results = await answerBatch(Item, values, CALL, OPTIONS, answer, ({ name }) => name);
    expect(results.map(({ status }) => status)).toEqual([200, 200, 429, 200]);
    expect(results[2]).toMatchObject({ problem: { code: 'batch_answer_full', status: 429 }, retryAfter: 1 });
  });
});

describe('concurrent batches', () => {
  it('are limited to two per network, however many addresses it has, and six in total', async () => {
    const permits = createBatchPermits(1, 20);
    const done = Promise.withResolvers<void>();
    const work = () => done.promise;
    const begun = ['192.0.2.1', '192.0.2.9', '198.51.100.1', '198.51.100.1'].map((ip) =>
      permits.run(`ip:${ip}`, work),
    );
    const busy = { code: 'batches_busy', retryAfter: expect.any(Number) };
    await expect(permits.run('ip:192.0.2.77', work)).rejects.toMatchObject(busy);
    begun.push(permits.run('ip:203.0.113.1', work), permits.run('key:a', work));
    await expect(permits.run('key:b', work)).rejects.toMatchObject(busy);
    done.resolve();
    await Promise.all(begun);
    await permits.run('ip:192.0.2.77', async () => {});
  });

  it('start once an earlier one has ended', async () => {
    const permits = createBatchPermits(1, 5_000);
    const first = Promise.withResolvers<void>();
    const begun = [first.promise, new Promise<void>(() => {})].map((end) => permits.run('key:a', () => end));
    const third = permits.run('key:a', async () => 'begun');
    first.resolve();
    expect(await third).toBe('begun');
    await begun[0];
  });
});
