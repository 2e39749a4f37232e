import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Original } from '../../kit/copied-pictures.ts';
import { type Random, seeded } from '../../kit/random.ts';

const PICTURES = join(import.meta.dirname, '../../../packages/cli/src/demo/pictures');

const FORMATS = [
  { width: 480, height: 360 },
  { width: 360, height: 480 },
  { width: 400, height: 400 },
  { width: 320, height: 200 },
] as const;

/**
 * A picture like a photograph: a thing of the demo shop, seen from some side, on a ground with light, texture and noise. Every other one is
 * on an almost plain ground, as most shops show their goods, which leaves the least to recognize. The same seed makes the same picture.
 */
export async function photograph(thing: string, seed: number): Promise<Original> {
  const random = seeded(seed * 7_919 + 1);
  const { width, height } = random.of(FORMATS);
  const scale = 0.65 + random.number() * 0.35;
  const side = Math.round(Math.min(width, height) * scale);
  const object = await sharp(readFileSync(join(PICTURES, `${thing}.jpg`)))
    .modulate({ hue: random.integer(360), brightness: 0.8 + random.number() * 0.4 })
    .resize(side, side)
    .composite([{ input: vignette(side), blend: 'dest-in' }])
    .png()
    .toBuffer();
  const turned = await sharp(object)
    .rotate(random.integer(60) - 30, { background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .resize(side, side)
    .png()
    .toBuffer();
  const isPlain = seed % 2 === 0;
  const ground = await groundOf(random, { width, height }, isPlain ? 12 : 110, isPlain ? 225 : 60);
  const file = await sharp(ground)
    .composite([
      {
        input: turned,
        left: random.integer(width - side + 1),
        top: random.integer(height - side + 1),
      },
      { input: noise(random, width, height), raw: { width, height, channels: 4 } },
    ])
    .jpeg({ quality: 88 })
    .toBuffer();
  return { file, width, height };
}

/** Lets a picture fade into what is around it. */
const vignette = (side: number) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><defs>
    <radialGradient id="fade"><stop offset="0.8" stop-color="#fff"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient>
    </defs><rect width="${side}" height="${side}" fill="url(#fade)"/></svg>`);

/** Coarse, medium and fine patches over each other, the finer the fainter, as in natural scenes. */
async function groundOf(
  random: Random,
  { width, height }: { width: number; height: number },
  contrast: number,
  darkest: number,
): Promise<Buffer> {
  const layer = async (cells: number, alpha: number) => {
    const raw = Buffer.alloc(cells * cells * 4);
    for (let at = 0; at < raw.length; at += 4) {
      const light = darkest + random.integer(contrast + 1);
      for (let channel = 0; channel < 3; channel += 1)
        raw[at + channel] = Math.min(255, light + random.integer(contrast / 3));
      raw[at + 3] = alpha;
    }
    return sharp(raw, { raw: { width: cells, height: cells, channels: 4 } })
      .resize(width, height, { fit: 'fill', kernel: 'cubic' })
      .png()
      .toBuffer();
  };
  const [coarse, ...finer] = await Promise.all([layer(3, 255), layer(7, 140), layer(24, 70)]);
  return sharp(coarse)
    .composite(finer.map((input) => ({ input })))
    .removeAlpha()
    .png()
    .toBuffer();
}

/** As of a sensor. */
function noise(random: Random, width: number, height: number): Buffer {
  const raw = Buffer.alloc(width * height * 4);
  for (let at = 0; at < raw.length; at += 4) {
    raw.fill(random.integer(256), at, at + 3);
    raw[at + 3] = 14;
  }
  return raw;
}
