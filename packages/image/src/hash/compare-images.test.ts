import { describe, expect, it } from 'vitest';
import { compareImages, LIKENESS_DISTANCE } from './compare-images.ts';

const CODE = '979c61c6032439ff';
/** The code with its `n` lowest bits turned over. */
const turned = (n: number) => (BigInt(`0x${CODE}`) ^ ((1n << BigInt(n)) - 1n)).toString(16).padStart(16, '0');

describe('two images', () => {
  it('of the same bytes are the same, whatever they look like', () => {
    expect(compareImages({ uhash: 'a', phash: CODE }, { uhash: 'a' })).toEqual({ likeness: 'same' });
  });

  it('that differ in no more bits than copies do are copies, and in one more are not', () => {
    const compare = (n: number) =>
      compareImages({ uhash: 'a', phash: CODE }, { uhash: 'b', phash: turned(n) });
    expect(compare(LIKENESS_DISTANCE)).toEqual({ likeness: 'resized_copy', distance: LIKENESS_DISTANCE });
    expect(compare(LIKENESS_DISTANCE + 1)).toEqual({
      likeness: 'different',
      distance: LIKENESS_DISTANCE + 1,
    });
  });

  it('are compared by the code of the whole frame where both have it', () => {
    const a = { uhash: 'a', phash: CODE, frameCode: CODE };
    expect(compareImages(a, { uhash: 'b', phash: turned(30), frameCode: CODE })).toMatchObject({
      distance: 0,
    });
    expect(compareImages(a, { uhash: 'b', phash: turned(30) })).toMatchObject({ distance: 30 });
  });

  it('that show nothing are never copies', () => {
    const plain = '8000000000000000';
    expect(compareImages({ uhash: 'a', phash: plain }, { uhash: 'b', phash: plain }).likeness).toBe(
      'different',
    );
    expect(compareImages({ uhash: 'a' }, { uhash: 'b', phash: CODE })).toEqual({ likeness: 'different' });
  });
});
