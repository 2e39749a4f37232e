import type { Pixels } from './normalise.ts';
import { GRID_SIDE, type Grid, type PictureGrids, pictureGrids } from './picture-grids.ts';

const VERSION = '1';
const CELLS = GRID_SIDE * GRID_SIDE;
/** Maximum characters of an appearance; a longer text is invalid. */
export const MAX_APPEARANCE = 3_200;

/**
 * The colours of a picture's parts, separated by semicolons: version 1, then for frame, square and content (if there is a border
 * around it) the aspect, a comma and 768 bytes in base64url.
 */
export function appearanceOf(pixels: Pixels): string {
  const { frame, square, content } = pictureGrids(pixels);
  return [VERSION, ...[frame, square, ...(content === undefined ? [] : [content])].map(textOf)].join(';');
}

function textOf({ aspect, cells }: Grid): string {
  const bytes = String.fromCharCode(...cells);
  return `${aspect.toPrecision(6)},${btoa(bytes).replaceAll('+', '-').replaceAll('/', '_')}`;
}

/** @returns `null`: of another version, or invalid */
export function gridsOf(appearance: string): PictureGrids | null {
  const [version, ...parts] = appearance.length > MAX_APPEARANCE ? [] : appearance.split(';');
  const [frame, square, content] = parts.map(gridOf);
  if (version !== VERSION || parts.length > 3 || !frame || !square || content === null) return null;
  return { frame, square, ...(content === undefined ? {} : { content }) };
}

function gridOf(text: string): Grid | null {
  const [, aspect = '', bytes = ''] = /^(\d[\d.e+-]*),([\w-]{1024})$/.exec(text) ?? [];
  if (!(Number(aspect) > 0)) return null;
  const cells = atob(bytes.replaceAll('-', '+').replaceAll('_', '/'));
  return { aspect: Number(aspect), cells: Uint8Array.from(cells, (char) => char.charCodeAt(0)) };
}

/**
 * Levels (of 255) by which the second most different cell of copies may differ; measured, see docs/measurements.md. One
 * cell more may differ by any amount: an edge that falls on another side of it.
 */
const CELL_DIFFERENCE = 16;
/** Share by which the aspects of copies may differ, due to rounding to whole pixels and uneven borders. */
const ASPECT = 0.04;
/** Share of the difference to the next cell that a shift between copies may explain. */
const SHIFT = 0.3;
/** Differences in colour count more than in brightness, which recompression changes more. */
const COLOUR_WEIGHT = 1.5;
/** Levels within which padding around a picture counts as plain. */
const PLAIN_GROUND = 24;
/** Levels within which a picture counts as plain. */
const PLAIN_PICTURE = 12;

/**
 * Whether two pictures are the same except for size, compression and plain padding to a square; `null` if this cannot be
 * decided, because one is plain or of another version.
 */
export function isSamePicture(a: string, b: string): boolean | null {
  const [one, other] = [gridsOf(a), gridsOf(b)];
  if (one === null || other === null || isPlain(one.frame) || isPlain(other.frame)) return null;
  if (isAlike(one.frame, other.frame)) return true;
  if (isPadded(one, other) || isPadded(other, one)) return true;
  return one.content !== undefined && other.content !== undefined && isAlike(one.content, other.content);
}

function isAlike(a: Grid, b: Grid): boolean {
  return isSquare({ aspect: a.aspect / b.aspect }) && secondLargest(differences(a, b)) <= CELL_DIFFERENCE;
}

/** Whether a frame counts as a square. */
export function isSquare({ aspect }: Pick<Grid, 'aspect'>): boolean {
  return Math.abs(Math.log(aspect)) <= ASPECT;
}

/** Whether `square` is `picture` on a square and plain ground. */
function isPadded(picture: PictureGrids, { square: { aspect, cells }, square }: PictureGrids): boolean {
  if (!isSquare({ aspect }) || isSquare(picture.frame)) return false;
  const places = Array.from({ length: CELLS }, (_, cell) => placeOf(cell, picture.frame.aspect));
  const ground = places.flatMap((place, cell) => (place === 'outside' ? [cell] : []));
  if (!isWithin(cells, ground, PLAIN_GROUND)) return false;
  const inside = differences(picture.square, square).filter((_, cell) => places[cell] === 'inside');
  return inside.length > GRID_SIDE && secondLargest(inside) <= CELL_DIFFERENCE;
}

/** The position of a cell in a square that contains a picture of this aspect in its centre. */
function placeOf(cell: number, aspect: number): 'inside' | 'outside' | 'edge' {
  const line = aspect > 1 ? Math.floor(cell / GRID_SIDE) : cell % GRID_SIDE;
  const begin = (GRID_SIDE * (1 - Math.min(aspect, 1 / aspect))) / 2;
  const end = GRID_SIDE - begin;
  // a tolerance of half a cell: for rounding to whole pixels, and recompression artefacts at edges
  if (line >= begin + 0.1 && line + 1 <= end - 0.1) return 'inside';
  return line + 1 <= begin - 0.5 || line >= end + 0.5 ? 'outside' : 'edge';
}

/** Whether a picture has hardly any content: all that have not would be copies of each other. */
export function isPlain({ cells }: Grid): boolean {
  return isWithin(
    cells,
    Array.from({ length: CELLS }, (_, cell) => cell),
    PLAIN_PICTURE,
  );
}

function isWithin(cells: Uint8Array, which: readonly number[], range: number): boolean {
  return [0, 1, 2].every((c) => {
    const values = which.map((cell) => cells[cell * 3 + c] ?? 0);
    return Math.max(...values) - Math.min(...values) <= range || values.length === 0;
  });
}

/** Levels by which each cell differs, beyond what a shift would explain. */
function differences(a: Grid, b: Grid): readonly number[] {
  return Array.from({ length: CELLS }, (_, cell) =>
    Math.max(
      ...[0, 1, 2].map((c) => {
        const apart = Math.abs((a.cells[cell * 3 + c] ?? 0) - (b.cells[cell * 3 + c] ?? 0));
        const shift = SHIFT * Math.min(steepness(a, cell, c), steepness(b, cell, c));
        return Math.max(0, apart - shift) * (c === 0 ? 1 : COLOUR_WEIGHT);
      }),
    ),
  );
}

/** The largest difference to an adjacent cell. */
function steepness({ cells }: Grid, cell: number, c: number): number {
  const [row, column] = [Math.floor(cell / GRID_SIDE), cell % GRID_SIDE];
  const at = (y: number, x: number) => cells[(y * GRID_SIDE + x) * 3 + c] ?? 0;
  const beside = [
    [row - 1, column],
    [row + 1, column],
    [row, column - 1],
    [row, column + 1],
  ] as const;
  const values = beside
    .filter(([y, x]) => y >= 0 && x >= 0 && y < GRID_SIDE && x < GRID_SIDE)
    .map(([y, x]) => Math.abs(at(row, column) - at(y, x)));
  return Math.max(...values);
}

function secondLargest(values: readonly number[]): number {
  return values.toSorted((a, b) => b - a)[1] ?? 0;
}
