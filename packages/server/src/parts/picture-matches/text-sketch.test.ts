import { expect, it } from 'vitest';
import { shareOfText, sketchText } from './text-sketch.ts';

const TEXT =
  'A cup for two hands, thrown in speckled clay and dipped in cream. Holds a quarter of a litre and keeps it warm.';
const share = (a: string, b: string) => {
  const [one, other] = [sketchText(a), sketchText(b)];
  return one === undefined || other === undefined ? null : shareOfText(one, other);
};

it('A text is the same whatever its case, white space, punctuation and form of characters', () => {
  const written = TEXT.toUpperCase().replaceAll(' ', ' \n').replaceAll('.', ' – ').replace('cup', 'ｃｕｐ');
  expect(share(TEXT, written.replace('CUP', 'ＣＵＰ'))).toBe(1);
});

it('The share of two texts is about that of the phrases of four words that both have', () => {
  const words = (from: number, count: number) =>
    Array.from({ length: count }, (_, nth) => `word${from + nth}`).join(' ');
  // 97 phrases each, of which 47 are in both
  expect(share(words(0, 100), words(50, 100))).toBeCloseTo(47 / 147, 1);
  expect(share(words(0, 100), words(10, 100))).toBeCloseTo(87 / 107, 1);
  expect(share(words(0, 100), words(100, 100))).toBeLessThan(0.05);
});

it('A text that is too short cannot be recognised, and one that never ends is read to a limit', () => {
  expect(share('A cup for two hands.', 'A cup for two hands.')).toBeNull();
  expect(share('mug '.repeat(500), 'mug '.repeat(500))).toBeNull();
  const long = Array.from({ length: 2_000 }, (_, nth) => `word${nth}`).join(' ');
  expect(share(long, `${long} ${TEXT}`)).toBe(1);
});

it('Scripts without spaces between words are read by their characters', () => {
  const text = '一只适合双手捧握的杯子,由斑点陶土拉坯而成,并浸上奶油色的釉。';
  const other = '宽到足以盛放四人份的沙拉,深到足以盛放两人份的汤,绿色的釉在里面更深。';
  expect(share(text, text)).toBe(1);
  expect(share(text, other)).toBeLessThan(0.1);
  expect(share(text, `${text}可以保温。`)).toBeGreaterThan(0.6);
});
