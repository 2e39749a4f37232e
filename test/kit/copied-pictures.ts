import sharp, { type Sharp } from 'sharp';

export interface Original {
  readonly file: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** What somebody who takes a picture from a shop does with it. */
export type PictureChange = (original: Original) => Sharp;

const jpeg =
  (quality: number): PictureChange =>
  ({ file }) =>
    sharp(file).jpeg({ quality });
const resized =
  (by: number, quality: number): PictureChange =>
  ({ file, width }) =>
    sharp(file)
      .resize({ width: Math.round(width * by) })
      .jpeg({ quality });
const squared =
  (background: string): PictureChange =>
  ({ file, width, height }) => {
    const side = Math.max(width, height);
    return sharp(file)
      .resize({ width: side, height: side, fit: 'contain', background })
      .jpeg({ quality: 75 });
  };
const framed =
  (background: string): PictureChange =>
  ({ file, width, height }) => {
    const [x, y] = [Math.round(width / 10), Math.round(height / 10)];
    return sharp(file).extend({ left: x, right: x, top: y, bottom: y, background }).jpeg({ quality: 75 });
  };

export const SAME_BYTES = 'the same bytes';
/** Copies that are to be found, besides the same bytes. */
export const FOUND_CHANGES: Readonly<Record<string, PictureChange>> = {
  'JPEG of quality 90': jpeg(90),
  'JPEG of quality 60': jpeg(60),
  'JPEG of quality 40': jpeg(40),
  WebP: ({ file }) => sharp(file).webp({ quality: 60 }),
  'twice the size': resized(2, 75),
  'half the size': resized(0.5, 75),
  'half the size, quality 40': resized(0.5, 40),
  'a third of the size': resized(1 / 3, 75),
  'padded to a square, white': squared('#fff'),
  'padded to a square, black': squared('#000'),
};
/** Without a goal, for information. */
export const OTHER_CHANGES: Readonly<Record<string, PictureChange>> = {
  'a white frame of a tenth': framed('#fff'),
  'cropped by 5 %': ({ file, width, height }) =>
    sharp(file)
      .extract({
        left: Math.round(width * 0.025),
        top: Math.round(height * 0.025),
        width: Math.round(width * 0.95),
        height: Math.round(height * 0.95),
      })
      .jpeg({ quality: 75 }),
  mirrored: ({ file }) => sharp(file).flop().jpeg({ quality: 75 }),
  'a watermark across': ({ file, width, height }) =>
    sharp(file)
      .composite([
        {
          input: Buffer.from(
            `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><text x="50%" y="60%" text-anchor="middle" font-size="${Math.round(width / 8)}" fill="#fff" fill-opacity="0.5">shop.example</text></svg>`,
          ),
        },
      ])
      .jpeg({ quality: 75 }),
};

/** The bytes of a picture as a copy shows them; `name` is one of these changes, or `SAME_BYTES`. */
export async function copyOf(original: Original, name: string): Promise<Uint8Array> {
  if (name === SAME_BYTES) return original.file;
  const change = FOUND_CHANGES[name] ?? OTHER_CHANGES[name];
  if (change === undefined) throw new Error(`no such change of pictures: ${name}`);
  return change(original).toBuffer();
}
