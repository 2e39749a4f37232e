import { z } from 'zod';
import { defineOperation, type Wire } from '../operation.ts';
import { LARGE_CHANGE, pendingChanges } from './changes.ts';
import { nextCursor, PageQuerySchema, REGISTRY_BASE, uuidParameter } from './shared.ts';
import { text } from './text-fields.ts';

const common = { tag: 'Registry', access: 'merchant', noStore: true } as const;

/** Maximum number of API keys of one merchant that are not revoked. */
export const MAX_API_KEYS = 100;

const planCapacity = z
  .int()
  .min(0)
  .max(10_000_000)
  .meta({ description: 'Maximum number of products that may be active at a time.' });

const MerchantCreateSchema = z.strictObject({ name: text(300), planCapacity }).meta({ id: 'MerchantCreate' });

const MerchantPatchSchema = z
  .strictObject({
    name: text(300).optional(),
    planCapacity: planCapacity.optional(),
    productLimit: z.int().min(0).max(2_000_000_000).nullable().optional().meta({
      description: 'Maximum number of products, deleted ones included; null: the default of the service.',
    }),
    paused: z
      .boolean()
      .optional()
      .meta({ description: 'While paused, no product is active; seats are kept.' }),
  })
  .meta({ id: 'MerchantPatch' });

const MerchantSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    planCapacity: z.int(),
    slotsHeld: z.int().meta({
      description: 'Seats in use; more than planCapacity only while products follow a reduction.',
    }),
    productLimit: z.int().meta({
      description: 'Maximum number of products in all stores, deleted ones included, whether active or not.',
    }),
    products: z.int().meta({ description: 'Products that there are, counted in the same way.' }),
    paused: z.boolean(),
    createdAt: z.iso.datetime(),
    pendingChanges,
  })
  .meta({
    id: 'Merchant',
    description: 'The party that sells: it owns stores and products, and has a plan.',
  });

const MerchantListSchema = z
  .object({
    merchants: z.array(MerchantSchema),
    nextCursor,
  })
  .meta({ id: 'MerchantList' });

const ApiKeyCreateSchema = z
  .strictObject({ label: z.string().trim().max(200).optional() })
  .meta({ id: 'ApiKeyCreate' });

const apiKey = { id: z.uuid(), label: z.string(), createdAt: z.iso.datetime() };

const ApiKeySchema = z
  .object({
    ...apiKey,
    key: z.string().meta({ description: 'Returned only once; the service stores only its hash.' }),
  })
  .meta({ id: 'ApiKey', description: 'A key of one merchant, as returned when it is created.' });

const ApiKeyListSchema = z
  .object({
    keys: z.array(
      z
        .object({
          ...apiKey,
          lastUsedOn: z.iso
            .date()
            .optional()
            .meta({ description: 'The last day (UTC) on which it was used; absent if never.' }),
        })
        .meta({ id: 'ApiKeySummary', description: 'A key, without its secret value.' }),
    ),
    nextCursor,
  })
  .meta({ id: 'ApiKeyList' });

export type MerchantCreate = z.infer<typeof MerchantCreateSchema>;
export type MerchantPatch = z.infer<typeof MerchantPatchSchema>;
export type Merchant = Wire<z.infer<typeof MerchantSchema>>;
export type MerchantList = Wire<z.infer<typeof MerchantListSchema>>;
export type ApiKey = Wire<z.infer<typeof ApiKeySchema>>;
export type ApiKeyList = Wire<z.infer<typeof ApiKeyListSchema>>;

const MerchantListQuerySchema = PageQuerySchema.extend({
  q: text(200).optional().meta({
    description: 'Words of the name in any order, as in `listProducts`; the beginning of each is enough.',
  }),
});

export type MerchantListQuery = z.infer<typeof MerchantListQuerySchema>;

const MerchantParams = z.object({ merchant_id: uuidParameter('The merchant.') });

export const createMerchant = defineOperation({
  ...common,
  id: 'createMerchant',
  method: 'POST',
  path: `${REGISTRY_BASE}/merchants`,
  summary: 'Add a merchant',
  access: 'operator',
  idempotent: true,
  body: MerchantCreateSchema,
  replies: { 201: { description: 'The merchant.', schema: MerchantSchema } },
  errors: [],
});

export const listMerchants = defineOperation({
  ...common,
  id: 'listMerchants',
  method: 'GET',
  path: `${REGISTRY_BASE}/merchants`,
  summary: 'List merchants',
  description: "The operator key lists all merchants; a merchant's key, only its own.",
  query: MerchantListQuerySchema,
  replies: { 200: { description: 'One page of merchants.', schema: MerchantListSchema } },
  errors: [],
});

export const getMerchant = defineOperation({
  ...common,
  id: 'getMerchant',
  method: 'GET',
  path: `${REGISTRY_BASE}/merchants/{merchant_id}`,
  summary: 'Get a merchant',
  params: MerchantParams,
  replies: { 200: { description: 'The merchant.', schema: MerchantSchema } },
  errors: ['merchant_unknown'],
});

export const updateMerchant = defineOperation({
  ...common,
  id: 'updateMerchant',
  method: 'PATCH',
  path: `${REGISTRY_BASE}/merchants/{merchant_id}`,
  summary: 'Change a merchant, its capacity or its pause',
  description: `Only the operator may change planCapacity, productLimit and paused. A smaller capacity removes the newest seats. ${LARGE_CHANGE}`,
  params: MerchantParams,
  body: MerchantPatchSchema,
  replies: {
    200: { description: 'The merchant.', schema: MerchantSchema },
    202: { description: 'The merchant; seats are still being changed.', schema: MerchantSchema },
  },
  errors: ['merchant_unknown', 'forbidden'],
});

export const createApiKey = defineOperation({
  ...common,
  id: 'createApiKey',
  method: 'POST',
  path: `${REGISTRY_BASE}/merchants/{merchant_id}/api-keys`,
  summary: 'Create an API key of a merchant',
  // supporting Idempotency-Key would require storing the response, and with it the key
  description:
    'The key is returned only once; the service stores only its hash. Idempotency-Key is not supported: if the ' +
    'response is lost, find the key in the list, revoke it and create another. A merchant can have at most ' +
    `${MAX_API_KEYS} valid keys, which share its rate limits.`,
  params: MerchantParams,
  body: ApiKeyCreateSchema.optional(),
  replies: { 201: { description: 'The key.', schema: ApiKeySchema } },
  errors: ['merchant_unknown', 'conflict'],
});

export const listApiKeys = defineOperation({
  ...common,
  id: 'listApiKeys',
  method: 'GET',
  path: `${REGISTRY_BASE}/merchants/{merchant_id}/api-keys`,
  summary: 'List the API keys of a merchant',
  description: 'Keys that are not revoked, without their secret values.',
  params: MerchantParams,
  query: PageQuerySchema,
  replies: { 200: { description: 'One page of keys.', schema: ApiKeyListSchema } },
  errors: ['merchant_unknown'],
});

export const revokeApiKey = defineOperation({
  ...common,
  id: 'revokeApiKey',
  method: 'DELETE',
  path: `${REGISTRY_BASE}/merchants/{merchant_id}/api-keys/{key_id}`,
  summary: 'Revoke an API key',
  params: z.object({ ...MerchantParams.shape, key_id: uuidParameter('The key.') }),
  replies: { 204: { description: 'The key is revoked and no longer accepted.' } },
  errors: ['merchant_unknown', 'api_key_unknown'],
});
