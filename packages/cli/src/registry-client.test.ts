import { expect, it } from 'vitest';
import { everyItem, pagesOf } from './registry-client.ts';

const drain = async (pages: AsyncIterable<unknown>): Promise<number> => {
  let count = 0;
  for await (const _ of pages) count += 1;
  return count;
};

it('a list that a service never ends is not read for ever', async () => {
  let asked = 0;
  const ever = async () => ({ nextCursor: String(asked++) });
  await expect(drain(pagesOf(ever))).rejects.toMatchObject({
    exitCode: 3,
    code: 'service_not_understood',
    message: 'The service sends a list without end: it has more than 10000 pages.',
  });
  expect(asked).toBe(10_000);
  const same = async () => ({ nextCursor: 'a' });
  await expect(drain(pagesOf(same))).rejects.toThrow('the same page follows itself');
});

it('a list that is kept in memory has a limit of characters', async () => {
  let asked = 0;
  const item = 'x'.repeat(10_000_000);
  const ask = async () => ({ items: [item], nextCursor: String(asked++) });
  await expect(everyItem(ask, ({ items }) => items)).rejects.toThrow('more than 200 million characters');
  expect(asked).toBe(20);
});
