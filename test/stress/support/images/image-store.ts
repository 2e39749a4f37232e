import { expect } from 'vitest';
import { openStore, operate, putProducts, UNLIMITED_FETCHES } from '../../../kit/registry.ts';
import { openShop, productPage, type Shop } from '../../../kit/shop.ts';
import { type Client, createClient } from '../client.ts';
import { type ServiceProcess, startServiceProcess } from '../service-process.ts';
import type { ServedImage } from './served-images.ts';

export const SHOP = 'http://shop.example';
type Json = Record<string, unknown>;

export interface Row {
  readonly name: string;
  readonly images: readonly ServedImage[];
}

/** A service in a separate process, one store in it with signing enabled, and the shop of that store. */
export interface ImageStore {
  readonly service: ServiceProcess;
  readonly shop: Shop;
  readonly client: Client;
  /** Adds products with these images; returns their ids. */
  offer(rows: readonly Row[]): Promise<readonly string[]>;
  /** Serves a page with this certificate and these images; returns its address. */
  publish(name: string, certificate: unknown, images: readonly ServedImage[]): string;
  /** Waits until no image is pending; returns the progress. */
  settled(): Promise<Json>;
  /** Failed images, with their codes. */
  givenUp(): Promise<ReadonlyMap<string, string>>;
  /** The code of a failed image, else its state by the certificate: `certified` or `uncertified`. */
  outcomes(productId: string, failed: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string>>;
  close(): Promise<void>;
}

export async function openImageStore(): Promise<ImageStore> {
  const shop = await openShop();
  const service = await startServiceProcess({
    settings: {
      TOUCHSTONE_FETCH_CONNECT_TO: `shop.example=127.0.0.1:${shop.port}`,
      TOUCHSTONE_IMAGE_SPACING_MS: '0',
      TOUCHSTONE_IMAGE_ATTEMPTS: '2',
      TOUCHSTONE_IMAGE_RETRY_SECONDS: '1',
      ...UNLIMITED_FETCHES,
    },
  });
  const client = createClient(service.port);
  const { id: storeId } = await openStore(service, SHOP, { signImages: true });
  const store = `/stores/${storeId}`;
  return {
    service,
    shop,
    client,
    async offer(rows) {
      for (const { name, bytes } of rows.flatMap(({ images }) => images)) {
        shop.put(addressOf(name), (_request, response) => response.writeHead(200).end(bytes));
      }
      const products = rows.map(({ name, images }) => ({
        externalProductId: name,
        name,
        url: `${SHOP}/products/${name}`,
        images: images.map((image) => ({ url: addressOf(image.name) })),
      }));
      return putProducts(service, storeId, products);
    },
    publish(name, certificate, images) {
      const url = `${SHOP}/products/${name}`;
      const image = images.map((served) => addressOf(served.name));
      shop.put(url, productPage({ '@type': 'Product', name, image }, certificate));
      return url;
    },
    async settled() {
      const progress = () => operate(service, 'GET', `${store}/images/progress`);
      await expect.poll(async () => (await progress()).waiting, { interval: 200, timeout: 900_000 }).toBe(0);
      return progress();
    },
    async givenUp() {
      const { images, nextCursor } = await operate(service, 'GET', `${store}/images/failed?limit=500`);
      expect(nextCursor).toBeUndefined();
      return new Map((images as { url: string; code: string }[]).map(({ url, code }) => [nameOf(url), code]));
    },
    async outcomes(productId, failed) {
      const { images } = await operate(service, 'GET', `/products/${productId}`);
      const outcomes = new Map<string, string>();
      for (const { id, url } of images as { id: string; url: string }[]) {
        const name = nameOf(url);
        outcomes.set(name, failed.get(name) ?? (await certificateOf(client, id)));
      }
      return outcomes;
    },
    async close() {
      client.close();
      await service.stop();
      await shop.close();
    },
  };
}

const IMAGES = `${SHOP}/images/`;
const addressOf = (name: string) => IMAGES + name;
const nameOf = (url: string) => url.slice(IMAGES.length);

async function certificateOf(client: Client, imageId: string): Promise<string> {
  const answer = await client.ask({ method: 'GET', path: `/api/v1/mc4p/assets/${imageId}/certificate` });
  const document = JSON.parse(answer.body.toString()) as { 'svc:contentCredentials'?: { hasC2PA: boolean } };
  const credentials = document['svc:contentCredentials'];
  if (answer.status !== 200 || credentials === undefined) return `${answer.status} ${answer.body}`;
  return credentials.hasC2PA ? 'certified' : 'uncertified';
}
