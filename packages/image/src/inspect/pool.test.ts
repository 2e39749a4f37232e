import { expect, it } from 'vitest';
import { createPool, type PoolWorker } from './pool.ts';

it('a worker that cannot be started fails only the image that it was for', async () => {
  const worker: PoolWorker = { isUsable: () => true, end: async () => {} };
  let starts = 0;
  const pool = createPool(1, 8, () => {
    starts += 1;
    if (starts === 1) throw new Error('no such script');
    return worker;
  });
  const results = await Promise.allSettled([pool.run(async () => 'a'), pool.run(async () => 'b')]);
  expect(results).toMatchObject([{ reason: { message: 'no such script' } }, { value: 'b' }]);
});
