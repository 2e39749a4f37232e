/** Side of the picture that the code is made from. */
export const CODE_SIDE = 32;
/** Where the four windows of 8 x 8 low frequencies begin (column, row); each gives 64 bits. */
const WINDOWS = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
] as const;

/**
 * Bits of the Image-Code of ISO 24138 (algorithm v0), without the header of the standard's text form.
 *
 * @param pixels 1,024 grey values, rows of 32
 * @param bits 64, 128, 192 or 256; shorter codes are the beginning of longer ones
 */
export function imageCode(pixels: ArrayLike<number>, bits: 64 | 128 | 192 | 256): Uint8Array {
  const rows = chunk(Array.from(pixels), CODE_SIDE).map(dct);
  // the transform of columns, column after column
  const columns = rows.map((_, x) => dct(rows.map((row) => row[x] ?? 0)));
  const code = WINDOWS.slice(0, bits / 64).flatMap(([left, top]) => {
    const window = Array.from(
      { length: 64 },
      (_, i) => columns[left + (i % 8)]?.[top + Math.floor(i / 8)] ?? 0,
    );
    const middle = median(window);
    return window.map((value) => (value > middle ? 1 : 0));
  });
  return Uint8Array.from(chunk(code, 8), (byte) => byte.reduce<number>((value, bit) => value * 2 + bit, 0));
}

function chunk<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: list.length / size }, (_, i) => list.slice(i * size, (i + 1) * size));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = values.length / 2;
  return ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2;
}

/**
 * Discrete cosine transform of type II, unscaled, by Lee's recursion (1984): the order of its additions is what ISO
 * 24138's test vectors were made with, and bits that lie close to the median depend on it.
 *
 * @param values their number is a power of two
 */
function dct(values: readonly number[]): number[] {
  const n = values.length;
  if (n === 1) return [...values];
  const half = n / 2;
  const at = (i: number) => values[i] ?? 0;
  const sums = Array.from({ length: half }, (_, i) => at(i) + at(n - 1 - i));
  const differences = Array.from(
    { length: half },
    (_, i) => (at(i) - at(n - 1 - i)) / (Math.cos(((i + 0.5) * Math.PI) / n) * 2),
  );
  const even = dct(sums);
  const odd = dct(differences);
  return even.flatMap((value, i) => [
    value,
    i === half - 1 ? (odd[i] ?? 0) : (odd[i] ?? 0) + (odd[i + 1] ?? 0),
  ]);
}
