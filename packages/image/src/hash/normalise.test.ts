import { expect, it } from 'vitest';
import { greyOf, overWhite, trimmed } from './normalise.ts';
import { resizeGrey } from './resize.ts';
import { syntheticPixels } from './testing-picture.ts';
import { uhash } from './uhash.ts';

const plain = (width: number, height: number) => ({
  width,
  height,
  data: new Uint8Array(width * height * 4).fill(255),
});

it('produces the same bytes as Pillow for any image', async () => {
  const grey = greyOf(trimmed(overWhite(syntheticPixels())));
  expect([grey.width, grey.height]).toEqual([87, 51]);
  // alpha_composite, crop, convert('L') and resize((32, 32), BICUBIC) of Pillow 9.4.0, hashed
  expect(await uhash(resizeGrey(grey, 32))).toBe(
    '08cc82490bd4b75d09ae0767cd679b93be10e4c64000a9cc9e481d94347c09df',
  );
});

it('leaves an image of one colour unchanged, however small', () => {
  expect(trimmed(plain(3, 2))).toEqual(plain(3, 2));
  expect(resizeGrey(greyOf(plain(1, 1)), 32)).toEqual(new Uint8Array(1024).fill(255));
});

it('renders transparency as white', () => {
  const clear = { width: 1, height: 1, data: Uint8Array.of(10, 20, 30, 0) };
  expect([...overWhite(clear).data]).toEqual([255, 255, 255, 255]);
});
