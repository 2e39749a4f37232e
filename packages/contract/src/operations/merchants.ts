import { z } from 'zod';
import { defineOperation, type Wire } from '../operation.ts';
import { LARGE_CHANGE, pendingChanges } from './changes.ts';
import { nextCursor, PageQuerySchema, REGISTRY_BASE, uuidParameter } from './parts.ts';
import { text } from './text-fields.ts';

const common = { tag: 'Registry', access: 'merchant', noStore: true } as const;

const planCapacity = z
  .int()
  .min(0)
  .max(10_000_000)
  .meta({ description: 'How many products may be active at a time.' });

const MerchantCreateSchema = z.strictObject({ name: text(300), planCapacity }).meta({ id: 'MerchantCreate' });

const MerchantPatchSchema = z
  .strictObject({
    name: text(300).optional(),
    planCapacity: planCapacity.optional(),
    paused: z
      .boolean()
      .optional()
      .meta({ description: 'While paused, none of the products is active; seats are kept.' }),
  })
  .meta({ id: 'MerchantPatch' });

const MerchantSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    planCapacity: z.int(),
    slotsHeld: z.int().meta({
      description:
        'Seats of the plan held now; more than planCapacity only while products follow a smaller one.',
    }),
    paused: z.boolean(),
    createdAt: z.iso.datetime(),
    pendingChanges,
  })
  .meta({ id: 'Merchant', description: 'Who sells: the owner of stores, products and a plan.' });

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
    key: z.string().meta({ description: 'Shown this once; only its hash is kept.' }),
  })
  .meta({ id: 'ApiKey', description: 'A key of one merchant, as it is answered when made.' });

const ApiKeyListSchema = z
  .object({
    keys: z.array(
      z
        .object({
          ...apiKey,
          lastUsedOn: z.iso
            .date()
            .optional()
            .meta({ description: 'The last day (UTC) on which it was used; absent: never.' }),
        })
        .meta({ id: 'ApiKeySummary', description: 'A key, without the key itself.' }),
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
    description:
      'Words of the name, as `listProducts` takes them: in any order, the beginning of each is enough.',
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
  description: "All of them for the operator, a merchant's key sees its own; `nextCursor` leads on.",
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
  description: `planCapacity and paused are for the operator. Less capacity takes the newest seats. ${LARGE_CHANGE}`,
  params: MerchantParams,
  body: MerchantPatchSchema,
  replies: {
    200: { description: 'The merchant.', schema: MerchantSchema },
    202: { description: 'The merchant; seats still come or go.', schema: MerchantSchema },
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
    'The key is shown this once; only its hash is kept. There is no replay by Idempotency-Key: where the ' +
    'answer got lost, find that key in the list, revoke it and make another.',
  params: MerchantParams,
  body: ApiKeyCreateSchema.optional(),
  replies: { 201: { description: 'The key.', schema: ApiKeySchema } },
  errors: ['merchant_unknown'],
});

export const listApiKeys = defineOperation({
  ...common,
  id: 'listApiKeys',
  method: 'GET',
  path: `${REGISTRY_BASE}/merchants/{merchant_id}/api-keys`,
  summary: 'List the API keys of a merchant',
  description: 'Those that open something, without the keys themselves; `nextCursor` leads on.',
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
  replies: { 204: { description: 'The key is revoked: it is refused from now on.' } },
  errors: ['merchant_unknown', 'api_key_unknown'],
});
