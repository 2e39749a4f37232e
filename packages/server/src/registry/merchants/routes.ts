import { z } from 'zod';
import { type Operation, operation } from '../../platform/http/operation.ts';
import { PageQuerySchema } from '../../platform/http/page-query.ts';
import { uuidParameter } from '../../platform/http/uuid-parameter.ts';
import { createApiKey, listApiKeys, revokeApiKey } from '../api-keys/api-keys.ts';
import { BASE, MerchantParams, PRIVATE } from '../common.ts';
import { type Registry, scopeOf } from '../context.ts';
import {
  ApiKeyCreateSchema,
  ApiKeyListSchema,
  ApiKeySchema,
  MerchantCreateSchema,
  MerchantListSchema,
  MerchantPatchSchema,
  MerchantSchema,
} from '../schema/merchant.ts';
import { createMerchant, getMerchant, listMerchants, patchMerchant } from './merchants.ts';

export function merchantRows(registry: Registry): Operation[] {
  return [
    operation({
      id: 'createMerchant',
      method: 'POST',
      path: `${BASE}/merchants`,
      tag: 'Registry',
      summary: 'Add a merchant',
      access: 'operator',
      idempotent: true,
      body: MerchantCreateSchema,
      responses: { 201: { description: 'The merchant.', schema: MerchantSchema } },
      errors: [],
      handle: async ({ body }) => ({
        status: 201,
        headers: PRIVATE,
        body: await createMerchant(registry, body),
      }),
    }),
    operation({
      id: 'listMerchants',
      method: 'GET',
      path: `${BASE}/merchants`,
      tag: 'Registry',
      summary: 'List merchants',
      description: "All of them for the operator, a merchant's key sees its own; `nextCursor` leads on.",
      access: 'merchant',
      query: PageQuerySchema,
      responses: { 200: { description: 'One page of merchants.', schema: MerchantListSchema } },
      errors: [],
      handle: async ({ query }, call) => ({
        status: 200,
        headers: PRIVATE,
        body: await listMerchants(registry, scopeOf(call.identity), query),
      }),
    }),
    operation({
      id: 'getMerchant',
      method: 'GET',
      path: `${BASE}/merchants/{merchant_id}`,
      tag: 'Registry',
      summary: 'Get a merchant',
      access: 'merchant',
      params: MerchantParams,
      responses: { 200: { description: 'The merchant.', schema: MerchantSchema } },
      errors: ['merchant_unknown'],
      handle: async ({ params }, call) => ({
        status: 200,
        headers: PRIVATE,
        body: await getMerchant(registry, scopeOf(call.identity), params.merchant_id),
      }),
    }),
    operation({
      id: 'updateMerchant',
      method: 'PATCH',
      path: `${BASE}/merchants/{merchant_id}`,
      tag: 'Registry',
      summary: 'Change a merchant, its capacity or its pause',
      description:
        'planCapacity and paused are for the operator. Less capacity takes the newest slots at once.',
      access: 'merchant',
      params: MerchantParams,
      body: MerchantPatchSchema,
      responses: { 200: { description: 'The merchant.', schema: MerchantSchema } },
      errors: ['merchant_unknown', 'forbidden'],
      handle: async ({ params, body }, call) => ({
        status: 200,
        headers: PRIVATE,
        body: await patchMerchant(registry, scopeOf(call.identity), params.merchant_id, body),
      }),
    }),
    ...apiKeyRows(registry),
  ];
}

function apiKeyRows(registry: Registry): Operation[] {
  return [
    operation({
      id: 'createApiKey',
      method: 'POST',
      path: `${BASE}/merchants/{merchant_id}/api-keys`,
      tag: 'Registry',
      summary: 'Make an API key of a merchant',
      // an Idempotency-Key would need the answer, and so the key, to be kept
      description:
        'The key is shown this once; only its hash is kept. There is no replay by Idempotency-Key: where the ' +
        'answer got lost, find that key in the list, revoke it and make another.',
      access: 'merchant',
      params: MerchantParams,
      body: ApiKeyCreateSchema.optional(),
      responses: { 201: { description: 'The key.', schema: ApiKeySchema } },
      errors: ['merchant_unknown'],
      handle: async ({ params, body }, call) => ({
        status: 201,
        headers: PRIVATE,
        body: await createApiKey(registry, scopeOf(call.identity), params.merchant_id, body?.label),
      }),
    }),
    operation({
      id: 'listApiKeys',
      method: 'GET',
      path: `${BASE}/merchants/{merchant_id}/api-keys`,
      tag: 'Registry',
      summary: 'List the API keys of a merchant',
      description: 'Those that open something, without the keys themselves; `nextCursor` leads on.',
      access: 'merchant',
      params: MerchantParams,
      query: PageQuerySchema,
      responses: { 200: { description: 'One page of keys.', schema: ApiKeyListSchema } },
      errors: ['merchant_unknown'],
      handle: async ({ params, query }, call) => ({
        status: 200,
        headers: PRIVATE,
        body: await listApiKeys(registry, scopeOf(call.identity), params.merchant_id, query),
      }),
    }),
    operation({
      id: 'revokeApiKey',
      method: 'DELETE',
      path: `${BASE}/merchants/{merchant_id}/api-keys/{key_id}`,
      tag: 'Registry',
      summary: 'Revoke an API key',
      access: 'merchant',
      params: z.object({ ...MerchantParams.shape, key_id: uuidParameter('The key.') }),
      responses: { 204: { description: 'It opens nothing any more.' } },
      errors: ['merchant_unknown', 'api_key_unknown'],
      handle: async ({ params }, call) => {
        await revokeApiKey(registry, scopeOf(call.identity), params.merchant_id, params.key_id);
        return { status: 204 };
      },
    }),
  ];
}
