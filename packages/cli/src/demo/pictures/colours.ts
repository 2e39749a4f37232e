import type { Colour } from './canvas.ts';

/** Glazes, woods and metals. */
export const CLAY: Colour = [190, 146, 112];
export const CREAM: Colour = [238, 230, 214];
export const BLUE: Colour = [72, 98, 122];
export const GREEN: Colour = [104, 122, 98];
export const IRON: Colour = [62, 62, 66];
export const OAK: Colour = [196, 150, 98];
export const OLIVE: Colour = [178, 132, 78];
export const STEEL: Colour = [172, 174, 176];
export const WAX: Colour = [236, 190, 96];
