import { z } from 'zod';
import { defineOperation, type Wire } from '../../operation.ts';
import { nextCursor, PageQuerySchema, REGISTRY_BASE, uuidParameter } from '../../operations/shared.ts';
import { StoreParams } from '../../operations/stores.ts';
import { webUrl } from '../../operations/text-fields.ts';

const common = { tag: 'Registry', access: 'merchant', noStore: true } as const;

const KINDS = ['auto', 'shopify', 'woocommerce', 'document', 'sitemap'] as const;
const PRUNE_RULES = ['never', 'cautious', 'always'] as const;

const address = webUrl().meta({
  description: 'Address of the shop (Shopify, WooCommerce, otherwise its sitemaps), or of a feed or export.',
});
const kind = z.enum(KINDS).meta({ description: 'How the source is read; auto: detected.' });
const prune = z.enum(PRUNE_RULES).meta({
  description:
    'Whether products that are no longer in the catalogue are deleted. cautious: deleted, unless they are more than a fifth of the store.',
});

const ImportCreateSchema = z
  .strictObject({ url: address, kind: kind.default('auto'), prune: prune.default('never') })
  .meta({ id: 'ImportCreate' });

const StoreSourceInputSchema = z
  .strictObject({
    url: address,
    kind: kind.default('auto'),
    everyHours: z.int().min(1).max(8_760).default(24).meta({ description: 'Hours between two imports.' }),
    prune: prune.default('never'),
  })
  .meta({ id: 'StoreSourceInput' });

const ImportProblemSchema = z.object({
  kind: z.string().meta({
    description:
      'The same for rows rejected for the same reason: a code and, if the registry rejected the row, the field.',
  }),
  count: z.int(),
  example: z.object({
    row: z.int().meta({ description: 'Position in the source; 0: the source as a whole.' }),
    externalProductId: z.string().optional(),
    reason: z.string(),
  }),
});

const ImportSchema = z
  .object({
    id: z.uuid(),
    storeId: z.uuid(),
    url: z.string(),
    kind,
    prune,
    scheduled: z
      .boolean()
      .meta({ description: 'Whether it was started by the schedule of the store’s source.' }),
    state: z.enum(['waiting', 'running', 'done', 'failed']).meta({
      description: 'waiting: not started yet, or to be retried (`failure` gives the reason).',
    }),
    done: z.int().meta({ description: 'Products that were processed, accepted or not.' }),
    total: z.int().optional().meta({ description: 'Total number of products, if the shop states it.' }),
    created: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    revived: z.int(),
    failed: z.int().meta({ description: 'Rejected rows.' }),
    skippedPages: z.int().meta({ description: 'Pages of a sitemap without a product.' }),
    perSecond: z.number().meta({ description: 'Products per second since it started.' }),
    problems: z.array(ImportProblemSchema).meta({ description: 'Rejected rows, by kind.' }),
    notInSource: z.int().optional().meta({
      description: 'Products of this store that are not in the source; present once all of it was read.',
    }),
    deleted: z.int().optional().meta({ description: 'Of these, how many were deleted.' }),
    failure: z.object({ code: z.string(), detail: z.string() }).optional(),
    createdAt: z.iso.datetime(),
    begunAt: z.iso.datetime().optional().meta({ description: 'When a node first started it.' }),
    finishedAt: z.iso.datetime().optional(),
  })
  .meta({ id: 'Import', description: 'One import of a shop’s catalogue.' });

const ImportListSchema = z.object({ imports: z.array(ImportSchema), nextCursor }).meta({ id: 'ImportList' });

const StoreSourceSchema = z
  .object({
    url: z.string(),
    kind,
    everyHours: z.int(),
    prune,
    nextAt: z.iso.datetime().meta({ description: 'When the next import starts.' }),
    lastImport: ImportSchema.optional(),
  })
  .meta({ id: 'StoreSource', description: 'Where the catalogue of a store is read from, and how often.' });

export type ImportCreate = z.output<typeof ImportCreateSchema>;
export type ImportView = Wire<z.infer<typeof ImportSchema>>;
export type ImportList = Wire<z.infer<typeof ImportListSchema>>;
export type StoreSourceInput = z.output<typeof StoreSourceInputSchema>;
export type StoreSource = Wire<z.infer<typeof StoreSourceSchema>>;

const ImportParams = z.object({ import_id: uuidParameter('The import.') });

const IMPORT = `The service reads the catalogue itself, at a limited rate and with signed requests, and resumes after an
interruption. A store has one import at a time. Rows are validated as in \`PUT …/products\`, which programs that already have
the rows should use instead.`;

export const createImport = defineOperation({
  ...common,
  id: 'createImport',
  method: 'POST',
  path: `${REGISTRY_BASE}/stores/{store_id}/imports`,
  summary: 'Import a catalogue',
  description: IMPORT,
  idempotent: true,
  params: StoreParams,
  body: ImportCreateSchema,
  replies: {
    202: {
      description: 'The import is queued; `Location` is the address of its progress.',
      schema: ImportSchema,
    },
  },
  errors: ['store_unknown', 'conflict'],
});

export const listImports = defineOperation({
  ...common,
  id: 'listImports',
  method: 'GET',
  path: `${REGISTRY_BASE}/stores/{store_id}/imports`,
  summary: 'List imports of a store',
  description: 'Newest first, so a running import comes first. Imports are kept for 90 days after they end.',
  params: StoreParams,
  query: PageQuerySchema,
  replies: { 200: { description: 'One page of imports.', schema: ImportListSchema } },
  errors: ['store_unknown'],
});

export const getImport = defineOperation({
  ...common,
  id: 'getImport',
  method: 'GET',
  path: `${REGISTRY_BASE}/imports/{import_id}`,
  summary: 'Get the progress of an import',
  params: ImportParams,
  replies: { 200: { description: 'Counts, rejected rows by kind, and the outcome.', schema: ImportSchema } },
  errors: ['import_unknown'],
});

export const followImport = defineOperation({
  ...common,
  id: 'followImport',
  method: 'GET',
  path: `${REGISTRY_BASE}/imports/{import_id}/events`,
  summary: 'Follow the progress of an import',
  description: `Server-sent events: \`progress\` with the import on every change, and finally \`end\` when it is done or failed.
Reconnect if the connection closes without \`end\`.`,
  params: ImportParams,
  replies: { 200: { description: 'Events, each with an Import.', mediaType: 'text/event-stream' } },
  errors: ['import_unknown'],
});

export const putStoreSource = defineOperation({
  ...common,
  id: 'putStoreSource',
  method: 'PUT',
  path: `${REGISTRY_BASE}/stores/{store_id}/source`,
  summary: 'Read a catalogue on a schedule',
  description: 'The first import starts soon, further ones every `everyHours` hours.',
  params: StoreParams,
  body: StoreSourceInputSchema,
  replies: { 200: { description: 'The source.', schema: StoreSourceSchema } },
  errors: ['store_unknown'],
});

export const getStoreSource = defineOperation({
  ...common,
  id: 'getStoreSource',
  method: 'GET',
  path: `${REGISTRY_BASE}/stores/{store_id}/source`,
  summary: 'Get the source of a store',
  params: StoreParams,
  replies: { 200: { description: 'The source, with the last import from it.', schema: StoreSourceSchema } },
  errors: ['store_unknown', 'store_source_unknown'],
});

export const deleteStoreSource = defineOperation({
  ...common,
  id: 'deleteStoreSource',
  method: 'DELETE',
  path: `${REGISTRY_BASE}/stores/{store_id}/source`,
  summary: 'Stop reading a catalogue on a schedule',
  description: 'Products are not changed.',
  params: StoreParams,
  replies: { 204: { description: 'The source is removed.' } },
  errors: ['store_unknown', 'store_source_unknown'],
});
