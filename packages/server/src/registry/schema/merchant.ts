import { z } from 'zod';
import { text } from './text.ts';

const planCapacity = z
  .int()
  .min(0)
  .max(10_000_000)
  .meta({ description: 'How many products may be active at a time.' });

export const MerchantCreateSchema = z
  .strictObject({ name: text(300), planCapacity })
  .meta({ id: 'MerchantCreate' });

export const MerchantPatchSchema = z
  .strictObject({
    name: text(300).optional(),
    planCapacity: planCapacity.optional(),
    paused: z
      .boolean()
      .optional()
      .meta({ description: 'While paused, none of the products is active; slots are kept.' }),
  })
  .meta({ id: 'MerchantPatch' });

export const MerchantSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    planCapacity: z.int(),
    slotsHeld: z.int().meta({ description: 'Slots held now; never more than planCapacity.' }),
    paused: z.boolean(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Merchant', description: 'Who sells: the owner of stores, products and a plan.' });

export const MerchantListSchema = z
  .object({
    merchants: z.array(MerchantSchema),
    nextCursor: z.string().optional().meta({ description: 'Absent on the last page.' }),
  })
  .meta({ id: 'MerchantList' });

export const ApiKeyCreateSchema = z
  .strictObject({ label: z.string().trim().max(200).optional() })
  .meta({ id: 'ApiKeyCreate' });

const apiKey = { id: z.uuid(), label: z.string(), createdAt: z.iso.datetime() };

export const ApiKeySchema = z
  .object({
    ...apiKey,
    key: z.string().meta({ description: 'Shown this once; only its hash is kept.' }),
  })
  .meta({ id: 'ApiKey', description: 'A key of one merchant, as it is answered when made.' });

export const ApiKeyListSchema = z
  .object({
    keys: z.array(
      z.object(apiKey).meta({ id: 'ApiKeySummary', description: 'A key, without the key itself.' }),
    ),
    nextCursor: z.string().optional().meta({ description: 'Absent on the last page.' }),
  })
  .meta({ id: 'ApiKeyList' });

export type MerchantCreate = z.infer<typeof MerchantCreateSchema>;
export type MerchantPatch = z.infer<typeof MerchantPatchSchema>;
export type Merchant = z.infer<typeof MerchantSchema>;
export type MerchantList = z.infer<typeof MerchantListSchema>;
export type ApiKey = z.infer<typeof ApiKeySchema>;
export type ApiKeyList = z.infer<typeof ApiKeyListSchema>;
