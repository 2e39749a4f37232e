import { overWhite, type Pixels } from './normalise.ts';

/** Cells of a grid, each way. */
export const GRID_SIDE = 16;
/** Longer side of the picture that grids are made from. */
const WORK_SIDE = 256;

/** The mean colours of 16 x 16 cells of a picture, or of a part of it. */
export interface Grid {
  /** Width by height of the part. */
  readonly aspect: number;
  /** Y, Cb and Cr (ITU-R BT.601) of each cell, row after row: 768 bytes. */
  readonly cells: Uint8Array;
}

export interface PictureGrids {
  readonly frame: Grid;
  /**
   * The frame centred in a square of its longer side, as shops pad pictures; cells outside of the frame are 0. `aspect` is that
   * of the frame.
   */
  readonly square: Grid;
  /** The part within a plain border; absent if there is no border. */
  readonly content?: Grid;
}

/** A part of a picture. */
interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The grids of a picture over white, in time linear in the number of its pixels. */
export function pictureGrids(pixels: Pixels): PictureGrids {
  const work = scaledDown(overWhite(pixels));
  const { width, height } = work;
  const aspect = pixels.width / pixels.height;
  const whole = { left: 0, top: 0, right: width, bottom: height };
  const [x, y] = [Math.max(0, height - width) / 2, Math.max(0, width - height) / 2];
  const content = withoutBorder(work, whole);
  return {
    frame: { aspect, cells: cellsOf(work, whole) },
    square: { aspect, cells: cellsOf(work, { left: -x, top: -y, right: width + x, bottom: height + y }) },
    ...(content === null
      ? {}
      : {
          content: {
            aspect: (content.right - content.left) / (content.bottom - content.top),
            cells: cellsOf(work, content),
          },
        }),
  };
}

/** Means of blocks of pixels, so that the longer side has at most 256; RGB. */
function scaledDown({ width, height, data }: Pixels) {
  const scale = Math.min(1, WORK_SIDE / Math.max(width, height));
  const [w, h] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  const sums = new Float64Array(w * h * 4);
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor((y * h) / height) * w;
    for (let x = 0; x < width; x += 1) {
      const [from, to] = [(y * width + x) * 4, (row + Math.floor((x * w) / width)) * 4];
      sums[to] = (sums[to] ?? 0) + (data[from] ?? 0);
      sums[to + 1] = (sums[to + 1] ?? 0) + (data[from + 1] ?? 0);
      sums[to + 2] = (sums[to + 2] ?? 0) + (data[from + 2] ?? 0);
      sums[to + 3] = (sums[to + 3] ?? 0) + 1;
    }
  }
  for (let at = 0; at < sums.length; at += 4) {
    const count = sums[at + 3] ?? 1;
    for (let c = at; c < at + 3; c += 1) sums[c] = (sums[c] ?? 0) / count;
  }
  return { width: w, height: h, rgb: sums };
}

type Work = ReturnType<typeof scaledDown>;

/** Levels by which the pixels of a plain border may differ from its mean. */
const PLAIN = 12;

/** The box without lines of one colour at its sides; `null` if nothing is cut off, or too little remains. */
function withoutBorder(work: Work, box: Box): Box | null {
  let { left, top, right, bottom } = box;
  const rows = { from: left, to: right, at: (y: number) => (x: number) => (y * work.width + x) * 4 };
  top = cut(work, top, bottom, 1, rows);
  bottom = cut(work, bottom - 1, top - 1, -1, rows) + 1;
  const columns = { from: top, to: bottom, at: (x: number) => (y: number) => (y * work.width + x) * 4 };
  left = cut(work, left, right, 1, columns);
  right = cut(work, right - 1, left - 1, -1, columns) + 1;
  const isCut = right - left < box.right - box.left || bottom - top < box.bottom - box.top;
  const isLeft = right - left >= GRID_SIDE && bottom - top >= GRID_SIDE;
  return isCut && isLeft ? { left, top, right, bottom } : null;
}

interface Lines {
  readonly from: number;
  readonly to: number;
  readonly at: (line: number) => (along: number) => number;
}

/** The first line that differs from the mean colour of the line at the edge. */
function cut({ rgb }: Work, edge: number, end: number, step: 1 | -1, { from, to, at }: Lines): number {
  const colour = [0, 1, 2].map((c) => {
    let sum = 0;
    for (let i = from; i < to; i += 1) sum += rgb[at(edge)(i) + c] ?? 0;
    return sum / Math.max(1, to - from);
  });
  for (let line = edge; line !== end; line += step) {
    const place = at(line);
    for (let i = from; i < to; i += 1) {
      for (let c = 0; c < 3; c += 1)
        if (Math.abs((rgb[place(i) + c] ?? 0) - (colour[c] ?? 0)) > PLAIN) return line;
    }
  }
  return end;
}

function cellsOf(work: Work, { left, top, right, bottom }: Box): Uint8Array {
  const [w, h] = [(right - left) / GRID_SIDE, (bottom - top) / GRID_SIDE];
  const cells = new Uint8Array(GRID_SIDE * GRID_SIDE * 3);
  for (let row = 0; row < GRID_SIDE; row += 1) {
    for (let column = 0; column < GRID_SIDE; column += 1) {
      const cell = {
        left: left + column * w,
        top: top + row * h,
        right: left + (column + 1) * w,
        bottom: top + (row + 1) * h,
      };
      if (isInside(cell, work)) cells.set(ycc(meanOf(work, cell)), (row * GRID_SIDE + column) * 3);
    }
  }
  return cells;
}

/** Tolerance for rounding errors. */
const EPSILON = 1e-6;

function isInside({ left, top, right, bottom }: Box, { width, height }: Work): boolean {
  return left >= -EPSILON && top >= -EPSILON && right <= width + EPSILON && bottom <= height + EPSILON;
}

/** The mean colour of a cell, in which pixels on its edges count in part. */
function meanOf({ width, height, rgb }: Work, cell: Box): Colour {
  const sum: [number, number, number] = [0, 0, 0];
  let total = 0;
  for (let y = Math.max(0, Math.floor(cell.top)); y < Math.min(height, cell.bottom); y += 1) {
    const inY = Math.min(y + 1, cell.bottom) - Math.max(y, cell.top);
    for (let x = Math.max(0, Math.floor(cell.left)); x < Math.min(width, cell.right); x += 1) {
      const weight = inY * (Math.min(x + 1, cell.right) - Math.max(x, cell.left));
      const at = (y * width + x) * 4;
      for (const c of [0, 1, 2] as const) sum[c] += weight * (rgb[at + c] ?? 0);
      total += weight;
    }
  }
  return [sum[0] / total, sum[1] / total, sum[2] / total];
}

type Colour = readonly [number, number, number];

function ycc([r, g, b]: Colour): Colour {
  const y = 0.299 * r + 0.587 * g + 0.114 * b;
  return [Math.round(y), Math.round(128 + 0.564 * (b - y)), Math.round(128 + 0.713 * (r - y))];
}
