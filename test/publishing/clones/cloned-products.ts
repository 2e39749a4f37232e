import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { PRODUCTS } from '../../../packages/cli/src/demo/products.ts';
import type { Original } from '../../kit/copied-pictures.ts';
import type { ShownText } from './make-clones.ts';
import { photograph } from './photographs.ts';

/** Products of the demo shop: their pictures, and their text in Spanish. */
const MADE: readonly { handle: string; things: readonly string[]; es: ShownText }[] = [
  {
    handle: 'cup',
    things: ['cup-1', 'cup-2'],
    es: { name: 'Taza de gres', text: 'Una taza para dos manos, de barro moteado y bañada en crema.' },
  },
  {
    handle: 'bowl',
    things: ['bowl-1', 'bowl-2', 'bowl-3'],
    es: { name: 'Cuenco de servir', text: 'Ancho para una ensalada de cuatro, hondo para una sopa de dos.' },
  },
  {
    handle: 'vase',
    things: ['vase-1', 'vase-2', 'vase-1'],
    es: { name: 'Jarrón alto', text: 'Para una rama o para un brazado entero.' },
  },
  {
    handle: 'jug',
    things: ['jug-1', 'jug-2'],
    es: { name: 'Jarra de agua', text: 'Sirve sin gotear; probamos cien picos.' },
  },
  {
    handle: 'lamp',
    things: ['lamp-1', 'lamp-2', 'lamp-1', 'lamp-2'],
    es: { name: 'Lámpara de mesa', text: 'Un pie de gres bajo una pantalla de papel.' },
  },
  {
    handle: 'candle',
    things: ['candle-1', 'candle-1'],
    es: { name: 'Vela de cera de abeja', text: 'Cera de abejas de dos valles más allá.' },
  },
  {
    handle: 'clock',
    things: ['clock-1', 'clock-1', 'clock-1', 'clock-1'],
    es: { name: 'Reloj de pared', text: 'Un aro de roble, una esfera lisa y agujas que no suenan.' },
  },
  {
    handle: 'teapot',
    things: ['teapot-1', 'teapot-2'],
    es: { name: 'Tetera de hierro', text: 'Hierro fundido, para hojas que se toman su tiempo.' },
  },
];

/** A product of the shop that is cloned. */
export interface ClonedProduct {
  readonly handle: string;
  readonly text: ShownText;
  readonly translated: ShownText;
  readonly pictures: readonly Original[];
}

/**
 * The products of the shop that is cloned: made ones, or those of a mirror of a real shop, a folder with its pictures and `shop.json`,
 * a list of `{handle, text: {name, text}, translated: {name, text}, pictures: [file]}`.
 */
export const clonedProducts = (mirror = process.env.TOUCHSTONE_MIRRORED_SHOP): Promise<ClonedProduct[]> =>
  mirror === undefined ? madeProducts() : mirroredProducts(mirror);

const madeProducts = () =>
  Promise.all(
    MADE.map(async ({ handle, things, es }, p) => ({
      handle,
      text: demoText(handle),
      translated: es,
      pictures: await Promise.all(things.map((thing, at) => photograph(thing, 1 + p * 10 + at))),
    })),
  );

/** The text of a product of the demo shop. */
export function demoText(handle: string): ShownText {
  const { name, text } = PRODUCTS.find((product) => product.handle === handle) ?? { name: handle, text: '' };
  return { name, text };
}

function mirroredProducts(folder: string): Promise<ClonedProduct[]> {
  type Mirrored = Omit<ClonedProduct, 'pictures'> & { readonly pictures: readonly string[] };
  const listed = JSON.parse(readFileSync(join(folder, 'shop.json'), 'utf8')) as Mirrored[];
  const read = async (name: string): Promise<Original> => {
    const file = readFileSync(join(folder, name));
    const { width = 0, height = 0 } = await sharp(file).metadata();
    return { file, width, height };
  };
  return Promise.all(
    listed.map(async (product) => ({
      ...product,
      pictures: await Promise.all(product.pictures.map(read)),
    })),
  );
}
