import type { Pixels } from './normalise.ts';

/** A picture made by arithmetic: a border of one colour, and inside it colours and transparency of every kind. */
export function syntheticPixels(): Pixels {
  const [width, height, border] = [97, 61, 5];
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const isBorder = x < border || y < border || x >= width - border || y >= height - border;
      const inside = [(x * x + y * 3) % 256, (x * 7 + y * y) % 256, (x * y) % 256, (x * 11 + y * 5) % 256];
      data.set(isBorder ? [200, 100, 50, 255] : inside, (y * width + x) * 4);
    }
  }
  return { width, height, data };
}
