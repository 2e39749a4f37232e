import { type Canvas, type Colour, createCanvas, EVERYWHERE, lit, mix, smooth, uneven } from './canvas.ts';
import { pngOf } from './png.ts';
import type { Place } from './solid-of-revolution.ts';
import { BACKDROPS, THINGS } from './things.ts';

/** Side length in pixels. */
const SIZE = 360;

/** Compositions: alone, close up, with others. */
const VIEWS: readonly (readonly Place[])[] = [
  [{ x: 0.5, y: 0.78, scale: 1 }],
  [{ x: 0.46, y: 0.98, scale: 1.62 }],
  [
    { x: 0.69, y: 0.68, scale: 0.6 },
    { x: 0.3, y: 0.74, scale: 0.72 },
    { x: 0.6, y: 0.87, scale: 0.8 },
  ],
];

/**
 * Draws a picture of a product of the demo shop as a PNG: the same bytes for the same name.
 *
 * @param file - `<handle>-<number>.png`; an unknown name gives an empty table
 */
export function drawPicture(file: string): Buffer {
  const [, handle = '', number = '1'] = /^([a-z]+)(?:-(\d))?/.exec(file) ?? [];
  const thing = THINGS[handle];
  const view = (Number(number) - 1) % VIEWS.length;
  const canvas = createCanvas(SIZE);
  drawRoom(canvas, BACKDROPS[thing?.backdrop ?? 'clay'], view === 1 ? 0.5 : 0.62);
  for (const place of VIEWS[view] ?? []) thing?.draw(canvas, place);
  return pngOf(canvas.pixels, SIZE);
}

/** A plastered wall behind a table. */
function drawRoom(canvas: Canvas, { wall, table }: { wall: Colour; table: Colour }, horizon: number): void {
  canvas.paint(EVERYWHERE, (x, y) => {
    const plaster = 0.04 * uneven(x * 9, y * 9);
    const onWall = lit(wall, 1.03 - 0.16 * x - 0.05 * y + plaster);
    const onTable = lit(table, 1.05 - 0.2 * x + 0.1 * (y - horizon) + 0.5 * plaster);
    return { colour: mix(onWall, onTable, smooth(horizon - 0.004, horizon + 0.004, y)), cover: 1 };
  });
}
