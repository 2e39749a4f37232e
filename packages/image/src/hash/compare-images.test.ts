import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { MAX_APPEARANCE } from './appearance.ts';
import { compareImages, LIKENESS_DISTANCE } from './compare-images.ts';
import { imageCodes } from './phash.ts';

const CODE = '979c61c6032439ff';
/** The code with its `n` lowest bits inverted. */
const turned = (n: number) => (BigInt(`0x${CODE}`) ^ ((1n << BigInt(n)) - 1n)).toString(16).padStart(16, '0');

describe('two images', () => {
  it('with the same bytes are the same, whatever their content', () => {
    expect(compareImages({ uhash: 'a', phash: CODE }, { uhash: 'a' })).toEqual({ likeness: 'same_bytes' });
  });

  it('whose codes differ in as many bits as copies may are similar, and in one more are not', () => {
    const compare = (n: number) =>
      compareImages({ uhash: 'a', phash: CODE }, { uhash: 'b', phash: turned(n) });
    expect(compare(LIKENESS_DISTANCE)).toEqual({ likeness: 'similar', distance: LIKENESS_DISTANCE });
    expect(compare(LIKENESS_DISTANCE + 1)).toEqual({
      likeness: 'different',
      distance: LIKENESS_DISTANCE + 1,
    });
  });

  it('are compared by the code of the whole frame if both have it', () => {
    const a = { uhash: 'a', phash: CODE, frameCode: CODE };
    expect(compareImages(a, { uhash: 'b', phash: turned(30), frameCode: CODE })).toMatchObject({
      distance: 0,
    });
    expect(compareImages(a, { uhash: 'b', phash: turned(30) })).toMatchObject({ distance: 30 });
  });

  it('without content are never copies', () => {
    const plain = '8000000000000000';
    expect(compareImages({ uhash: 'a', phash: plain }, { uhash: 'b', phash: plain }).likeness).toBe(
      'different',
    );
    expect(compareImages({ uhash: 'a' }, { uhash: 'b', phash: CODE })).toEqual({ likeness: 'different' });
  });
});

describe('an image and', () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400">
    <rect width="600" height="400" fill="#dca"/><circle cx="200" cy="180" r="120" fill="#b22"/>
    <path d="M330 380L420 60L560 330z" fill="#264"/><rect x="60" y="300" width="90" height="70" fill="#036"/></svg>`;
  const drawn = () => sharp(Buffer.from(svg)).flatten();
  const codes = async (picture: Sharp) => {
    const { data, info } = await sharp(await picture.jpeg({ quality: 80 }).toBuffer())
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return imageCodes({ width: info.width, height: info.height, data });
  };
  const block = (width: number, height: number) =>
    ({ input: { create: { width, height, channels: 3, background: '#fff' } }, left: 180, top: 120 }) as const;
  const square = (background: string) =>
    drawn().resize({ width: 500, height: 500, fit: 'contain', background });
  const relaid = async () => sharp(await drawn().png().toBuffer());

  it.each([
    ['itself, saved again', 'same_picture', async () => drawn()],
    ['itself at a third of the size', 'same_picture', async () => drawn().resize({ width: 200 })],
    ['itself at three times the size', 'same_picture', async () => drawn().resize({ width: 1800 })],
    ['itself on a white square', 'same_picture', async () => square('#fff')],
    ['itself on a black square', 'same_picture', async () => square('#000')],
    ['itself on a square of its background colour', 'same_picture', async () => square('#dca')],
    ['itself in other colours', 'similar', async () => (await relaid()).modulate({ hue: 40 })],
    [
      'itself with a block painted over it',
      'similar',
      async () => (await relaid()).composite([block(90, 60)]),
    ],
    ['its mirror image', 'different', async () => (await relaid()).flop()],
    ['itself drawn out in width', 'similar', async () => drawn().resize(600, 300, { fit: 'fill' })],
    [
      'itself above a text that was added to make a square',
      'different',
      async () =>
        square('#fff').composite([
          {
            input: { create: { width: 200, height: 50, channels: 3, background: '#c00' } },
            left: 150,
            top: 440,
          },
        ]),
    ],
  ])('%s: %s', async (_, likeness, copy) => {
    const [a, b] = await Promise.all([codes(drawn()), codes(await copy())]);
    expect(a.appearance.length).toBeLessThanOrEqual(MAX_APPEARANCE);
    expect(compareImages({ uhash: 'a', ...a }, { uhash: 'b', ...b }).likeness).toBe(likeness);
    expect(compareImages({ uhash: 'b', ...b }, { uhash: 'a', ...a }).likeness).toBe(likeness);
  });

  it('one without an appearance code, or with one of another version, are at most similar', async () => {
    const a = { uhash: 'a', ...(await codes(drawn())) };
    const { appearance, ...rest } = a;
    for (const other of [
      {},
      { appearance: `2${appearance.slice(1)}` },
      { appearance: '1;x;y' },
      { appearance: '' },
    ])
      expect(compareImages(a, { ...rest, ...other, uhash: 'b' }).likeness).toBe('similar');
  });
});
