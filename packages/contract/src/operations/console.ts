import { z } from 'zod';
import { defineOperation, type Wire } from '../operation.ts';
import { SWEEP_RESULTS, type SweepResultName } from '../sweep-results.ts';
import { EventTypeSchema } from './events.ts';
import { nextCursor, REGISTRY_BASE, uuidParameter } from './parts.ts';
import { StoreParams } from './stores.ts';

const common = { tag: 'Console', access: 'merchant', noStore: true } as const;
const STORE = `${REGISTRY_BASE}/stores/{store_id}`;

/** Setup steps in order, from registration to pages with verified certificates. */
export const SETUP_STEPS = ['store', 'domain', 'products', 'images', 'publish', 'pages'] as const;

const STEP = `store: it is registered. domain: control of a hostname is proven. products: there is one that is not deleted.
images: every image was scanned. publish: a page was seen with a certificate, whatever it is worth. pages: a page is verified.`;

const SetupStepSchema = z.object({
  step: z.enum(SETUP_STEPS).meta({ description: STEP }),
  state: z.enum(['done', 'under_way', 'problem', 'open']).meta({
    description:
      'under_way: something is being done about it now. problem: something keeps it from being done.',
  }),
});

const StoreSetupSchema = z
  .object({
    storeId: z.uuid(),
    complete: z.boolean().meta({ description: 'Every step is done.' }),
    next: z.enum(SETUP_STEPS).optional().meta({ description: 'The first step that is not done.' }),
    steps: z.array(SetupStepSchema),
    domains: z.object({ proven: z.int(), open: z.int(), lost: z.int() }),
    products: z.int().meta({ description: 'Not deleted; counted to 10,000.' }),
    lastImport: z
      .object({
        id: z.uuid(),
        state: z.enum(['waiting', 'running', 'done', 'failed']),
        createdAt: z.iso.datetime(),
      })
      .optional()
      .meta({ description: 'GET /api/v1/registry/imports/{id} tells how far it is.' }),
    hasSource: z.boolean().meta({
      description: 'The catalogue is read again on a schedule: GET /api/v1/registry/stores/{id}/source.',
    }),
    images: z.object({ total: z.int(), certified: z.int(), waiting: z.int(), failed: z.int() }),
    certificates: z.int().meta({ description: 'Products whose certificate is at hand.' }),
    publisher: z
      .object({
        platform: z.literal('shopify'),
        readAt: z.iso
          .datetime()
          .optional()
          .meta({ description: 'When the catalogue was last read to its end.' }),
        publishedAt: z.iso
          .datetime()
          .optional()
          .meta({ description: 'When certificates were last written into the shop.' }),
        problem: z.string().optional().meta({ description: 'Code of what is in the way.' }),
      })
      .optional()
      .meta({ description: 'Absent: the shop puts certificates into its pages by other means.' }),
    pages: z.object({
      checked: z.int(),
      carrying: z.int().meta({ description: 'Pages with a certificate of ours, whatever it is worth.' }),
      verified: z.int(),
      checkedAt: z.iso.datetime().optional(),
    }),
  })
  .meta({ id: 'StoreSetup', description: 'How far a store is on its way to verified pages.' });

const results = Object.fromEntries(
  (Object.keys(SWEEP_RESULTS) as SweepResultName[]).map((name) => [name, z.int()]),
) as Record<SweepResultName, z.ZodInt>;

const StoreDaySchema = z.object({
  day: z.iso.date().meta({ description: 'In UTC.' }),
  live: z.boolean().optional().meta({ description: 'true: today, as it is now.' }),
  certificates: z
    .int()
    .meta({ description: 'Products whose certificate was at hand at the end of the day.' }),
  issued: z.int().meta({ description: 'Certificates made on that day for products that had none.' }),
  renewed: z.int().meta({ description: 'Certificates made in the place of earlier ones.' }),
  withdrawn: z.int(),
  images: z.object({ total: z.int(), certified: z.int(), failed: z.int() }),
  pages: z.object(results).meta({ description: 'By the result of their last check.' }),
});

const StoreHistorySchema = z
  .object({
    storeId: z.uuid(),
    days: z.array(StoreDaySchema).meta({
      description: 'Oldest first, today last; days on which the service did not run are left out.',
    }),
  })
  .meta({ id: 'StoreHistory', description: 'How a store was, day by day; 400 days are kept.' });

const StoreHistoryQuerySchema = z.strictObject({
  days: z.coerce
    .number()
    .int()
    .min(1)
    .max(400)
    .default(90)
    .meta({ description: 'Today and so many before.' }),
});

const ACTIVITY_KINDS = [
  'store_added',
  'store_deleted',
  'domain_proven',
  'domain_lost',
  'key_made',
  'key_revoked',
  'session_begun',
  'webhook_added',
  'import_ended',
  'change_begun',
  'change_done',
  'event',
] as const;

const ActivityEntrySchema = z
  .object({
    at: z.iso.datetime(),
    kind: z.enum(ACTIVITY_KINDS),
    storeId: z.uuid().optional(),
    storeName: z.string().optional(),
    hostname: z.string().optional(),
    keyId: z.uuid().optional().meta({ description: 'The key that it is about, or that asked for it.' }),
    keyLabel: z.string().optional(),
    webhookId: z.uuid().optional(),
    importId: z.uuid().optional(),
    changeId: z.uuid().optional(),
    change: z.string().optional().meta({ description: 'Kind of the change.' }),
    event: EventTypeSchema.optional(),
    state: z.string().optional().meta({
      description:
        'Of an import: done or failed. Of products that changed: the state that they are in since.',
    }),
    count: z.int().optional().meta({ description: 'How many it concerned.' }),
  })
  .meta({ id: 'ActivityEntry' });

const ActivitySchema = z
  .object({ entries: z.array(ActivityEntrySchema), nextCursor })
  .meta({ id: 'Activity', description: 'What happened to what a merchant has, newest first.' });

const ActivityQuerySchema = z.strictObject({
  cursor: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z~\d{1,6}$/, 'Input should be the nextCursor of a page')
    .optional()
    .meta({ description: 'nextCursor of the page before.', examples: ['2026-11-20T10:00:00.000Z~1'] }),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

export type SetupStep = (typeof SETUP_STEPS)[number];
export type StoreSetup = Wire<z.infer<typeof StoreSetupSchema>>;
export type StoreDay = Wire<z.infer<typeof StoreDaySchema>>;
export type StoreHistory = Wire<z.infer<typeof StoreHistorySchema>>;
export type ActivityEntry = Wire<z.infer<typeof ActivityEntrySchema>>;
export type Activity = Wire<z.infer<typeof ActivitySchema>>;
export type ActivityQuery = z.infer<typeof ActivityQuerySchema>;

export const getStoreSetup = defineOperation({
  ...common,
  id: 'getStoreSetup',
  method: 'GET',
  path: `${STORE}/setup`,
  summary: 'Get the setup progress of a store',
  description: 'From counts that are kept: it costs the same in a store of a million products.',
  params: StoreParams,
  replies: { 200: { description: 'The steps, and what is known of each.', schema: StoreSetupSchema } },
  errors: ['store_unknown'],
});

export const getStoreHistory = defineOperation({
  ...common,
  id: 'getStoreHistory',
  method: 'GET',
  path: `${STORE}/history`,
  summary: 'Get the daily history of a store',
  params: StoreParams,
  query: StoreHistoryQuerySchema,
  replies: { 200: { description: 'Day by day, the oldest first.', schema: StoreHistorySchema } },
  errors: ['store_unknown'],
});

export const listActivity = defineOperation({
  ...common,
  id: 'listActivity',
  method: 'GET',
  path: `${REGISTRY_BASE}/merchants/{merchant_id}/activity`,
  summary: 'List the activity of a merchant',
  description: `From what is kept anyway: keys and sessions, stores, domains, imports of 90 days, changes of products of 8 days, and
the events of 30 days that a webhook asks for. It is no audit trail.`,
  params: z.object({ merchant_id: uuidParameter('The merchant.') }),
  query: ActivityQuerySchema,
  replies: { 200: { description: 'One page, newest first.', schema: ActivitySchema } },
  errors: ['merchant_unknown'],
});
