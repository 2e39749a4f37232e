import { expect, it } from 'vitest';
import { createRestartPolicy, MOST_ENDS } from './restart-policy.ts';

it('a process that ends is restarted at once, and with longer delays the more often it ends early', () => {
  let now = 0;
  const policy = createRestartPolicy(() => now);
  expect([1, 2, 3, 4, 5, 6, 7].map(() => policy.ended(1, 500))).toEqual([
    0, 100, 200, 400, 800, 1_000, 1_000,
  ]);
  expect(policy.ended(2, 500)).toBe(0);
  now += 20_000;
  expect(policy.ended(1, 20_000)).toBe(0);
  expect(policy.ended(1, 500)).toBe(0);
});

it('the service gives up after a number of ends per minute, over all processes', () => {
  let now = 0;
  const policy = createRestartPolicy(() => now);
  for (let end = 1; end < MOST_ENDS; end++) expect(policy.ended(end % 4, 60_000)).toBe(0);
  now = 60_000;
  for (let end = 1; end < MOST_ENDS; end++) expect(policy.ended(end % 4, 60_000)).toBe(0);
  expect(policy.ended(1, 60_000)).toBe(null);
});
