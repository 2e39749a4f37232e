import type { RowResult } from '@touchstone/contract';
import type { Change } from '../platform/cache/changes.ts';
import { type TestDatabase, testDatabase } from '../platform/database/testing.ts';
import type { Registry } from './context.ts';
import type { DomainProofPorts, FetchedText } from './domains/find-proof.ts';
import { createMerchant } from './merchants/merchants.ts';
import { upsertProducts } from './products/upsert.ts';
import { createStore } from './stores/stores.ts';

/** The registry on a fresh database, with a clock that stands still and every announced change kept. */
export interface TestRegistry extends Registry {
  readonly database: TestDatabase;
  readonly changes: Change[];
  close(): Promise<void>;
}

export async function testRegistry(): Promise<TestRegistry> {
  const database = await testDatabase();
  const changes: Change[] = [];
  return {
    database,
    db: database.db,
    clock: () => new Date('2026-11-20T10:00:00Z'),
    onChange: (published) => changes.push(...published),
    changes,
    close: () => database.close(),
  };
}

export interface TestShop {
  readonly merchantId: string;
  readonly storeId: string;
  readonly host: string;
  readonly challenge: string;
  /** A good row, with what a test wants different. */
  row(externalProductId: string, changes?: Record<string, unknown>): Record<string, unknown>;
  put(...rows: unknown[]): Promise<RowResult[]>;
}

export async function testShop(
  registry: TestRegistry,
  host = 'shop.example',
  planCapacity = 100,
): Promise<TestShop> {
  const merchant = await createMerchant(registry, { name: `Merchant of ${host}`, planCapacity });
  const store = await createStore(registry, 'all', {
    merchantId: merchant.id,
    name: 'Shop',
    url: `https://${host}/`,
  });
  return {
    merchantId: merchant.id,
    storeId: store.id,
    host,
    challenge: store.domains[0]?.challenge ?? '',
    row: (externalProductId, changes = {}) => ({
      externalProductId,
      url: `https://${host}/products/${externalProductId}`,
      name: `Product ${externalProductId}`,
      images: [{ url: `https://${host}/${externalProductId}.jpg` }],
      ...changes,
    }),
    put: (...rows) => upsertProducts(registry, 'all', store.id, rows),
  };
}

/** A web and a DNS of a few entries; whatever is not in it does not answer. */
export function fakeWeb(pages: Record<string, string | FetchedText>, txt: Record<string, string[]> = {}) {
  const fetched: string[] = [];
  const ports: DomainProofPorts = {
    fetchText: async (url) => {
      fetched.push(url);
      const page = pages[url];
      if (typeof page === 'string') return { status: 200, finalUrl: url, body: page };
      return page ?? { failed: true, note: 'connection_refused: Nobody answers.' };
    },
    resolveTxt: async (name) => ({ records: txt[name] ?? [] }),
  };
  return { ports, fetched };
}
