import { z } from 'zod';
import { defineOperation, type Wire } from '../operation.ts';
import { nextCursor, PageQuerySchema, REGISTRY_BASE, uuidParameter } from './parts.ts';

const common = { tag: 'Registry', access: 'merchant', noStore: true } as const;

export const RegistryChangeSchema = z
  .object({
    id: z.uuid(),
    kind: z
      .enum(['capacity', 'store_deletion', 'domain', 'image_signing', 'hide', 'show', 'delete', 'restore'])
      .meta({
        description:
          'capacity: seats come and go with planCapacity. store_deletion: the products of a deleted store go. domain: products ' +
          'on a host that a store lost or got. image_signing: images are scanned again, to be signed. hide, show, delete: ' +
          'somebody asked for it for many products. restore: a delete is undone.',
      }),
    merchantId: z.uuid(),
    storeId: z.uuid().optional(),
    hostname: z.string().optional(),
    state: z.enum(['pending', 'done']),
    done: z.int().meta({ description: 'Products brought in line so far.' }),
    changed: z.int().optional().meta({
      description: 'Of those done: products that were not so before. Of hide, show, delete and restore.',
    }),
    undoes: z.uuid().optional().meta({ description: 'The change that this one undoes.' }),
    undoneBy: z.uuid().optional().meta({ description: 'The change that undoes this one.' }),
    undoableUntil: z.iso.datetime().optional().meta({
      description: 'POST …/changes/{id}/undo takes it back until then.',
    }),
    total: z
      .int()
      .optional()
      .meta({ description: 'Products to be brought in line, about; absent until they are counted.' }),
    since: z.iso.datetime().meta({ description: 'When it was asked for.' }),
    finishedAt: z.iso.datetime().optional(),
  })
  .meta({
    id: 'RegistryChange',
    description:
      'A change that concerns too many products for one call: it holds from the answer on, and products follow it one after another.',
  });

export type RegistryChange = Wire<z.infer<typeof RegistryChangeSchema>>;

export const pendingChanges = z.array(RegistryChangeSchema).optional().meta({
  description: 'Changes that its products still follow, the oldest first; none: empty.',
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
  'Where it concerns more than 1,000 products it is answered 202, and `Location` tells how far it is.';

export const listRegistryChanges = defineOperation({
  ...common,
  id: 'listRegistryChanges',
  method: 'GET',
  path: `${REGISTRY_BASE}/changes`,
  summary: 'List the changes under way',
  description: 'Those that products still follow and that the key may see, by id; `nextCursor` leads on.',
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
  description: 'One that is done is told for at least a week.',
  params: z.object({ change_id: uuidParameter('The change.') }),
  replies: { 200: { description: 'The change.', schema: RegistryChangeSchema } },
  errors: ['change_unknown'],
});
