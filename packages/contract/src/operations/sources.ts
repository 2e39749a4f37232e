import { z } from 'zod';
import { defineOperation, type Wire } from '../operation.ts';
import { nextCursor, PageQuerySchema, REGISTRY_BASE, uuidParameter } from './parts.ts';
import { StoreParams } from './stores.ts';
import { webUrl } from './text-fields.ts';

const common = { tag: 'Registry', access: 'merchant', noStore: true } as const;

const KINDS = ['auto', 'shopify', 'woocommerce', 'document', 'sitemap'] as const;
const PRUNE_RULES = ['never', 'cautious', 'always'] as const;

const address = webUrl().meta({
  description: 'The shop (Shopify, WooCommerce, else its sitemaps), or a feed or export at its own address.',
});
const kind = z.enum(KINDS).meta({ description: 'How it is read; auto: found out.' });
const prune = z.enum(PRUNE_RULES).meta({
  description:
    'What becomes of products that are not in the catalogue any more. cautious: deleted, unless they are more than a fifth of the store.',
});

const ImportCreateSchema = z
  .strictObject({ url: address, kind: kind.default('auto'), prune: prune.default('never') })
  .meta({ id: 'ImportCreate' });

const StoreSourceInputSchema = z
  .strictObject({
    url: address,
    kind: kind.default('auto'),
    everyHours: z.int().min(1).max(8_760).default(24).meta({ description: 'Hours between two readings.' }),
    prune: prune.default('never'),
  })
  .meta({ id: 'StoreSourceInput' });

const ImportProblemSchema = z.object({
  kind: z.string().meta({
    description:
      'Equal for rows that are not in for the same reason: a code, and the field that it is about where the registry refuses the row.',
  }),
  count: z.int(),
  example: z.object({
    row: z.int().meta({ description: 'Where it stands in the source; 0: the source as a whole.' }),
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
    scheduled: z.boolean().meta({ description: 'Ordered by the schedule of the store’s source.' }),
    state: z.enum(['waiting', 'running', 'done', 'failed']).meta({
      description: 'waiting: not begun, or tried again later (`failure` says why).',
    }),
    done: z.int().meta({ description: 'Products that were read and are settled, in or not.' }),
    total: z.int().optional().meta({ description: 'Products in all, where the shop says so.' }),
    created: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    revived: z.int(),
    failed: z.int().meta({ description: 'Rows in error.' }),
    skippedPages: z.int().meta({ description: 'Pages of a sitemap that state no product.' }),
    perSecond: z.number().meta({ description: 'Products a second since it began.' }),
    problems: z.array(ImportProblemSchema).meta({ description: 'Rows in error, by kind.' }),
    notInSource: z.int().optional().meta({
      description: 'Products of this store that are not in the source; once all of it was read.',
    }),
    deleted: z.int().optional().meta({ description: 'Of these, how many were deleted.' }),
    failure: z.object({ code: z.string(), detail: z.string() }).optional(),
    createdAt: z.iso.datetime(),
    begunAt: z.iso.datetime().optional().meta({ description: 'When a node first took it up.' }),
    finishedAt: z.iso.datetime().optional(),
  })
  .meta({ id: 'Import', description: 'One reading of a shop’s catalogue by the service.' });

const ImportListSchema = z.object({ imports: z.array(ImportSchema), nextCursor }).meta({ id: 'ImportList' });

const StoreSourceSchema = z
  .object({
    url: z.string(),
    kind,
    everyHours: z.int(),
    prune,
    nextAt: z.iso.datetime().meta({ description: 'When it is read next.' }),
    lastImport: ImportSchema.optional(),
  })
  .meta({ id: 'StoreSource', description: 'Where the catalogue of a store is read from, and how often.' });

export type ImportCreate = z.output<typeof ImportCreateSchema>;
export type ImportView = Wire<z.infer<typeof ImportSchema>>;
export type ImportList = Wire<z.infer<typeof ImportListSchema>>;
export type StoreSourceInput = z.output<typeof StoreSourceInputSchema>;
export type StoreSource = Wire<z.infer<typeof StoreSourceSchema>>;

const ImportParams = z.object({ import_id: uuidParameter('The import.') });

const IMPORT = `The service reads the catalogue itself, politely and with its own signature, and goes on where it was cut off.
One import of a store at a time. Rows are judged as in \`PUT …/products\`, which remains the way for a program that has the
rows.`;

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
  replies: { 202: { description: 'It is ordered; `Location` tells how far it is.', schema: ImportSchema } },
  errors: ['store_unknown', 'conflict'],
});

export const listImports = defineOperation({
  ...common,
  id: 'listImports',
  method: 'GET',
  path: `${REGISTRY_BASE}/stores/{store_id}/imports`,
  summary: 'List imports of a store',
  description: 'The newest first, so one that is under way comes first. Kept for 90 days after their end.',
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
  replies: { 200: { description: 'Counts, rows in error by kind, and how it ended.', schema: ImportSchema } },
  errors: ['import_unknown'],
});

export const followImport = defineOperation({
  ...common,
  id: 'followImport',
  method: 'GET',
  path: `${REGISTRY_BASE}/imports/{import_id}/events`,
  summary: 'Follow the progress of an import',
  description: `Server-sent events: \`progress\` with the import whenever something changed, and a last one, \`end\`, when it
is done or failed. A connection that ends without it is to be made again.`,
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
  description: 'It is read soon, and then again and again.',
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
  description: 'Products stay as they are.',
  params: StoreParams,
  replies: { 204: { description: 'It is gone.' } },
  errors: ['store_unknown', 'store_source_unknown'],
});
