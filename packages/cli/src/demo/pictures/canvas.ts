/** Red, green and blue, 0 to 255. */
export type Colour = readonly [number, number, number];

/** A square picture; later shapes cover earlier ones. Coordinates go from 0 to 1, y downwards. */
export interface Canvas {
  readonly size: number;
  /** Three bytes per pixel, row by row. */
  readonly pixels: Uint8Array;
  /** Calls `paint` for each pixel of a box; it returns the colour and its opacity (0 to 1). */
  paint(box: Box, paint: (x: number, y: number) => Paint | undefined): void;
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Paint {
  readonly colour: Colour;
  readonly cover: number;
}

export const EVERYWHERE: Box = { left: 0, top: 0, right: 1, bottom: 1 };

export function createCanvas(size: number): Canvas {
  const pixels = new Uint8Array(size * size * 3);
  const pixelOf = (at: number) => Math.min(size, Math.max(0, Math.round(at * size)));
  return {
    size,
    pixels,
    paint({ left, top, right, bottom }, paint) {
      for (let row = pixelOf(top); row < pixelOf(bottom); row++) {
        for (let column = pixelOf(left); column < pixelOf(right); column++) {
          const painted = paint((column + 0.5) / size, (row + 0.5) / size);
          if (painted === undefined || painted.cover <= 0) continue;
          const cover = Math.min(1, painted.cover);
          const at = (row * size + column) * 3;
          for (let i = 0; i < 3; i++) {
            const under = pixels[at + i] ?? 0;
            pixels[at + i] = Math.min(255, Math.max(0, under + ((painted.colour[i] ?? 0) - under) * cover));
          }
        }
      }
    },
  };
}

export function mix(a: Colour, b: Colour, share: number): Colour {
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share];
}

export function lit(colour: Colour, light: number): Colour {
  return [colour[0] * light, colour[1] * light, colour[2] * light];
}

/** Smooth step from 0 to 1 between two edges. */
export function smooth(from: number, to: number, at: number): number {
  const share = Math.min(1, Math.max(0, (at - from) / (to - from)));
  return share * share * (3 - 2 * share);
}

/** Pseudo-random number from 0 to 1, the same for the same two numbers. */
export function thrown(a: number, b: number): number {
  let hash =
    Math.imul(Math.floor(a) ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(Math.floor(b) + 0x7f4a7c15, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x27d4eb2f);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}

/** Smooth noise between 0 and 1. */
export function uneven(x: number, y: number): number {
  const column = Math.floor(x);
  const row = Math.floor(y);
  const across = smooth(0, 1, x - column);
  const down = smooth(0, 1, y - row);
  const upper = thrown(column, row) * (1 - across) + thrown(column + 1, row) * across;
  const lower = thrown(column, row + 1) * (1 - across) + thrown(column + 1, row + 1) * across;
  return upper * (1 - down) + lower * down;
}
