import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { imageCodes } from './phash.ts';
import { BAND_BITS, BANDS, type BandKeys, pictureKeys, pictureQuestion } from './search-codes.ts';

const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400">
  <rect width="600" height="400" fill="#dca"/><circle cx="200" cy="180" r="120" fill="#b22"/>
  <path d="M330 380L420 60L560 330z" fill="#264"/><rect x="60" y="300" width="90" height="70" fill="#036"/></svg>`;
const drawn = () => sharp(Buffer.from(svg)).flatten();

async function codesOf(picture: Sharp) {
  const { data, info } = await sharp(await picture.jpeg({ quality: 60 }).toBuffer())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return imageCodes({ width: info.width, height: info.height, data });
}

/** Whether one of the ranges that are asked contains the keys. */
const isAsked = (probes: readonly (readonly number[])[] | undefined, keys: BandKeys | undefined) =>
  probes?.some((values, band) =>
    values.includes(Number((keys?.[band] ?? -1n) >> BigInt(BAND_BITS * (BANDS - 1)))),
  );

describe('a picture is found', () => {
  const padded = (background: string) =>
    drawn().resize({ width: 500, height: 500, fit: 'contain', background });

  it('by its keys, which are the same 63 bits beginning with each band', async () => {
    const codes = await codesOf(drawn());
    const keys = pictureKeys(codes);
    const [a = 0n, b = 0n, c = 0n] = keys?.frame ?? [];
    const rest = (key: bigint) => ((key & ((1n << 42n) - 1n)) << 21n) | (key >> 42n);
    expect([rest(a), rest(b), rest(c)]).toEqual([b, c, a]);
    const question = pictureQuestion(codes);
    expect(question?.frame.keys).toEqual(keys?.frame);
    expect(question?.frame.probes.map((values) => new Set(values).size)).toEqual([16, 16, 16]);
    expect(question?.frame.probes.map(([first]) => BigInt(first ?? 0))).toEqual(
      keys?.frame.map((key) => key >> 42n),
    );
  });

  it.each([
    ['smaller', () => drawn().resize({ width: 200 })],
    ['larger', () => drawn().resize({ width: 1_500 })],
  ])('by a copy that is %s', async (_, copy) => {
    const keys = pictureKeys(await codesOf(drawn()));
    expect(isAsked(pictureQuestion(await codesOf(copy()))?.frame.probes, keys?.frame)).toBe(true);
  });

  it.each(['#fff', '#000'])('by a copy that was padded to a square with %s', async (background) => {
    const keys = pictureKeys(await codesOf(drawn()));
    const question = pictureQuestion(await codesOf(padded(background)));
    expect(isAsked(question?.square?.probes, keys?.square)).toBe(true);
    expect(isAsked(question?.frame.probes, keys?.frame)).toBe(false);
  });

  it('as a square only by square pictures, and without a second code if it is square itself', async () => {
    expect(pictureQuestion(await codesOf(drawn()))?.square).toBeUndefined();
    expect(pictureKeys(await codesOf(padded('#fff')))?.square).toBeUndefined();
  });
});

it.each([
  ['plain', sharp({ create: { width: 80, height: 60, channels: 3, background: '#c8c8c8' } })],
  [
    'striped',
    sharp(
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="60"><rect width="80" height="60" fill="#fff"/><rect width="80" height="9" y="20"/></svg>',
      ),
    ),
  ],
])('a %s picture is not looked for: all of them would be the same', async (_, picture) => {
  const codes = await codesOf(picture);
  expect([pictureKeys(codes), pictureQuestion(codes)]).toEqual([null, null]);
});
