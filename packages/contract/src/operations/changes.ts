import { z } from 'zod';
import { defineOperation, type Wire } from '../operation.ts';
import { nextCursor, PageQuerySchema, REGISTRY_BASE, uuidParameter } from './shared.ts';

const common = { tag: 'Registry', access: 'merchant', noStore: true } as const;

export const RegistryChangeSchema = z
  .object({
    id: z.uuid(),
    kind: z
      .enum([
        'capacity',
        'store_deletion',
        'domain',
        'image_signing',
        'hide',
        'show',
        'withdraw',
        'delete',
        'restore',
      ])
      .meta({
        description:
          'capacity: products gain or lose seats after a change of planCapacity. store_deletion: products of a deleted store. ' +
          'domain: products on a host that a store lost or gained. image_signing: images are scanned again to be signed. ' +
          'hide, show, withdraw, delete: an action on many products. restore: a delete is undone.',
      }),
    merchantId: z.uuid(),
    storeId: z.uuid().optional(),
    hostname: z.string().optional(),
    state: z.enum(['pending', 'done']),
    done: z.int().meta({ description: 'Products updated so far.' }),
    changed: z.int().optional().meta({
      description:
        'Of those done: products that were not in that state before; for hide, show, delete and restore. For withdraw: those whose certificates were withdrawn.',
    }),
    undoes: z.uuid().optional().meta({ description: 'The change that this one undoes.' }),
    undoneBy: z.uuid().optional().meta({ description: 'The change that undoes this one.' }),
    undoableUntil: z.iso.datetime().optional().meta({
      description: 'Until when POST …/changes/{id}/undo is possible.',
    }),
    total: z
      .int()
      .optional()
      .meta({ description: 'Approximate number of products to update; absent until they are counted.' }),
    since: z.iso.datetime().meta({ description: 'When it was requested.' }),
    finishedAt: z.iso.datetime().optional(),
  })
  .meta({
    id: 'RegistryChange',
    description:
      'A change that affects too many products for one call: it takes effect with the response, and the products follow in batches.',
  });

export type RegistryChange = Wire<z.infer<typeof RegistryChangeSchema>>;

export const pendingChanges = z.array(RegistryChangeSchema).optional().meta({
  description: 'Changes that its products still follow, oldest first; empty if there are none.',
});

const RegistryChangeListSchema = z
  .object({ changes: z.array(RegistryChangeSchema), nextCursor })
  .meta({ id: 'RegistryChangeList' });

export type RegistryChangeList = Wire<z.infer<typeof RegistryChangeListSchema>>;

const RegistryChangeListQuerySchema = z.strictObject({
  merchantId: z.uuid().optional(),
  ...PageQuerySchema.shape,
});

export type RegistryChangeListQuery = z.infer<typeof RegistryChangeListQuerySchema>;

/** Describes operations that return 202 if the change affects more products than one call can update. */
export const LARGE_CHANGE =
  'If it affects more than 1,000 products, the status is 202, and `Location` is the address of its progress.';

export const listRegistryChanges = defineOperation({
  ...common,
  id: 'listRegistryChanges',
  method: 'GET',
  path: `${REGISTRY_BASE}/changes`,
  summary: 'List changes in progress',
  description: 'Changes that products still follow and that the key may see, sorted by id.',
  query: RegistryChangeListQuerySchema,
  replies: { 200: { description: 'One page of changes.', schema: RegistryChangeListSchema } },
  errors: [],
});

export const getRegistryChange = defineOperation({
  ...common,
  id: 'getRegistryChange',
  method: 'GET',
  path: `${REGISTRY_BASE}/changes/{change_id}`,
  summary: 'Get the progress of a change',
  description: 'A finished change is kept for at least a week.',
  params: z.object({ change_id: uuidParameter('The change.') }),
  replies: { 200: { description: 'The change.', schema: RegistryChangeSchema } },
  errors: ['change_unknown'],
});
