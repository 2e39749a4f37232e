import { expect, vi } from 'vitest';
import { copyOf } from '../../kit/copied-pictures.ts';
import { PATIENT } from '../../kit/patience.ts';
import { servePicture } from '../../kit/pictures.ts';
import { UNLIMITED_FETCHES } from '../../kit/registry.ts';
import { type Json, openScene, type Scene, type SceneStore } from '../../kit/service.ts';
import type { ClonedProduct } from './cloned-products.ts';
import { ORIGINAL } from './make-clones.ts';

export interface OriginalProduct extends ClonedProduct {
  readonly id: string;
  readonly url: string;
  readonly certificate: Json;
}

export interface ClonedShop {
  readonly scene: Scene;
  readonly store: SceneStore;
  readonly products: readonly OriginalProduct[];
  /** The pictures of a product as a copy shows them, made once for each change. */
  copies(product: OriginalProduct, change: string): Promise<readonly Uint8Array[]>;
}

/** A shop of which all pictures are certified, on its proven host, and a network with these other hosts. */
export async function openClonedShop(
  cloned: readonly ClonedProduct[],
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
    cloned.map(async (one) => {
      const { handle, text, pictures } = one;
      const images = pictures.map(({ file }, at) => {
        const url = `http://${ORIGINAL}/pictures/${handle}-${at}.jpg`;
        servePicture(scene.shop, url, file);
        return { url };
      });
      return { ...one, ...(await store.product(handle, { name: text.name, images })) };
    }),
  );
  const count = sources.reduce((sum, { pictures }) => sum + pictures.length, 0);
  const certified = async () => {
    const { images } = await scene.operate('GET', `/stores/${store.id}/images?state=signed&limit=100`);
    expect(images).toHaveLength(count);
  };
  await vi.waitFor(certified, { interval: 200, ...PATIENT });
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
