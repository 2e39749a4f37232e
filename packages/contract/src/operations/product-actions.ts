import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { RegistryChangeSchema } from './changes.ts';
import { REGISTRY_BASE, uuidParameter } from './parts.ts';
import { PRODUCT_STATES } from './products.ts';
import { StoreParams } from './stores.ts';
import { text } from './text-fields.ts';

const common = { tag: 'Registry', access: 'merchant', noStore: true } as const;

/** Maximum number of products named in one action. */
const MAX_SELECTED = 1000;

const PRODUCT_ACTIONS = ['hide', 'show', 'delete'] as const;

const ProductFilterSchema = z
  .strictObject({
    state: z.enum(PRODUCT_STATES).exclude(['deleted']).optional(),
    q: text(200).optional().meta({ description: 'As in the list of products.' }),
  })
  .meta({ id: 'ProductFilter', description: 'Empty: all products of the store.' });

const ProductActionSchema = z
  .strictObject({
    action: z.enum(PRODUCT_ACTIONS),
    productIds: z.array(z.guid()).min(1).max(MAX_SELECTED).optional(),
    filter: ProductFilterSchema.optional(),
  })
  .refine(({ productIds, filter }) => (productIds === undefined) !== (filter === undefined), {
    message: 'Give either productIds or filter',
  })
  .meta({ id: 'ProductAction', description: 'What is done, and to which products.' });

export type ProductActionName = (typeof PRODUCT_ACTIONS)[number];
export type ProductAction = z.infer<typeof ProductActionSchema>;
export type ProductFilter = z.infer<typeof ProductFilterSchema>;

const ACT = `Hides, shows or deletes the products that are named, or those of a filter as it is at this moment; ids of other
stores are left out. Products that are in that state already stay as they are, and count in \`done\` but not in \`changed\`. Up to
1,000 products are changed at once (200), more one after another (202; \`Location\` tells how far it is).`;

const UNDO = `Gives products that a hide, show or delete changed the visibility or existence back that they had before, under
the same ids, for 7 days; those that were changed otherwise meanwhile stay as they are. One that is still under way stops first.
Asking twice answers the same undoing.`;

const replies = {
  200: { description: 'It is done.', schema: RegistryChangeSchema },
  202: { description: 'It has begun.', schema: RegistryChangeSchema },
} as const;

export const actOnProducts = defineOperation({
  ...common,
  id: 'actOnProducts',
  method: 'POST',
  path: `${REGISTRY_BASE}/stores/{store_id}/products/actions`,
  summary: 'Hide, show or delete many products',
  description: ACT,
  idempotent: true,
  params: StoreParams,
  body: ProductActionSchema,
  replies,
  errors: ['store_unknown'],
});

export const undoChange = defineOperation({
  ...common,
  id: 'undoChange',
  method: 'POST',
  path: `${REGISTRY_BASE}/changes/{change_id}/undo`,
  summary: 'Undo a hide, show or delete of many products',
  description: UNDO,
  params: z.object({ change_id: uuidParameter('The change.') }),
  replies,
  errors: ['change_unknown', 'store_unknown', 'conflict'],
});
