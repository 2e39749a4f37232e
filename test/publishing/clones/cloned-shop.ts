import { expect, vi } from 'vitest';
import { PRODUCTS } from '../../../packages/cli/src/demo/products.ts';
import { copyOf, type Original } from '../../kit/copied-pictures.ts';
import { servePicture } from '../../kit/pictures.ts';
import { UNLIMITED_FETCHES } from '../../kit/registry.ts';
import { type Json, openScene, type Scene, type SceneStore } from '../../kit/service.ts';
import { ORIGINAL, type ShownText } from './make-clones.ts';
import { photograph } from './photographs.ts';

/** The products of the shop: their pictures, and their text in Spanish. */
const CLONED: readonly { handle: string; things: readonly string[]; es: ShownText }[] = [
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

export interface OriginalProduct {
  readonly handle: string;
  readonly id: string;
  readonly url: string;
  readonly text: ShownText;
  readonly translated: ShownText;
  readonly pictures: readonly Original[];
  readonly certificate: Json;
}

export interface ClonedShop {
  readonly scene: Scene;
  readonly store: SceneStore;
  readonly products: readonly OriginalProduct[];
  /** The pictures of a product as a copy shows them, made once for each change. */
  copies(product: OriginalProduct, change: string): Promise<readonly Uint8Array[]>;
}

/** The text of a product of the demo shop. */
export function demoText(handle: string): ShownText {
  const { name, text } = PRODUCTS.find((product) => product.handle === handle) ?? { name: handle, text: '' };
  return { name, text };
}

/** A shop of which all pictures are certified, on its proven host, and a network with these other hosts. */
export async function openClonedShop(
  hosts: readonly string[],
  changes: Readonly<Record<string, string>> = {},
): Promise<ClonedShop> {
  const settings = {
    ...UNLIMITED_FETCHES,
    TOUCHSTONE_IMAGE_CONCURRENT: '4',
    TOUCHSTONE_IMAGE_SPACING_MS: '0',
    ...changes,
  };
  // on a busy machine, a thread that starts for the first page starts too late for it
  const scene = await openScene(settings, { readersStartAfter: 0 }, [ORIGINAL, ...hosts]);
  const store = await scene.store(ORIGINAL);
  await scene.operate('PATCH', `/stores/${store.id}`, { signImages: true });
  const sources = await Promise.all(
    CLONED.map(async ({ handle, things, es }, p) => {
      const pictures = await Promise.all(things.map((thing, at) => photograph(thing, 1 + p * 10 + at)));
      const images = pictures.map(({ file }, at) => {
        const url = `http://${ORIGINAL}/pictures/${handle}-${at}.jpg`;
        servePicture(scene.shop, url, file);
        return { url };
      });
      const text = demoText(handle);
      const product = await store.product(handle, { name: text.name, images });
      return { handle, ...product, text, translated: es, pictures };
    }),
  );
  const count = sources.reduce((sum, { pictures }) => sum + pictures.length, 0);
  const certified = async () => {
    const { images } = await scene.operate('GET', `/stores/${store.id}/images?state=signed&limit=100`);
    expect(images).toHaveLength(count);
  };
  await vi.waitFor(certified, { interval: 200, timeout: 100_000 });
  const products: OriginalProduct[] = [];
  for (const source of sources) products.push({ ...source, certificate: await scene.certificate(source.id) });
  const made = new Map<string, Promise<readonly Uint8Array[]>>();
  return {
    scene,
    store,
    products,
    copies(product, change) {
      const key = `${product.handle} ${change}`;
      const copies =
        made.get(key) ?? Promise.all(product.pictures.map((original) => copyOf(original, change)));
      made.set(key, copies);
      return copies;
    },
  };
}
