import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Addresses } from '@touchstone/certificate/issue';
import { sql, type UpdateObject } from 'kysely';
import { emitterOf } from '../../parts.ts';
import { type ChangeListener, listenForChanges } from '../../platform/cache/change-listener.ts';
import { type ChangeHub, createChangeHub } from '../../platform/cache/changes.ts';
import { addChangeWay, type ChangeWay, openPolling } from '../../platform/cache/poll-changes.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Connection, type Database, inTransaction } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { TestDatabase } from '../../platform/database/testing.ts';
import type { RenderedDocument } from '../../platform/http/rendered-document.ts';
import { createDatabaseSecrets, type DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import { updateImage } from '../images/image-table.ts';
import { createGetJwks, type GetJwks } from '../keys/get-jwks.ts';
import { openProofKeys, type SigningKeys } from '../keys/open-proof-keys.ts';
import { testKeys } from '../keys/testing.ts';
import { changedBy, changedColumns, followProducts } from '../registry/changed-products.ts';
import type { StoreKey } from '../registry/find-store.ts';
import { type Certificates, openCertificates } from './open-certificates.ts';
import type { StatusEntries } from './status-entries.ts';

const emit = emitterOf({ without: [] });

export const BASE_URL = 'https://certificates.example';

/** A shop written directly to the database instead of through the registry, for tests of reading. */
export interface TestShop {
  /** The store, as `issueBatch` takes it. */
  readonly store: StoreKey;
  readonly merchantId: string;
  readonly storeId: string;
  addProduct(changes?: { visible?: boolean; seat?: boolean; images?: number }): Promise<TestProduct>;
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
  await db.insertInto('directory').values({ id: storeId, merchant_id: merchantId }).execute();
  await db.insertInto('stores').values(store).execute();
  await db
    .insertInto('domains')
    .values({ merchant_id: merchantId, store_id: storeId, hostname: host })
    .execute();
  await inTransaction(db, (trx) => emit(trx, 'storeCreated', { merchantId, storeId }));
  let products = 0;
  return {
    store: { id: storeId, merchantId },
    merchantId,
    storeId,
    async addProduct({ visible = true, seat = true, images = 2 } = {}) {
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
          slot_order: seat ? String(products) : null,
        })
        .execute();
      await db.insertInto('directory').values({ id: productId, merchant_id: merchantId }).execute();
      const imageIds = Array.from({ length: images }, () => randomUUID());
      for (const [position, id] of imageIds.entries()) {
        const image = {
          merchant_id: merchantId,
          id,
          product_id: productId,
          position,
          url: `https://${host}/cup-${products}-${position}.jpg`,
        };
        await db.insertInto('images').values(image).execute();
      }
      if (seat)
        await sql`update merchants set slots_held = slots_held + 1 where id = ${merchantId}`.execute(db);
      const added = { productId, host, wasRemoved: null, isRemoved: false };
      const product = { id: productId, storeId, was: null, is: 'active', isRenamed: false } as const;
      await inTransaction(db, async (trx) => {
        await emit(trx, 'imagesChanged', {
          merchantId,
          storeId,
          images: imageIds.map((id) => ({ ...added, id })),
        });
        await followProducts({ emit, clock: () => new Date() }, trx, { merchantId, changed: [product] });
      });
      return { productId, url, imageIds };
    },
  };
}

/** Changes columns of products as the registry does, with all that follows. */
export function changeProducts(
  { db }: { readonly db: Database },
  productIds: readonly string[],
  set: string,
): Promise<void> {
  return inTransaction(db, async (trx) => {
    const changed = await changedBy(
      trx,
      sql`update products p set ${sql.raw(set)} where id = any(${productIds}::uuid[]) returning ${changedColumns(sql`true`)}`,
    );
    const [owner] = await trx
      .selectFrom('products')
      .select('merchant_id as merchantId')
      .where('id', 'in', productIds)
      .execute();
    if (owner !== undefined)
      await followProducts({ emit, clock: () => new Date() }, trx, { ...owner, changed });
  });
}

/** Changes columns of an image as a scan does, with all that follows. */
export function changeImage(
  { db }: { readonly db: Database },
  imageId: string,
  values: UpdateObject<Tables, 'images'>,
): Promise<void> {
  return inTransaction(db, async (trx) => {
    const key = await trx
      .selectFrom('images')
      .innerJoin('products', 'products.id', 'product_id')
      .select(['products.merchant_id as merchantId', 'store_id as storeId'])
      .where('images.id', '=', imageId)
      .executeTakeFirstOrThrow();
    await updateImage(trx, emit, { ...key, imageId }, values);
  });
}

/** What a test opens a node with. */
export interface TestNodeOptions {
  readonly changesBy?: ChangeWay;
  /** Where its changes are announced. Default: its own. */
  readonly changes?: ChangeHub;
  readonly clock: Clock;
  readonly masterKey?: Uint8Array;
  /** Where it reads instead, and listens. */
  readonly db?: Database;
  readonly connection?: Connection;
  readonly addresses?: Addresses;
  readonly cacheBytes?: number;
  readonly statusEntries?: StatusEntries;
  readonly monotonic?: () => number;
  /** Milliseconds for which the node answers from memory while its database does not. Default: 0. */
  readonly staleFor?: number;
}

/** Keys and certificates of one node of the service on a database, with everything counted. */
export interface TestNode extends Certificates {
  readonly db: Database;
  readonly secrets: DatabaseSecrets;
  readonly keys: SigningKeys;
  readonly getJwks: GetJwks;
  readonly changes: ChangeHub;
  readonly listener: ChangeListener;
  readonly counts: { signatures: number; queries: number; memory: number };
  close(): Promise<void>;
}

export async function testNode(database: TestDatabase, options: TestNodeOptions): Promise<TestNode> {
  const {
    clock,
    masterKey = randomBytes(32),
    connection = database.connection,
    monotonic,
    staleFor = 0,
  } = options;
  const counts = { signatures: 0, queries: 0, memory: 0 };
  const counting = () =>
    database.open({
      onQuery: () => {
        counts.queries += 1;
      },
    }).db;
  const db = options.db ?? counting();
  const { changes = createChangeHub(), changesBy = 'listen' } = options;
  await addChangeWay(db, changesBy);
  const listener = listenForChanges({
    connection,
    hub: changes,
    ...(changesBy === 'poll' ? { open: openPolling } : {}),
    staleFor,
    ...(monotonic === undefined ? {} : { monotonic }),
  });
  const caching = { hub: changes, freshness: listener };
  const { cacheBytes, statusEntries } = options;
  const secrets = createDatabaseSecrets(masterKey);
  const keys = await openProofKeys({
    db,
    clock,
    secrets,
    caching,
    newKey: testKeys(),
    onRevoked: (trx, revoked) => emit(trx, 'signingKeyRevoked', revoked),
  });
  const certificates = openCertificates({
    db,
    clock,
    secrets,
    emit,
    keys,
    addresses: options.addresses ?? { baseUrl: BASE_URL, namespaceUrl: `${BASE_URL}/ns#` },
    caching,
    ...(cacheBytes === undefined ? {} : { cacheBytes }),
    ...(statusEntries === undefined ? {} : { statusEntries }),
    onSignature: () => {
      counts.signatures += 1;
    },
    onAnswer: (from) => {
      if (from === 'memory') counts.memory += 1;
    },
  });
  await listener.whenProven(AbortSignal.timeout(60_000));
  const getJwks = createGetJwks({ keys, clock, hub: changes });
  return {
    ...certificates,
    db,
    secrets,
    keys,
    getJwks,
    changes,
    listener,
    counts,
    close: () => listener.close(),
  };
}

/** The document that goes out. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was rendered
export function parse(rendered: RenderedDocument<unknown>): any {
  return JSON.parse(String(rendered.body));
}

/** Asks until two answers are one and the same: the change that made the product has been received by then. */
export async function warm(node: TestNode, productId: string): Promise<RenderedDocument<unknown>> {
  for (;;) {
    const first = await node.getCertificate(productId);
    await delay(20);
    if ((await node.getCertificate(productId)) === first) return first;
  }
}
