import { gridsOf, isPlain, isSquare } from './appearance.ts';
import type { Hashes } from './compare-images.ts';
import { CODE_SIDE, imageCode } from './image-code.ts';
import { GRID_SIDE, type Grid } from './picture-grids.ts';
import { squaredBrightness } from './squared.ts';
import { toHex } from './uhash.ts';

/** Bands of a code, each of which an index finds by itself. */
export const BANDS = 3;
/** Bits of a band. The first bit of a code says nothing: the mean of a picture always exceeds the median. */
export const BAND_BITS = 21;
/** Bits of a band that are asked with both values: those that a copy most likely has otherwise. */
const UNCERTAIN = 4;
/** A code with fewer ones belongs to pictures that vary in one direction only, such as stripes: most of those have the same one. */
const LEAST_ONES = 9;

/** Bits by their place in the code: eight rows of horizontal frequencies, the first of which is the mean. */
const BITS = Array.from({ length: 64 }, (_, bit) => ({ bit, down: Math.floor(bit / 8), across: bit % 8 }));
const FINEST: readonly number[] = [39, 47, 54, 55, 61, 62, 63];
/** Bars at two sides of a picture change the frequencies along one axis alone: these are one band, so that the others find it. */
const isOfFirst = ({ bit, down, across }: (typeof BITS)[number]) =>
  bit > 0 && (down === 0 || across === 0 || FINEST.includes(bit));
/** The bits of each band, by their place in the code. */
const MEMBERS: readonly (readonly number[])[] = [
  BITS.filter(isOfFirst),
  ...[0, 1].map((odd) =>
    BITS.filter((each) => each.bit > 0 && !isOfFirst(each) && (each.down + each.across) % 2 === odd),
  ),
].map((band) => band.map(({ bit }) => bit));

/** The 63 bits of a code as three numbers, each beginning with another band: what an ordered index finds by the beginning of a number. */
export type BandKeys = readonly [bigint, bigint, bigint];

/** What a picture is found by. */
export interface PictureKeys {
  readonly frame: BandKeys;
  /** Of the frame on a white square; absent for a square frame. */
  readonly square?: BandKeys;
}

/** A code that is looked for, and the values of each band with which copies are looked for. */
export interface CodeQuestion {
  readonly keys: BandKeys;
  /** By band: 16 values of 21 bits each, that of the code first. */
  readonly probes: readonly (readonly number[])[];
}

/** What is asked about a picture. */
export interface PictureQuestion {
  readonly frame: CodeQuestion;
  /** To be compared with the keys of squares; absent unless the picture is square. */
  readonly square?: CodeQuestion;
}

type Codes = Pick<Hashes, 'frameCode' | 'appearance'>;

/**
 * What an index of pictures records of one: its code in bands, once for its frame and once as if it were padded to a square.
 *
 * @returns `null` for a picture with too little content to be told from others, or that was not decoded
 * @example
 * ```ts
 * import { pictureKeys } from '@touchstone/image';
 *
 * pictureKeys({}); // null
 * ```
 */
export function pictureKeys(codes: Codes): PictureKeys | null {
  const read = readCodes(codes);
  if (read === null) return null;
  const { frameCode, frame } = read;
  if (isSquare(frame)) return { frame: bandKeys(frameCode) };
  return { frame: bandKeys(frameCode), square: bandKeys(codeOf(squaredBrightness(frame))) };
}

/**
 * What to look for in such an index to find the pictures of which this may be a copy: the code, and the codes that it would have if
 * the bits closest to the median were otherwise, which is what resizing and recompression change.
 *
 * @returns `null` as `pictureKeys`
 * @example
 * ```ts
 * import { pictureQuestion } from '@touchstone/image';
 *
 * pictureQuestion({}); // null
 * ```
 */
export function pictureQuestion(codes: Codes): PictureQuestion | null {
  const read = readCodes(codes);
  if (read === null) return null;
  const { frameCode, frame } = read;
  const cells = brightnessOf(frame);
  const order = byCertainty(cells);
  const asked = (code: string) => ({ keys: bandKeys(code), probes: probesOf(code, order) });
  return { frame: asked(frameCode), ...(isSquare(frame) ? { square: asked(codeOf(cells)) } : {}) };
}

function readCodes({ frameCode, appearance }: Codes): { frameCode: string; frame: Grid } | null {
  if (frameCode === undefined || appearance === undefined) return null;
  const grids = gridsOf(appearance);
  const ones = bitsOf(frameCode).filter((bit) => bit === '1').length;
  if (grids === null || isPlain(grids.frame) || ones < LEAST_ONES) return null;
  return { frameCode, frame: grids.frame };
}

const bitsOf = (code: string): string[] => [...BigInt(`0x${code}`).toString(2).padStart(64, '0')];

function bandsOf(code: string): readonly number[] {
  const bits = bitsOf(code);
  return MEMBERS.map((members) => Number.parseInt(members.map((bit) => bits[bit]).join(''), 2));
}

function bandKeys(code: string): BandKeys {
  const [a = 0, b = 0, c = 0] = bandsOf(code);
  return [keyOf(a, b, c), keyOf(b, c, a), keyOf(c, a, b)];
}

function keyOf(...bands: readonly number[]): bigint {
  return bands.reduce((key, band) => (key << BigInt(BAND_BITS)) | BigInt(band), 0n);
}

/** By band: the values with every combination of its uncertain bits. */
function probesOf(code: string, order: readonly number[]): readonly (readonly number[])[] {
  return bandsOf(code).map((value, band) => {
    const members = MEMBERS[band] ?? [];
    const uncertain = order.filter((bit) => members.includes(bit)).slice(0, UNCERTAIN);
    const masks = uncertain.map((bit) => 2 ** (BAND_BITS - 1 - members.indexOf(bit)));
    // the bits of `subset` say which of the uncertain ones are otherwise
    return Array.from({ length: 2 ** UNCERTAIN }, (_, subset) =>
      masks.reduce((other, mask, nth) => (subset & (1 << nth) ? other ^ mask : other), value),
    );
  });
}

const brightnessOf = ({ cells }: Grid): readonly number[] =>
  Array.from({ length: GRID_SIDE * GRID_SIDE }, (_, cell) => cells[cell * 3] ?? 0);

/** The Image-Code of a grid, each cell a square of pixels. */
function codeOf(cells: readonly number[]): string {
  const scale = CODE_SIDE / GRID_SIDE;
  const at = (row: number, column: number) =>
    cells[Math.floor(row / scale) * GRID_SIDE + Math.floor(column / scale)] ?? 0;
  const pixels = Array.from({ length: CODE_SIDE * CODE_SIDE }, (_, i) =>
    at(Math.floor(i / CODE_SIDE), i % CODE_SIDE),
  );
  return toHex(imageCode(pixels, 64));
}

/** The bits of the code, the one closest to the median first. */
function byCertainty(cells: readonly number[]): readonly number[] {
  const waves = Array.from({ length: 8 }, (_, frequency) =>
    Array.from({ length: GRID_SIDE }, (_, place) =>
      Math.cos((Math.PI * (place + 0.5) * frequency) / GRID_SIDE),
    ),
  );
  const rows = Array.from({ length: GRID_SIDE }, (_, row) =>
    waves.map((wave) =>
      wave.reduce((sum, value, column) => sum + value * (cells[row * GRID_SIDE + column] ?? 0), 0),
    ),
  );
  // in the order of the code: rows of horizontal frequencies
  const strengths = waves.flatMap((wave) =>
    waves.map((_, across) => wave.reduce((sum, value, row) => sum + value * (rows[row]?.[across] ?? 0), 0)),
  );
  const sorted = strengths.toSorted((a, b) => a - b);
  const median = ((sorted[31] ?? 0) + (sorted[32] ?? 0)) / 2;
  const distance = (bit: number) => Math.abs((strengths[bit] ?? 0) - median);
  return strengths.map((_, bit) => bit).toSorted((a, b) => distance(a) - distance(b));
}
