import type { ProductState } from '@touchstone/contract';
import { failedImages, listImages } from '../../../packages/server/src/core/images/list-images.ts';
import { imageProgress } from '../../../packages/server/src/core/images/scan-progress.ts';
import type { Registry } from '../../../packages/server/src/core/registry/context.ts';
import { addDomain, removeDomain } from '../../../packages/server/src/core/registry/domains/domains.ts';
import {
  getMerchant,
  patchMerchant,
} from '../../../packages/server/src/core/registry/merchants/merchants.ts';
import {
  deleteProduct,
  patchProduct,
} from '../../../packages/server/src/core/registry/products/change-product.ts';
import {
  addImages,
  removeImage,
} from '../../../packages/server/src/core/registry/products/product-images.ts';
import {
  getProduct,
  listProducts,
} from '../../../packages/server/src/core/registry/products/read-products.ts';
import { upsertProducts } from '../../../packages/server/src/core/registry/products/upsert.ts';
import { getStore, patchStore } from '../../../packages/server/src/core/registry/stores/stores.ts';
import type { Shop } from './fill.ts';

export interface Measured {
  readonly name: string;
  readonly run: (shop: Shop, turn: number) => Promise<unknown>;
}

const STATES: readonly ProductState[] = [
  'active',
  'hidden',
  'host_lost',
  'disabled',
  'paused',
  'no_slot',
  'deleted',
];

/** Every write and listing of the registry; each call uses other products. */
export function operations(registry: Registry): Measured[] {
  return [...listings(registry), ...productWrites(registry), ...otherWrites(registry)];
}

function listings(registry: Registry): Measured[] {
  const list = (shop: Shop, query: { state?: ProductState; cursor?: string }) =>
    listProducts(registry, 'all', shop.storeId, { ...query, limit: 20 });
  const middle = ({ middle: order }: Shop) => Buffer.from(`v1:${order}`).toString('base64url');
  return [
    { name: 'list products', run: (shop) => list(shop, {}) },
    { name: 'list products, from the middle', run: (shop) => list(shop, { cursor: middle(shop) }) },
    ...STATES.map((state) => ({
      name: `list products, ${state}`,
      run: (shop: Shop) => list(shop, { state }),
    })),
    {
      name: 'list products, active, from the middle',
      run: (shop) => list(shop, { state: 'active', cursor: middle(shop) }),
    },
    { name: 'get a product', run: (shop, turn) => getProduct(registry, 'all', shop.ids[turn] ?? '') },
    { name: 'get the store', run: (shop) => getStore(registry, 'all', shop.storeId) },
    { name: 'get the merchant', run: (shop) => getMerchant(registry, 'all', shop.merchantId) },
    {
      name: 'list images',
      run: (shop) => listImages(registry, 'all', shop.storeId, { limit: 20, baseUrl: 'https://c.example' }),
    },
    ...(['waiting', 'not_served', 'certified', 'signed', 'retrying'] as const).map((state) => ({
      name: `list images, ${state}`,
      run: (shop: Shop) =>
        listImages(registry, 'all', shop.storeId, { state, limit: 20, baseUrl: 'https://c.example' }),
    })),
    {
      name: 'list failed images',
      run: (shop) => failedImages(registry, 'all', shop.storeId, { limit: 20 }),
    },
    { name: 'progress of images', run: (shop) => imageProgress(registry, 'all', shop.storeId) },
  ];
}

function productWrites(registry: Registry): Measured[] {
  const row = (shop: Shop, id: string, name = `Product ${id}`) => ({
    externalProductId: id,
    name,
    sku: `SKU-${id}`,
    url: `https://second.${shop.host}/${id}`,
  });
  const put = (shop: Shop, rows: unknown[]) => upsertProducts(registry, 'all', shop.storeId, rows);
  // each call uses other rows; ids that end in 0 are replaced, since those products are not plain
  const some = (turn: number, count: number) =>
    Array.from({ length: count }, (_, nth) => String(1 + ((turn * count + nth) % 900)).replace(/0$/, '1'));
  const distinct = (ids: readonly string[]) => [...new Set(ids)];
  return [
    { name: 'put a new product', run: (shop, turn) => put(shop, [row(shop, `new-${turn}`)]) },
    {
      name: 'put 100 new products',
      run: (shop, turn) =>
        put(
          shop,
          Array.from({ length: 100 }, (_, nth) => row(shop, `new-${turn}-${nth}`)),
        ),
    },
    {
      name: 'put a product that is the same',
      run: (shop, turn) => put(shop, [row(shop, `${turn * 10 + 3}`)]),
    },
    {
      name: 'put a product that changed',
      run: (shop, turn) => put(shop, [row(shop, `${turn * 10 + 5}`, 'Changed')]),
    },
    {
      name: 'put 100 that changed',
      run: (shop, turn) =>
        put(
          shop,
          distinct(some(turn, 100)).map((id) => row(shop, id, `Changed ${turn}`)),
        ),
    },
    {
      name: 'rename a product',
      run: (shop, turn) => patchProduct(registry, 'all', shop.ids[turn] ?? '', { name: 'N' }),
    },
    {
      name: 'hide a product',
      run: (shop, turn) => patchProduct(registry, 'all', shop.ids[30 + turn] ?? '', { visible: false }),
    },
    {
      name: 'show a product',
      run: (shop, turn) => patchProduct(registry, 'all', shop.ids[30 + turn] ?? '', { visible: true }),
    },
    {
      name: 'delete a product',
      run: (shop, turn) => deleteProduct(registry, 'all', shop.ids[60 + turn] ?? ''),
    },
    {
      name: 'add an image',
      run: (shop, turn) =>
        addImages(registry, 'all', shop.ids[90 + turn] ?? '', [
          { url: `https://${shop.host}/new-${turn}.jpg` },
        ]),
    },
    {
      name: 'get a product and remove its image',
      run: async (shop, turn) => {
        const { images } = await getProduct(registry, 'all', shop.ids[120 + turn] ?? '');
        await removeImage(registry, 'all', images[0]?.id ?? '');
      },
    },
  ];
}

function otherWrites(registry: Registry): Measured[] {
  const capacity = async (shop: Shop, by: number) => {
    const { planCapacity } = await getMerchant(registry, 'all', shop.merchantId);
    await patchMerchant(registry, 'all', shop.merchantId, { planCapacity: planCapacity + by });
  };
  return [
    {
      name: 'rename the merchant',
      run: (shop, turn) => patchMerchant(registry, 'all', shop.merchantId, { name: `M${turn}` }),
    },
    {
      name: 'pause and unpause',
      run: async (shop) => {
        await patchMerchant(registry, 'all', shop.merchantId, { paused: true });
        await patchMerchant(registry, 'all', shop.merchantId, { paused: false });
      },
    },
    { name: 'capacity less 10', run: (shop) => capacity(shop, -10) },
    { name: 'capacity more 10', run: (shop) => capacity(shop, 10) },
    {
      name: 'rename the store',
      run: (shop, turn) => patchStore(registry, 'all', shop.storeId, { name: `S${turn}` }),
    },
    {
      name: 'add a domain',
      run: (shop, turn) => addDomain(registry, 'all', shop.storeId, { hostname: `d${turn}.${shop.host}` }),
    },
    {
      name: 'remove a domain',
      run: (shop, turn) => removeDomain(registry, 'all', shop.storeId, `d${turn}.${shop.host}`),
    },
  ];
}
