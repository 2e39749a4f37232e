import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emitterOf } from '../../../parts.ts';
import { type TestDatabase, testDatabase } from '../../../platform/database/testing.ts';
import { testSecrets } from '../../../platform/secrets/testing.ts';
import type { Registry } from '../context.ts';
import { createMerchant } from '../merchants/merchants.ts';
import { createStore, deleteStore, listStores, patchStore } from './stores.ts';

const emit = emitterOf({ without: [] });

let database: TestDatabase;
let registry: Registry;

beforeAll(async () => {
  database = await testDatabase();
  registry = { db: database.db, clock: () => new Date(), secrets: testSecrets(), onChange: () => {}, emit };
});
afterAll(() => database.close());

async function merchantWithStores(...urls: string[]): Promise<{ id: string; stores: string[] }> {
  const { id } = await createMerchant(registry, { name: 'M', planCapacity: 1 });
  const stores: string[] = [];
  for (const url of urls) {
    stores.push((await createStore(registry, 'all', { merchantId: id, name: url, url })).id);
  }
  return { id, stores };
}

describe('listStores', () => {
  it('shows a merchant only its own stores, the operator all, and deleted ones to nobody', async () => {
    const a = await merchantWithStores('https://a1.example/', 'https://a2.example/');
    const b = await merchantWithStores('https://b1.example/', 'https://b2.example/');
    await deleteStore(registry, 'all', b.stores[1] ?? '');
    const ids = async (
      ...args: Parameters<typeof listStores> extends [unknown, ...infer Rest] ? Rest : never
    ) => (await listStores(registry, ...args)).stores.map((store) => store.id).toSorted();
    expect(await ids({ merchantId: a.id }, { limit: 10 })).toEqual(a.stores.toSorted());
    expect(await ids({ merchantId: a.id }, { limit: 10, merchantId: b.id })).toEqual([]);
    expect(await ids('all', { limit: 10 })).toEqual([...a.stores, b.stores[0]].toSorted());
    expect(await ids('all', { limit: 10, merchantId: b.id })).toEqual([b.stores[0]]);
  });

  it('returns every store once over its pages', async () => {
    const { id, stores } = await merchantWithStores(
      ...Array.from({ length: 5 }, (_, i) => `https://p${i}-${randomUUID()}.example/`),
    );
    const listed: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listStores(
        registry,
        { merchantId: id },
        { limit: 2, ...(cursor === undefined ? {} : { cursor }) },
      );
      listed.push(...page.stores.map((store) => store.id));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(listed).toEqual(stores.toSorted());
  });
});

describe('an address', () => {
  it('is that of one store of a merchant, which a refusal names; others may be on the same host', async () => {
    const { id: merchantId, stores } = await merchantWithStores('https://twin.example/');
    const [storeId = ''] = stores;
    const add = (url: string, owner = merchantId) =>
      createStore(registry, 'all', { merchantId: owner, name: 'Again', url });
    const refused = {
      code: 'store_exists',
      members: { storeId },
      publicMessage: expect.stringContaining(storeId),
    };
    for (const url of ['https://twin.example', 'http://TWIN.example/']) {
      await expect(add(url), url).rejects.toMatchObject(refused);
    }
    const beside = await add('https://twin.example/es');
    const move = (url: string) => patchStore(registry, 'all', beside.id, { url });
    await expect(move('https://twin.example/')).rejects.toMatchObject(refused);
    expect((await move('https://twin.example/es/')).store.url).toBe('https://twin.example/es/');
    const { id: stranger } = await merchantWithStores();
    expect((await add('https://twin.example/', stranger)).merchantId).toBe(stranger);
    await deleteStore(registry, 'all', storeId);
    expect((await add('https://twin.example/')).merchantId).toBe(merchantId);
  });
});
