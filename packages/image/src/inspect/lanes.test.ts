import { expect, it } from 'vitest';
import { createLanes, type Opener } from './lanes.ts';

it('an opener that cannot be started costs only the one whom it was for', async () => {
  const opener: Opener = { isUsable: () => true, end: async () => {} };
  let starts = 0;
  const lanes = createLanes(1, 8, () => {
    starts += 1;
    if (starts === 1) throw new Error('no such script');
    return opener;
  });
  const ends = await Promise.allSettled([lanes.run(async () => 'a'), lanes.run(async () => 'b')]);
  expect(ends).toMatchObject([{ reason: { message: 'no such script' } }, { value: 'b' }]);
});
