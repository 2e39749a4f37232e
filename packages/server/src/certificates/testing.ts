import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../platform/clock.ts';
import type { TestDatabase } from '../platform/database/testing.ts';
import type { RenderedDocument } from '../platform/http/rendered-document.ts';
import { type Certificates, type CertificatesOptions, openCertificates } from './open-certificates.ts';

export const BASE_URL = 'https://certificates.example';

/** A shop in the database, written past the registry: these tests are about what is read. */
export interface TestShop {
  readonly merchantId: string;
  readonly storeId: string;
  addProduct(changes?: { visible?: boolean; slot?: boolean; images?: number }): Promise<TestProduct>;
}

export interface TestProduct {
  readonly productId: string;
  readonly url: string;
  readonly imageIds: readonly string[];
}

export async function testShop(database: TestDatabase, host = 'shop.example'): Promise<TestShop> {
  const { db } = database;
  const merchantId = randomUUID();
  const storeId = randomUUID();
  await db.insertInto('merchants').values({ id: merchantId, name: 'Merchant', plan_capacity: 100 }).execute();
  const store = { id: storeId, merchant_id: merchantId, name: 'Shop', url: `https://${host}` };
  await db.insertInto('stores').values(store).execute();
  await db.insertInto('domains').values({ store_id: storeId, hostname: host, challenge: 'c' }).execute();
  let products = 0;
  return {
    merchantId,
    storeId,
    async addProduct({ visible = true, slot = true, images = 2 } = {}) {
      products += 1;
      const productId = randomUUID();
      const url = `https://${host}/products/cup-${products}`;
      await db
        .insertInto('products')
        .values({
          id: productId,
          store_id: storeId,
          merchant_id: merchantId,
          external_product_id: `cup-${products}`,
          name: `Cup ${products}`,
          url,
          host,
          attributes: JSON.stringify([{ name: 'colour', value: 'blue' }]),
          visible,
          slot_order: slot ? String(products) : null,
        })
        .execute();
      const imageIds = Array.from({ length: images }, () => randomUUID());
      for (const [position, id] of imageIds.entries()) {
        const image = {
          id,
          product_id: productId,
          position,
          url: `https://${host}/cup-${products}-${position}.jpg`,
        };
        await db.insertInto('images').values(image).execute();
      }
      return { productId, url, imageIds };
    },
  };
}

/** One node of the service on a database, with everything counted. */
export interface TestNode extends Certificates {
  readonly counts: { signatures: number; queries: number; memory: number };
  close(): Promise<void>;
}

export async function testNode(
  database: TestDatabase,
  options: { clock: Clock; masterKey?: Uint8Array } & Partial<CertificatesOptions>,
): Promise<TestNode> {
  const counts = { signatures: 0, queries: 0, memory: 0 };
  const { db } = database.open({
    onQuery: () => {
      counts.queries += 1;
    },
  });
  const certificates = await openCertificates({
    db,
    connection: database.connection,
    masterKey: randomBytes(32),
    addresses: { baseUrl: BASE_URL, namespaceUrl: `${BASE_URL}/ns#` },
    formerBaseUrls: [],
    onSignature: () => {
      counts.signatures += 1;
    },
    onAnswer: (from) => {
      if (from === 'memory') counts.memory += 1;
    },
    ...options,
  });
  await certificates.listener.whenProven(AbortSignal.timeout(10_000));
  return { ...certificates, counts };
}

/** The document that goes out. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was rendered
export function parse(rendered: RenderedDocument<unknown>): any {
  return JSON.parse(Buffer.from(rendered.body).toString());
}

/** Asks until two answers are one and the same: the product's own making has been heard by then. */
export async function warm(node: TestNode, productId: string): Promise<RenderedDocument<unknown>> {
  for (;;) {
    const first = await node.getCertificate(productId);
    await delay(20);
    if ((await node.getCertificate(productId)) === first) return first;
  }
}
