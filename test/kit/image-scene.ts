import type { ManifestToSign } from '@touchstone/image';
import { type ImageWorkers, openImageWorkers } from '@touchstone/image/node';
import { afterAll, expect, vi } from 'vitest';
import { developmentChain } from '../../packages/server/src/core/images/development-chain.ts';
import type { Overrides } from '../../packages/server/src/core/running-service.ts';
import { PATIENT } from './patience.ts';
import { picture, servePicture } from './pictures.ts';
import { type Json, openScene, type Scene, type SceneStore } from './service.ts';

export const SHOP = 'http://shop.example';

export interface ImageProduct {
  readonly id: string;
  readonly imageId: string;
  /** Address of the image. */
  readonly url: string;
}

/** A service that scans images, a store whose shop serves them, and an engine that signs images beforehand. */
export interface ImageScene {
  readonly scene: Scene;
  readonly store: SceneStore;
  readonly engine: ImageWorkers;
  /** Adds a product with one image of these bytes, and waits for its scan. */
  productWith(name: string, bytes: Uint8Array): Promise<ImageProduct>;
  /** Waits until no image is pending. */
  settled(): Promise<void>;
  /** Scans a finished image again, and waits for the end. */
  scanAgain(imageId: string): Promise<void>;
  asset(imageId: string): Promise<Json>;
  askForSignatures(signImages: boolean): Promise<void>;
  signedByMerchant(picture: string | Uint8Array): Promise<Uint8Array>;
  close(): Promise<void>;
}

const MANIFEST: ManifestToSign = {
  title: 'From the merchant',
  claimGenerator: { name: 'Merchant', version: '1' },
  actions: [{ action: 'c2pa.published' }],
  assertions: [],
};

export async function openImageScene(
  settings: Readonly<Record<string, string>> = {},
  overrides: Overrides = {},
): Promise<ImageScene> {
  const scene = await openScene(
    {
      TOUCHSTONE_IMAGE_CONCURRENT: '4',
      TOUCHSTONE_IMAGE_SPACING_MS: '0',
      TOUCHSTONE_IMAGE_ATTEMPTS: '2',
      TOUCHSTONE_IMAGE_RETRY_SECONDS: '1',
      ...settings,
    },
    overrides,
  );
  const store = await scene.store('shop.example');
  const trust = { name: 'none', date: '', anchorsPem: '' };
  const engine = openImageWorkers({ processes: 1, memoryMb: 1_024, timeoutMs: 60_000, trust });
  const waiting = async () => (await scene.operate('GET', `/stores/${store.id}/images/progress`)).waiting;
  // also called in `beforeAll`, where expect.poll is not allowed
  const settled = () =>
    vi.waitFor(async () => expect(await waiting()).toBe(0), { interval: 100, ...PATIENT });
  return {
    scene,
    store,
    engine,
    settled,
    async productWith(name, bytes) {
      const url = `${SHOP}/${name}.img`;
      servePicture(scene.shop, url, bytes);
      const { id } = await store.product(name, { images: [{ url }] });
      await settled();
      const [imageId = ''] = await scene.imagesOf(id);
      return { id, imageId, url };
    },
    async scanAgain(imageId) {
      const { query } = scene.service.database;
      await query("update jobs set due_at = now(), state = 'ready' where subject = $1", [imageId]);
      const open = () =>
        query("select 1 from jobs where subject = $1 and state in ('ready', 'running')", [imageId]);
      await expect.poll(open).toEqual([]);
    },
    asset: async (imageId) => (await scene.call('GET', `/api/v1/mc4p/assets/${imageId}/certificate`)).json,
    async askForSignatures(signImages) {
      await scene.operate('PATCH', `/stores/${store.id}`, { signImages });
    },
    signedByMerchant: async (given) =>
      engine.sign(
        typeof given === 'string' ? await picture(given) : given,
        MANIFEST,
        await developmentChain(new Date()),
      ),
    async close() {
      await engine.close();
      await scene.close();
    },
  };
}

/** The same for the tests of a file, closed after them. To be called while tests are collected. */
export async function useImageScene(...given: Parameters<typeof openImageScene>): Promise<ImageScene> {
  const scene = await openImageScene(...given);
  afterAll(() => scene.close());
  return scene;
}
