/** A decoded image, upright (its orientation applied). */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** RGBA, 8 bits each, not premultiplied, row after row: width x height x 4 bytes. */
  readonly data: Uint8Array;
}

/** One byte per pixel. */
export interface Grey {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** The picture on a white background. The rounding is that of Pillow, which the standard's reference software uses. */
export function overWhite(pixels: Pixels): Pixels {
  const { data } = pixels;
  if (isOpaque(data)) return pixels;
  const out = new Uint8Array(data.length);
  for (let i = 0; i < data.length; i += 4) {
    const alpha = data[i + 3] ?? 0;
    for (let c = i; c < i + 3; c += 1) out[c] = blend(data[c] ?? 0, alpha);
    out[i + 3] = 255;
  }
  return { ...pixels, data: out };
}

function isOpaque(data: Uint8Array): boolean {
  for (let i = 3; i < data.length; i += 4) if (data[i] !== 255) return false;
  return true;
}

/** Division by 255 in fixed point with 7 more bits, rounded half up. */
function blend(value: number, alpha: number): number {
  const sum = (value * alpha + 255 * (255 - alpha)) * 128 + (0x80 << 7);
  return ((sum >> 8) + sum) >> 15;
}

/** The picture without rows and columns at the edges that have exactly the colour of the top left pixel. */
export function trimmed(pixels: Pixels): Pixels {
  const box = contentOf(pixels);
  if (box === null) return pixels;
  const { left, top, right, bottom } = box;
  if (right - left === pixels.width && bottom - top === pixels.height) return pixels;
  const width = right - left;
  const data = new Uint8Array(width * (bottom - top) * 4);
  for (let y = top; y < bottom; y += 1) {
    const from = (y * pixels.width + left) * 4;
    data.set(pixels.data.subarray(from, from + width * 4), (y - top) * width * 4);
  }
  return { width, height: bottom - top, data };
}

/** The area within the border; `null` if the whole picture has one colour. */
function contentOf({ width, height, data }: Pixels) {
  const [r, g, b] = data;
  const isBorder = (x: number, y: number) => {
    const i = (y * width + x) * 4;
    return data[i] === r && data[i + 1] === g && data[i + 2] === b;
  };
  const isBorderRow = (y: number) => {
    for (let x = 0; x < width; x += 1) if (!isBorder(x, y)) return false;
    return true;
  };
  let [top, bottom, left, right] = [0, height, width, 0];
  while (top < height && isBorderRow(top)) top += 1;
  if (top === height) return null;
  while (isBorderRow(bottom - 1)) bottom -= 1;
  // each row is read from both ends, only as far as it could widen the area
  for (let y = top; y < bottom; y += 1) {
    for (let x = 0; x < left; x += 1) if (!isBorder(x, y)) left = x;
    for (let x = width; x > right; x -= 1) if (!isBorder(x - 1, y)) right = x;
  }
  return { left, top, right, bottom };
}

/** Luma of ITU-R 601-2 in 16 bits of fixed point. */
export function greyOf({ width, height, data }: Pixels): Grey {
  const grey = new Uint8Array(width * height);
  for (let i = 0, at = 0; i < grey.length; i += 1, at += 4) {
    grey[i] =
      ((data[at] ?? 0) * 19595 + (data[at + 1] ?? 0) * 38470 + (data[at + 2] ?? 0) * 7471 + 0x8000) >> 16;
  }
  return { width, height, data: grey };
}
