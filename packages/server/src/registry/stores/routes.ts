import { type Operation, operation } from '../../platform/http/operation.ts';
import { BASE, PRIVATE, StoreParams } from '../common.ts';
import { type Registry, scopeOf } from '../context.ts';
import { StoreCreateSchema, StorePatchSchema, StoreSchema } from '../schema/store.ts';
import { StoreListQuerySchema, StoreListSchema } from '../schema/store-list.ts';
import { createStore, deleteStore, getStore, listStores, patchStore } from './stores.ts';

export function storeRows(registry: Registry): Operation[] {
  return [
    operation({
      id: 'createStore',
      method: 'POST',
      path: `${BASE}/stores`,
      tag: 'Registry',
      summary: 'Add a store',
      description: 'The host of its address becomes its first domain, with a challenge to prove control by.',
      access: 'merchant',
      idempotent: true,
      body: StoreCreateSchema,
      responses: { 201: { description: 'The store.', schema: StoreSchema } },
      errors: ['merchant_unknown', 'hostname_taken'],
      handle: async ({ body }, call) => ({
        status: 201,
        headers: PRIVATE,
        body: await createStore(registry, scopeOf(call.identity), body),
      }),
    }),
    operation({
      id: 'listStores',
      method: 'GET',
      path: `${BASE}/stores`,
      tag: 'Registry',
      summary: 'List stores',
      description: 'Those that the key may see, by id; `nextCursor` leads on.',
      access: 'merchant',
      query: StoreListQuerySchema,
      responses: { 200: { description: 'One page of stores.', schema: StoreListSchema } },
      errors: [],
      handle: async ({ query }, call) => ({
        status: 200,
        headers: PRIVATE,
        body: await listStores(registry, scopeOf(call.identity), query),
      }),
    }),
    operation({
      id: 'getStore',
      method: 'GET',
      path: `${BASE}/stores/{store_id}`,
      tag: 'Registry',
      summary: 'Get a store',
      access: 'merchant',
      params: StoreParams,
      responses: { 200: { description: 'The store.', schema: StoreSchema } },
      errors: ['store_unknown'],
      handle: async ({ params }, call) => ({
        status: 200,
        headers: PRIVATE,
        body: await getStore(registry, scopeOf(call.identity), params.store_id),
      }),
    }),
    operation({
      id: 'updateStore',
      method: 'PATCH',
      path: `${BASE}/stores/{store_id}`,
      tag: 'Registry',
      summary: 'Change a store',
      description: 'The host of a new address becomes a domain of the store, beside those it has.',
      access: 'merchant',
      params: StoreParams,
      body: StorePatchSchema,
      responses: { 200: { description: 'The store.', schema: StoreSchema } },
      errors: ['store_unknown', 'hostname_taken', 'conflict'],
      handle: async ({ params, body }, call) => ({
        status: 200,
        headers: PRIVATE,
        body: await patchStore(registry, scopeOf(call.identity), params.store_id, body),
      }),
    }),
    operation({
      id: 'deleteStore',
      method: 'DELETE',
      path: `${BASE}/stores/{store_id}`,
      tag: 'Registry',
      summary: 'Delete a store with its products',
      access: 'merchant',
      params: StoreParams,
      responses: { 204: { description: 'It is gone; its products answer 404.' } },
      errors: ['store_unknown'],
      handle: async ({ params }, call) => {
        await deleteStore(registry, scopeOf(call.identity), params.store_id);
        return { status: 204 };
      },
    }),
  ];
}
