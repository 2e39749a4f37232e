/**
 * Discrete cosine transform of type II, unscaled, by Lee's recursion (1984): the order of its additions is what ISO
 * 24138's test vectors were made with, and bits that lie close to the median depend on it.
 *
 * @param values their number is a power of two
 */
export function dct(values: readonly number[]): number[] {
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
