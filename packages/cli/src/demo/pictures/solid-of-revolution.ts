import { type Canvas, type Colour, lit, mix, smooth, thrown, uneven } from './canvas.ts';

/** The material of a thing. */
export interface Finish {
  readonly base: Colour;
  /** The glaze from the rim down to this fraction of the height. */
  readonly glaze?: { readonly colour: Colour; readonly to: number };
  /** Dark dots, as in stoneware; their fraction of the surface. */
  readonly speckles?: number;
  /** Strength of the wood grain. */
  readonly grain?: number;
  /** Strength of the window's reflection. */
  readonly shine?: number;
}

/** A solid of revolution, by its width at each height. */
export interface SolidOfRevolution {
  /** Height; 1 is the height of the picture. */
  readonly height: number;
  /** Half widths at evenly spaced heights, from the rim down. */
  readonly profile: readonly number[];
  /** Tilt towards the viewer, who looks into it from above; 0: from the side. */
  readonly tilt?: number;
  /** Whether its inside is visible. */
  readonly isOpen?: boolean;
  /** For flat things: where the well begins, as a fraction of the radius. */
  readonly well?: number;
  readonly finish: Finish;
}

/** Position of a thing: the centre of its foot. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** Draws a thing at its position. */
export type Draw = (canvas: Canvas, place: Place) => void;

/** Soft light from a window at the left. */
const LIGHT = [-0.56, -0.5, 0.66] as const;
const SEARCHES = 9;
/** Number of heights for which the width is computed. */
const STEPS = 1024;

export function drawShadow(canvas: Canvas, { x, y }: Place, width: number, strength = 0.5): void {
  const reach = width * 2.4;
  canvas.paint({ left: x - reach, right: x + reach * 1.6, top: y - reach, bottom: y + reach }, (px, py) => {
    const across = (px - x - width * 0.35) / (width * 1.6);
    const down = (py - y) / (width * 0.42);
    const cover = strength * (1 - smooth(0, 1, Math.hypot(across, down)));
    return { colour: [52, 40, 34], cover };
  });
}

export function drawSolid(canvas: Canvas, thing: SolidOfRevolution, place: Place): void {
  const { tilt = 0.2, isOpen = false, finish } = thing;
  const height = thing.height * place.scale;
  const widths = Float64Array.from({ length: STEPS + 1 }, (_, i) => profileAt(thing.profile, i / STEPS));
  const half = (share: number) =>
    (widths[Math.round(Math.min(1, Math.max(0, share)) * STEPS)] ?? 0) * place.scale;
  const top = place.y - height;
  const widest = Math.max(...thing.profile) * place.scale;
  const box = {
    left: place.x - widest - 0.01,
    right: place.x + widest + 0.01,
    top: top - widest * tilt - 0.01,
    bottom: place.y + widest * tilt + 0.01,
  };
  const edge = canvas.size;
  canvas.paint(box, (px, py) => {
    const x = px - place.x;
    const at = ringSeen(py, {
      top,
      foot: place.y,
      front: (ring) => {
        const width = half((ring - top) / height);
        return tilt * Math.sqrt(Math.max(0, width * width - x * x));
      },
    });
    if (at === undefined) return undefined;
    const share = (at - top) / height;
    const width = half(share);
    const cover =
      Math.min(1, (width - Math.abs(x)) * edge + 0.5) * Math.min(1, (1 - share) * height * edge + 0.5);
    if (cover <= 0) return undefined;
    const slope = (half(share + 0.02) - half(share - 0.02)) / (0.04 * height);
    return { colour: surface(finish, { turn: x / width, share, slope, height }), cover };
  });
  const mouth = half(0);
  if (tilt === 0 || mouth === 0) return;
  canvas.paint({ ...box, bottom: top + mouth * tilt + 0.01 }, (px, py) => {
    const across = (px - place.x) / mouth;
    const down = (py - top) / (mouth * tilt);
    const radius = Math.hypot(across, down);
    const cover = (1 - radius) * mouth * edge * tilt + 0.5;
    if (cover <= 0) return undefined;
    if (!isOpen) return { colour: lit(topColour(finish, px, py), 1.06 - 0.12 * across), cover };
    if (thing.well !== undefined) {
      const step = 0.16 * smooth(0.05, 0, Math.abs(radius - thing.well)) * across;
      return { colour: lit(topColour(finish, px, py), 1.02 + step - 0.08 * across), cover };
    }
    const isRim = radius > 1 - 0.016 / mouth;
    const inside = lit(finish.glaze?.colour ?? finish.base, 0.62 + 0.3 * across - 0.12 * down);
    return {
      colour: isRim ? lit(mix(finish.glaze?.colour ?? finish.base, [255, 250, 240], 0.25), 1) : inside,
      cover,
    };
  });
}

/** Height of the ring whose front is visible at this height; `undefined` above the rim and below the foot. */
function ringSeen(
  y: number,
  { top, foot, front }: { top: number; foot: number; front: (ring: number) => number },
): number | undefined {
  if (top + front(top) > y || foot + front(foot) < y) return undefined;
  let [above, below] = [top, foot];
  for (let i = 0; i < SEARCHES; i++) {
    const middle = (above + below) / 2;
    if (middle + front(middle) > y) below = middle;
    else above = middle;
  }
  return (above + below) / 2;
}

/** Smooth curve through all points of the profile (Catmull-Rom). */
function profileAt(profile: readonly number[], share: number): number {
  const at = Math.min(1, Math.max(0, share)) * (profile.length - 1);
  const i = Math.min(profile.length - 2, Math.floor(at));
  const t = at - i;
  const [b = 0, c = b] = [profile[i], profile[i + 1]];
  const [a = b, d = c] = [profile[i - 1], profile[i + 2]];
  return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

interface Spot {
  /** From -1 (left) to 1 (right). */
  readonly turn: number;
  readonly share: number;
  readonly slope: number;
  readonly height: number;
}

function surface(finish: Finish, { turn, share, slope, height }: Spot): Colour {
  const front = Math.sqrt(Math.max(0, 1 - turn * turn));
  const length = Math.hypot(1, slope);
  const light = Math.max(0, (turn * LIGHT[0] - slope * LIGHT[1] * -1 + front * LIGHT[2]) / length);
  const angle = Math.asin(Math.max(-1, Math.min(1, turn)));
  let colour = finish.base;
  if (finish.glaze !== undefined) {
    const edge = finish.glaze.to + 0.03 * (uneven(angle * 3 + 9, finish.glaze.to * 10) - 0.5);
    colour = mix(finish.glaze.colour, colour, smooth(edge - 0.012, edge + 0.012, share));
  }
  if (finish.grain !== undefined) {
    const ring = uneven(angle * 2.2, share * height * 90 + 2 * uneven(angle * 3, share * 5));
    colour = lit(colour, 1 - finish.grain * ring);
  }
  const isDot = thrown(angle * 70 + 500, share * height * 260) < (finish.speckles ?? 0);
  if (isDot) colour = lit(colour, 0.68);
  const ambient = 0.46 + 0.1 * (1 - share);
  const window = smooth(0.12, 0, Math.hypot(turn + 0.52, (share - 0.3) * 0.3));
  return mix(lit(colour, ambient + 0.62 * light), [255, 252, 244], window * (finish.shine ?? 0));
}

function topColour(finish: Finish, x: number, y: number): Colour {
  const colour = finish.glaze?.colour ?? finish.base;
  return finish.grain === undefined ? colour : lit(colour, 1 - finish.grain * uneven(x * 18, y * 160));
}
