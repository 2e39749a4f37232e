import { GRID_SIDE, type Grid } from './picture-grids.ts';

const WHITE = 255;

/**
 * The brightness of a frame's cells when it is centred in a white square of its longer side, as shops pad pictures: made from the cells
 * of the frame alone, so that a picture can be found by copies that were padded.
 */
export function squaredBrightness({ aspect, cells }: Grid): readonly number[] {
  const begin = (GRID_SIDE * (1 - Math.min(aspect, 1 / aspect))) / 2;
  const at = (row: number, column: number) => cells[(row * GRID_SIDE + column) * 3] ?? 0;
  const side = Array.from({ length: GRID_SIDE }, (_, index) => index);
  if (aspect <= 1)
    return side.flatMap((row) =>
      squeezed(
        side.map((column) => at(row, column)),
        begin,
      ),
    );
  const columns = side.map((column) =>
    squeezed(
      side.map((row) => at(row, column)),
      begin,
    ),
  );
  return side.flatMap((row) => columns.map((column) => column[row] ?? WHITE));
}

/** The means of a line's parts when the line lies between `begin` and the same distance from the end. */
function squeezed(line: readonly number[], begin: number): number[] {
  const sumTo = interpolatedSums(line);
  const end = GRID_SIDE - begin;
  const scale = line.length / (end - begin);
  return line.map((_, cell) => {
    const [from, to] = [Math.max(begin, cell), Math.min(end, cell + 1)];
    const covered = Math.max(0, to - from);
    if (covered === 0) return WHITE;
    const inside = (sumTo((to - begin) * scale) - sumTo((from - begin) * scale)) / scale;
    return inside + (1 - covered) * WHITE;
  });
}

/**
 * The sum of a line up to any place. The sums at the borders of cells are known exactly; between them a cubic curve (Catmull-Rom) is far
 * closer to the picture than cells of one brightness are.
 */
function interpolatedSums(line: readonly number[]): (place: number) => number {
  const sums = [0];
  for (const value of line) sums.push((sums.at(-1) ?? 0) + value);
  const { length } = line;
  const at = (border: number) => {
    if (border < 0) return -(line[0] ?? 0);
    if (border > length) return (sums[length] ?? 0) + (line[length - 1] ?? 0);
    return sums[border] ?? 0;
  };
  return (place) => {
    const within = Math.min(length, Math.max(0, place));
    const cell = Math.min(length - 1, Math.floor(within));
    const u = within - cell;
    const [a, b, c, d] = [at(cell - 1), at(cell), at(cell + 1), at(cell + 2)];
    return b + 0.5 * u * (c - a + u * (2 * a - 5 * b + 4 * c - d + u * (3 * (b - c) + d - a)));
  };
}
