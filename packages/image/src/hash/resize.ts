import type { Grey } from './normalise.ts';

/** Weights are whole numbers of this many bits, as in Pillow, so that every runtime gets the same bytes. */
const WEIGHT_ONE = 2 ** 22;

/** The source pixels of one pixel of the result, with their weights. */
interface Support {
  readonly first: number;
  readonly weights: Float64Array;
}

/** Resizes to a square of `side` pixels by bicubic interpolation (a = -0.5), using every source pixel when downscaling. */
export function resizeGrey({ width, height, data }: Grey, side: number): Uint8Array {
  const across = supports(width, side);
  const narrow = new Uint8Array(side * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < side; x += 1) narrow[y * side + x] = weigh(data, y * width, 1, across[x]);
  }
  const down = supports(height, side);
  const out = new Uint8Array(side * side);
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) out[y * side + x] = weigh(narrow, x, side, down[y]);
  }
  return out;
}

function weigh(data: Uint8Array, start: number, step: number, support: Support | undefined): number {
  if (support === undefined) return 0;
  const { first, weights } = support;
  let sum = WEIGHT_ONE / 2;
  for (let i = 0, at = start + first * step; i < weights.length; i += 1, at += step) {
    sum += (data[at] ?? 0) * (weights[i] ?? 0);
  }
  return Math.min(255, Math.max(0, Math.floor(sum / WEIGHT_ONE)));
}

function supports(from: number, to: number): readonly Support[] {
  const scale = from / to;
  const stretch = Math.max(1, scale);
  return Array.from({ length: to }, (_, i) => {
    const centre = (i + 0.5) * scale;
    const first = Math.max(0, Math.trunc(centre - 2 * stretch + 0.5));
    const last = Math.min(from, Math.trunc(centre + 2 * stretch + 0.5));
    const raw = Array.from({ length: last - first }, (_, x) => bicubic((x + first - centre + 0.5) / stretch));
    const sum = raw.reduce((total, weight) => total + weight, 0);
    return { first, weights: Float64Array.from(raw, (weight) => roundAway((weight / sum) * WEIGHT_ONE)) };
  });
}

function bicubic(distance: number): number {
  const a = -0.5;
  const x = Math.abs(distance);
  if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
}

/** To the nearest whole number, halves away from zero. */
function roundAway(value: number): number {
  return Math.trunc(value + (value < 0 ? -0.5 : 0.5));
}
