import { type Canvas, type Colour, lit, mix, smooth, uneven } from './canvas.ts';
import { CREAM, OAK } from './colours.ts';
import { type Draw, drawShadow, type Place } from './solid-of-revolution.ts';

/** A ring at the side, behind later shapes. */
export function handle(
  canvas: Canvas,
  place: Place,
  at: { x: number; y: number; rx: number; ry: number; thick: number },
  colour: Colour,
) {
  const { scale } = place;
  const x = place.x + at.x * scale;
  const y = place.y - at.y * scale;
  const reach = (Math.max(at.rx, at.ry) + at.thick) * scale;
  canvas.paint({ left: x - reach, right: x + reach, top: y - reach, bottom: y + reach }, (px, py) => {
    const angle = Math.atan2((py - y) / at.ry, (px - x) / at.rx);
    const off = Math.hypot(
      px - x - at.rx * scale * Math.cos(angle),
      py - y - at.ry * scale * Math.sin(angle),
    );
    const round = off / (at.thick * scale);
    const light = 0.72 + 0.26 * Math.sqrt(Math.max(0, 1 - round * round)) - 0.16 * Math.sin(angle);
    return { colour: lit(colour, light), cover: (1 - round) * at.thick * scale * canvas.size + 0.5 };
  });
}

/** A rod between two points, with a width at each. */
export function rod(
  canvas: Canvas,
  place: Place,
  {
    from,
    to,
    wide,
  }: { from: readonly [number, number]; to: readonly [number, number]; wide: readonly [number, number] },
  paint: (along: number, across: number) => Colour,
) {
  const [ax, ay] = [place.x + from[0] * place.scale, place.y - from[1] * place.scale];
  const [bx, by] = [place.x + to[0] * place.scale, place.y - to[1] * place.scale];
  const length = Math.hypot(bx - ax, by - ay);
  const reach = Math.max(...wide) * place.scale;
  const box = {
    left: Math.min(ax, bx) - reach,
    right: Math.max(ax, bx) + reach,
    top: Math.min(ay, by) - reach,
    bottom: Math.max(ay, by) + reach,
  };
  canvas.paint(box, (px, py) => {
    const along = Math.min(1, Math.max(0, ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / length ** 2));
    const off = Math.hypot(px - ax - along * (bx - ax), py - ay - along * (by - ay));
    const half = (wide[0] + (wide[1] - wide[0]) * along) * place.scale;
    const side = Math.sign((px - ax) * (by - ay) - (py - ay) * (bx - ax));
    return { colour: paint(along, (side * off) / half), cover: (half - off) * canvas.size + 0.5 };
  });
}

export const rounded = (colour: Colour) => (_: number, across: number) =>
  lit(colour, 0.66 + 0.36 * Math.sqrt(Math.max(0, 1 - across * across)) + 0.1 * across);

export const grained = (colour: Colour) => (along: number, across: number) =>
  lit(rounded(colour)(along, across), 1 - 0.2 * uneven(along * 5, across * 7 + 3));

/** Something that lies on the table: a handle, and what is at its end. */
export function lying(colour: Colour, paint: typeof rounded, bowl: { rx: number; ry: number }): Draw {
  return (canvas, place) => {
    const scaled = (x: number, y: number): Place => ({
      ...place,
      x: place.x + x * place.scale,
      y: place.y - y * place.scale,
    });
    drawShadow(canvas, scaled(0.04, 0.14), 0.22 * place.scale, 0.3);
    rod(canvas, place, { from: [0.34, 0.42], to: [-0.06, 0.12], wide: [0.03, 0.02] }, paint(colour));
    const at = scaled(-0.16, 0.06);
    const [rx, ry] = [bowl.rx * place.scale, bowl.ry * place.scale];
    canvas.paint({ left: at.x - rx, right: at.x + rx, top: at.y - rx, bottom: at.y + rx }, (px, py) => {
      const [x, y] = [(px - at.x) * 0.8 - (py - at.y) * 0.6, (px - at.x) * 0.6 + (py - at.y) * 0.8];
      const radius = Math.hypot(x / rx, y / ry);
      const inner = smooth(0.86, 0.78, radius);
      const light = 1.02 - 0.4 * inner * (0.6 - x / rx / 2) - 0.14 * (1 - inner);
      return {
        colour: lit(paint(colour)(x * 4, (y / ry) * 0.5), light),
        cover: (1 - radius) * ry * canvas.size + 0.5,
      };
    });
  };
}

export const clock: Draw = (canvas, place) => {
  const radius = 0.27 * place.scale;
  const at = { x: place.x, y: place.y - 0.4 * place.scale };
  drawShadow(canvas, { ...place, x: at.x + 0.03, y: at.y + 0.05 }, radius * 0.95, 0.35);
  const reach = radius * 1.1;
  canvas.paint(
    { left: at.x - reach, right: at.x + reach, top: at.y - reach, bottom: at.y + reach },
    (px, py) => {
      const [x, y] = [(px - at.x) / radius, (py - at.y) / radius];
      const far = Math.hypot(x, y);
      const angle = (Math.atan2(y, x) / Math.PI) * 6;
      const isTick = far > 0.76 && far < 0.86 && Math.abs(angle - Math.round(angle)) * far < 0.05;
      const isHand = hand(x, y, -1.05, 0.46) || hand(x, y, 0.35, 0.66) || far < 0.05;
      const wood = lit(OAK, 0.9 - 0.25 * x - 0.2 * uneven(far * 30, 2) + 0.1 * (far > 0.94 ? -y : y));
      const face = isTick || isHand ? ([58, 52, 48] as const) : lit(CREAM, 1.02 - 0.07 * x - 0.05 * y);
      return { colour: far > 0.9 ? wood : face, cover: (1 - far) * radius * canvas.size + 0.5 };
    },
  );
};

function hand(x: number, y: number, angle: number, length: number): boolean {
  const along = x * Math.cos(angle) + y * Math.sin(angle);
  const off = Math.abs(y * Math.cos(angle) - x * Math.sin(angle));
  return along > 0 && along < length && off < 0.028;
}

/** Light around a lamp or flame. */
export function glow(canvas: Canvas, { x, y, scale }: Place, reach: number, strength: number) {
  const far = reach * scale;
  canvas.paint({ left: x - far, right: x + far, top: y - far, bottom: y + far }, (px, py) => ({
    colour: [255, 226, 160],
    cover: strength * (1 - smooth(0, 1, Math.hypot(px - x, py - y) / far)) ** 2,
  }));
}

export const flame: Draw = (canvas, { x, y, scale }) => {
  const [rx, ry] = [0.026 * scale, 0.062 * scale];
  canvas.paint({ left: x - rx, right: x + rx, top: y - ry * 1.6, bottom: y + ry }, (px, py) => {
    const up = (y - py) / ry;
    const width = rx * Math.sqrt(Math.max(0, 1 - up * up)) * (up > 0 ? 1 - 0.55 * up : 1);
    const share = width === 0 ? 2 : Math.abs(px - x) / width;
    return { colour: mix([255, 250, 220], [250, 170, 60], Math.min(1, share)), cover: (1 - share) * 4 };
  });
};
