import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { RegistryChangeSchema } from './changes.ts';
import { PRODUCT_STATES } from './products.ts';
import { REGISTRY_BASE, uuidParameter } from './shared.ts';
import { StoreParams } from './stores.ts';
import { text } from './text-fields.ts';
import { withdrawalReason } from './withdrawals.ts';

const common = { tag: 'Registry', access: 'merchant', noStore: true } as const;

/** Maximum number of products named in one action. */
const MAX_SELECTED = 1000;

const PRODUCT_ACTIONS = ['hide', 'show', 'withdraw', 'delete'] as const;

const ProductFilterSchema = z
  .strictObject({
    state: z.enum(PRODUCT_STATES).exclude(['deleted']).optional(),
    q: text(200).optional().meta({ description: 'As in the list of products.' }),
  })
  .meta({ id: 'ProductFilter', description: 'If empty, all products of the store.' });

const ProductActionSchema = z
  .strictObject({
    action: z.enum(PRODUCT_ACTIONS),
    productIds: z.array(z.guid()).min(1).max(MAX_SELECTED).optional(),
    filter: ProductFilterSchema.optional(),
    reason: withdrawalReason,
  })
  .refine(({ productIds, filter }) => (productIds === undefined) !== (filter === undefined), {
    message: 'Give either productIds or filter',
  })
  .refine(({ action, reason }) => reason === undefined || action === 'withdraw', {
    message: 'Only a withdrawal has a reason',
    path: ['reason'],
  })
  .meta({ id: 'ProductAction', description: 'The action, and the products to which it applies.' });

export type ProductActionName = (typeof PRODUCT_ACTIONS)[number];
export type ProductAction = z.infer<typeof ProductActionSchema>;
export type ProductFilter = z.infer<typeof ProductFilterSchema>;

const ACT = `Hides, shows, withdraws or deletes the named products, or those that match a filter at the time of the call; ids of
other stores are ignored. To withdraw hides the products and withdraws all their certificates for good: that cannot be undone. When the
products are shown again, by this action or by changing \`visible\` of one, they get new certificates; rows of the shop do not show them. Products already in the requested state are not changed; they count in \`done\` but not in \`changed\`. Up
to 1,000 products are changed at once (200), more in batches (202; \`Location\` is the address of the progress).`;

const UNDO = `Restores the products that a hide, show or delete changed to their former visibility or existence, under the
same ids; possible for 7 days. Products changed otherwise in the meantime are not restored. A change still in progress is
stopped first. Repeating the call returns the same undo.`;

const replies = {
  200: { description: 'The change is done.', schema: RegistryChangeSchema },
  202: { description: 'The change has started.', schema: RegistryChangeSchema },
} as const;

export const actOnProducts = defineOperation({
  ...common,
  id: 'actOnProducts',
  method: 'POST',
  path: `${REGISTRY_BASE}/stores/{store_id}/products/actions`,
  summary: 'Hide, show, withdraw or delete many products',
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
