import { z } from 'zod';
import { defineOperation, type Wire } from '../../operation.ts';
import { nextCursor, REGISTRY_BASE, uuidParameter } from '../../operations/shared.ts';
import { StoreParams } from '../../operations/stores.ts';
import { SWEEP_RESULTS, type SweepResultName } from '../sweeps/results.ts';
import { EventTypeSchema } from '../webhooks/events.ts';

const common = { tag: 'Console', access: 'merchant', noStore: true } as const;
const STORE = `${REGISTRY_BASE}/stores/{store_id}`;

/** Setup steps in order, from registration to pages with verified certificates. */
export const SETUP_STEPS = ['store', 'domain', 'products', 'images', 'publish', 'pages'] as const;

const STEP = `store: it is registered. domain: control of a hostname is proven. products: at least one is not deleted.
images: every image was scanned. publish: a certificate was found on a page, valid or not. pages: a page is verified.`;

const SetupStepSchema = z.object({
  step: z.enum(SETUP_STEPS).meta({ description: STEP }),
  state: z.enum(['done', 'under_way', 'problem', 'open']).meta({
    description: 'under_way: in progress now. problem: an error prevents its completion.',
  }),
});

const certified = z
  .int()
  .meta({ description: 'Images for which the shop serves a file with a valid C2PA manifest.' });

const StoreSetupSchema = z
  .object({
    storeId: z.uuid(),
    complete: z.boolean().meta({ description: 'Whether every step is done.' }),
    next: z.enum(SETUP_STEPS).optional().meta({ description: 'The first step that is not done.' }),
    steps: z.array(SetupStepSchema),
    domains: z.object({ proven: z.int(), open: z.int(), lost: z.int() }),
    products: z.int().meta({ description: 'Products that are not deleted; counted up to 10,000.' }),
    lastImport: z
      .object({
        id: z.uuid(),
        state: z.enum(['waiting', 'running', 'done', 'failed']),
        createdAt: z.iso.datetime(),
      })
      .optional()
      .meta({ description: 'GET /api/v1/registry/imports/{id} returns its progress.' }),
    hasSource: z.boolean().meta({
      description: 'Whether the catalogue is read on a schedule: GET /api/v1/registry/stores/{id}/source.',
    }),
    images: z.object({ total: z.int(), certified, waiting: z.int(), failed: z.int() }),
    certificates: z.int().meta({ description: 'Products with an issued certificate.' }),
    publisher: z
      .object({
        platform: z.literal('shopify'),
        readAt: z.iso
          .datetime()
          .optional()
          .meta({ description: 'When the catalogue was last read completely.' }),
        publishedAt: z.iso
          .datetime()
          .optional()
          .meta({ description: 'When certificates were last written to the shop.' }),
        problem: z.string().optional().meta({ description: 'Code of the problem that prevents it.' }),
      })
      .optional()
      .meta({ description: 'Absent if the shop publishes certificates by other means.' }),
    pages: z.object({
      checked: z.int(),
      carrying: z.int().meta({ description: 'Pages with a certificate of this service, valid or not.' }),
      verified: z.int(),
      checkedAt: z.iso.datetime().optional(),
    }),
  })
  .meta({ id: 'StoreSetup', description: 'Setup progress of a store, from registration to verified pages.' });

const results = Object.fromEntries(
  (Object.keys(SWEEP_RESULTS) as SweepResultName[]).map((name) => [name, z.int()]),
) as Record<SweepResultName, z.ZodInt>;

const StoreDaySchema = z.object({
  day: z.iso.date().meta({ description: 'In UTC.' }),
  live: z.boolean().optional().meta({ description: 'true for today, whose values are still changing.' }),
  certificates: z.int().meta({ description: 'Products with an issued certificate at the end of the day.' }),
  issued: z.int().meta({ description: 'Certificates issued that day for products that had none.' }),
  renewed: z.int().meta({ description: 'Certificates issued that day to replace earlier ones.' }),
  withdrawn: z.int(),
  images: z.object({ total: z.int(), certified, failed: z.int() }),
  pages: z.object(results).meta({ description: 'Pages by the result of their last check.' }),
});

const StoreHistorySchema = z
  .object({
    storeId: z.uuid(),
    days: z.array(StoreDaySchema).meta({
      description: 'Oldest first, today last; days on which the service did not run are omitted.',
    }),
  })
  .meta({ id: 'StoreHistory', description: 'Daily figures of a store, kept for 400 days.' });

const StoreHistoryQuerySchema = z.strictObject({
  days: z.coerce
    .number()
    .int()
    .min(1)
    .max(400)
    .default(90)
    .meta({ description: 'Number of days, including today.' }),
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
    keyId: z
      .uuid()
      .optional()
      .meta({ description: 'The key that the entry is about, or that made the request.' }),
    keyLabel: z.string().optional(),
    webhookId: z.uuid().optional(),
    importId: z.uuid().optional(),
    changeId: z.uuid().optional(),
    change: z.string().optional().meta({ description: 'Kind of the change.' }),
    event: EventTypeSchema.optional(),
    state: z.string().optional().meta({
      description: 'For an import: done or failed. For changed products: their new state.',
    }),
    count: z.int().optional().meta({ description: 'Number of affected items.' }),
  })
  .meta({ id: 'ActivityEntry' });

const ActivitySchema = z
  .object({ entries: z.array(ActivityEntrySchema), nextCursor })
  .meta({ id: 'Activity', description: 'What happened in a merchant’s account, newest first.' });

const ActivityQuerySchema = z.strictObject({
  cursor: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z~\d{1,6}$/, 'Input should be the nextCursor of a page')
    .optional()
    .meta({ description: '`nextCursor` of the previous page.', examples: ['2026-11-20T10:00:00.000Z~1'] }),
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
  description: 'Reads stored counts, so its cost does not depend on the number of products.',
  params: StoreParams,
  replies: { 200: { description: 'The steps and the state of each.', schema: StoreSetupSchema } },
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
  replies: { 200: { description: 'One entry per day, oldest first.', schema: StoreHistorySchema } },
  errors: ['store_unknown'],
});

export const listActivity = defineOperation({
  ...common,
  id: 'listActivity',
  method: 'GET',
  path: `${REGISTRY_BASE}/merchants/{merchant_id}/activity`,
  summary: 'List the activity of a merchant',
  description: `Compiled from stored records: keys and sessions, stores, domains, imports of the last 90 days, changes of products
of the last 8 days, and events of the last 30 days to which a webhook subscribes. It is not an audit trail.`,
  params: z.object({ merchant_id: uuidParameter('The merchant.') }),
  query: ActivityQuerySchema,
  replies: { 200: { description: 'One page, newest first.', schema: ActivitySchema } },
  errors: ['merchant_unknown'],
});
