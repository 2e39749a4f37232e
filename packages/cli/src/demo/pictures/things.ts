import type { Colour } from './canvas.ts';
import { BLUE, CLAY, CREAM, GREEN, IRON, OAK, OLIVE, STEEL, WAX } from './colours.ts';
import { clock, flame, glow, grained, handle, lying, rod, rounded } from './shapes.ts';
import {
  type Draw,
  drawShadow,
  drawSolid,
  type Finish,
  type SolidOfRevolution,
} from './solid-of-revolution.ts';

/** Wall and table. */
export const BACKDROPS = {
  clay: { wall: [226, 203, 186], table: [203, 172, 150] },
  sage: { wall: [207, 213, 198], table: [184, 189, 168] },
  sky: { wall: [203, 214, 220], table: [222, 214, 203] },
  oat: { wall: [233, 226, 212], table: [210, 196, 174] },
  dusk: { wall: [120, 112, 118], table: [92, 83, 84] },
} as const satisfies Readonly<Record<string, { wall: Colour; table: Colour }>>;

interface Thing {
  readonly backdrop: keyof typeof BACKDROPS;
  readonly draw: Draw;
}

const stoneware = (colour: Colour, to: number): Finish => ({
  base: CLAY,
  glaze: { colour, to },
  speckles: 0.035,
  shine: 0.45,
});

const CUP: SolidOfRevolution = {
  height: 0.36,
  profile: [0.172, 0.168, 0.164, 0.16, 0.152, 0.12],
  isOpen: true,
  finish: stoneware(CREAM, 0.72),
};
const BOWL: SolidOfRevolution = {
  height: 0.24,
  profile: [0.34, 0.325, 0.3, 0.262, 0.205, 0.13],
  tilt: 0.24,
  isOpen: true,
  finish: stoneware(GREEN, 0.6),
};
const PLATE: SolidOfRevolution = {
  height: 0.05,
  profile: [0.36, 0.33, 0.26, 0.2],
  tilt: 0.42,
  isOpen: true,
  well: 0.66,
  finish: stoneware(CREAM, 2),
};
const VASE: SolidOfRevolution = {
  height: 0.6,
  profile: [0.082, 0.066, 0.07, 0.11, 0.158, 0.185, 0.18, 0.15, 0.112],
  isOpen: true,
  finish: stoneware(BLUE, 0.56),
};
const JUG: SolidOfRevolution = {
  height: 0.48,
  profile: [0.124, 0.11, 0.108, 0.132, 0.166, 0.178, 0.168, 0.136],
  isOpen: true,
  finish: stoneware(CREAM, 0.5),
};
const TRAY: SolidOfRevolution = {
  height: 0.035,
  profile: [0.38, 0.38, 0.36],
  tilt: 0.4,
  finish: { base: OAK, grain: 0.24 },
};
const SHADE: SolidOfRevolution = {
  height: 0.25,
  profile: [0.13, 0.16, 0.19, 0.22],
  tilt: 0.12,
  isOpen: true,
  finish: { base: [247, 226, 184], shine: 0.2 },
};
const LAMP_FOOT: SolidOfRevolution = {
  height: 0.34,
  profile: [0.022, 0.022, 0.06, 0.12, 0.14, 0.115, 0.07],
  finish: stoneware(GREEN, 2),
};
const CANDLE: SolidOfRevolution = {
  height: 0.42,
  profile: [0.082, 0.084, 0.084, 0.085, 0.086],
  finish: { base: WAX, shine: 0.18 },
};
const TEAPOT: SolidOfRevolution = {
  height: 0.31,
  profile: [0.11, 0.17, 0.215, 0.235, 0.228, 0.195, 0.15],
  finish: { base: IRON, shine: 0.4, speckles: 0.16 },
};
const LID: SolidOfRevolution = {
  height: 0.05,
  profile: [0.03, 0.07, 0.1, 0.115],
  finish: { base: IRON, shine: 0.4, speckles: 0.16 },
};
const KNOB: SolidOfRevolution = {
  height: 0.045,
  profile: [0.014, 0.03, 0.026, 0.016],
  finish: { base: OAK, shine: 0.3 },
};
const CADDY: SolidOfRevolution = {
  height: 0.36,
  profile: [0.152, 0.152, 0.152, 0.152, 0.15],
  finish: { base: BLUE, shine: 0.5 },
};
const CADDY_LID: SolidOfRevolution = {
  height: 0.07,
  profile: [0.158, 0.158, 0.158],
  finish: { base: OAK, grain: 0.22 },
};

/** Parts on top of each other; the upper ones are offset from the foot by a fraction of the picture. */
function stacked(parts: readonly (readonly [SolidOfRevolution, number])[]): Draw {
  return (canvas, place) => {
    const [foot] = parts[0] ?? [];
    drawShadow(canvas, place, (foot?.profile.at(-1) ?? 0.1) * 1.25 * place.scale);
    for (const [part, above] of parts)
      drawSolid(canvas, part, { ...place, y: place.y - above * place.scale });
  };
}

/** Things by the product's handle. */
export const THINGS: Readonly<Record<string, Thing>> = {
  cup: {
    backdrop: 'clay',
    draw(canvas, place) {
      drawShadow(canvas, place, 0.17 * place.scale);
      handle(canvas, place, { x: 0.17, y: 0.2, rx: 0.088, ry: 0.092, thick: 0.022 }, CREAM);
      drawSolid(canvas, CUP, place);
    },
  },
  bowl: { backdrop: 'sage', draw: stacked([[BOWL, 0]]) },
  plate: { backdrop: 'sky', draw: stacked([[PLATE, 0]]) },
  vase: { backdrop: 'oat', draw: stacked([[VASE, 0]]) },
  jug: {
    backdrop: 'sky',
    draw(canvas, place) {
      drawShadow(canvas, place, 0.18 * place.scale);
      handle(canvas, place, { x: 0.13, y: 0.3, rx: 0.104, ry: 0.13, thick: 0.021 }, CREAM);
      drawSolid(canvas, JUG, place);
    },
  },
  tray: { backdrop: 'oat', draw: stacked([[TRAY, 0.06]]) },
  lamp: {
    backdrop: 'dusk',
    draw(canvas, place) {
      drawShadow(canvas, place, 0.13 * place.scale);
      drawSolid(canvas, LAMP_FOOT, place);
      const above = { ...place, y: place.y - 0.42 * place.scale };
      glow(canvas, above, 0.62, 0.55);
      drawSolid(canvas, SHADE, { ...place, y: place.y - 0.3 * place.scale });
    },
  },
  candle: {
    backdrop: 'dusk',
    draw(canvas, place) {
      stacked([[CANDLE, 0]])(canvas, place);
      const tip = { ...place, y: place.y - 0.49 * place.scale };
      glow(canvas, tip, 0.5, 0.6);
      flame(canvas, tip);
    },
  },
  clock: { backdrop: 'sage', draw: clock },
  teapot: {
    backdrop: 'clay',
    draw(canvas, place) {
      drawShadow(canvas, place, 0.2 * place.scale);
      handle(canvas, place, { x: 0, y: 0.34, rx: 0.19, ry: 0.17, thick: 0.016 }, IRON);
      rod(canvas, place, { from: [-0.2, 0.13], to: [-0.33, 0.28], wide: [0.05, 0.022] }, rounded(IRON));
      drawSolid(canvas, TEAPOT, place);
      drawSolid(canvas, LID, { ...place, y: place.y - 0.3 * place.scale });
      drawSolid(canvas, KNOB, { ...place, y: place.y - 0.345 * place.scale });
    },
  },
  spoon: { backdrop: 'sage', draw: lying(OLIVE, grained, { rx: 0.15, ry: 0.095 }) },
  caddy: {
    backdrop: 'clay',
    draw: stacked([
      [CADDY, 0],
      [CADDY_LID, 0.34],
      [KNOB, 0.43],
    ]),
  },
  ladle: { backdrop: 'sky', draw: lying(STEEL, rounded, { rx: 0.15, ry: 0.13 }) },
  painted: { backdrop: 'dusk', draw: stacked([[{ ...VASE, finish: stoneware([176, 72, 62], 0.8) }, 0]]) },
};
