import { PAGE_VERDICTS } from '@touchstone/certificate';
import { z } from 'zod';
import { defineOperation, type Wire } from '../operation.ts';
import { SWEEP_RESULTS, type SweepResultName } from '../sweep-results.ts';
import { nextCursor, PageQuerySchema, REGISTRY_BASE } from './parts.ts';
import { StoreParams } from './stores.ts';

const common = { tag: 'Registry', access: 'merchant', noStore: true } as const;

const results = Object.keys(SWEEP_RESULTS) as [SweepResultName, ...SweepResultName[]];
const result = z.enum(results);

const SweepSchema = z
  .object({
    state: z.enum(['off', 'idle', 'working', 'waiting', 'budget_spent']).meta({
      description:
        'off: this service sweeps no pages. idle: there is nothing to check. working: a node is at it. waiting: for the next page to be due. budget_spent: as many pages as a day allows were checked; it goes on tomorrow.',
    }),
    summary: z.string().meta({ description: 'The counts in one sentence.' }),
    pages: z.object({
      checked: z.int().meta({ description: 'Pages whose last result is known.' }),
      waiting: z
        .int()
        .meta({ description: 'Active products whose page was never checked; counted to 10,000.' }),
      verified: z.int(),
      stale: z.int(),
      expired: z.int(),
      lost: z.int(),
      missing: z.int(),
      failed: z.int(),
      unreachable: z.int(),
      expiring: z
        .int()
        .meta({ description: 'Of those that are stale: the certificate ends within two days.' }),
    }),
    problems: z.array(z.object({ result, count: z.int(), sentence: z.string(), nextStep: z.string() })),
    checkedAt: z.iso.datetime().optional().meta({ description: 'When a page was last checked.' }),
    nextAt: z.iso.datetime().optional().meta({ description: 'When it goes on.' }),
    budget: z.object({
      checkedToday: z.int(),
      perDay: z.int(),
      perHostPerMinute: z.int(),
      everyHours: z.int().meta({ description: 'A page is checked so often, where the budgets allow it.' }),
    }),
    copies: z.int().meta({ description: 'Copies of certificates on other hosts; counted to 1,000.' }),
  })
  .meta({
    id: 'Sweep',
    description: 'How the pages of a store are, by the checks that the service makes by itself.',
  });

const SweepPageSchema = z
  .object({
    productId: z.uuid(),
    externalProductId: z.string(),
    url: z.string(),
    result,
    verdict: z.enum(PAGE_VERDICTS),
    reason: z.string().optional().meta({ description: '`code: sentence`, as in the report.' }),
    nextStep: z.string().optional(),
    landing: z.string().optional().meta({ description: 'Where redirects led, if elsewhere.' }),
    expiresAt: z.iso.datetime().optional().meta({ description: 'Of the proof on the page.' }),
    expiring: z.boolean().optional(),
    checkedAt: z.iso.datetime(),
    since: z.iso.datetime().meta({ description: 'Since when it has this result.' }),
    reportId: z.uuid().meta({ description: 'GET /api/v1/mc4p/page-checks/{id}, for 30 days.' }),
  })
  .meta({ id: 'SweepPage' });

const SweepPageListSchema = z
  .object({ pages: z.array(SweepPageSchema), nextCursor })
  .meta({ id: 'SweepPageList' });

const CopySchema = z
  .object({
    productId: z.uuid(),
    externalProductId: z.string(),
    host: z.string(),
    url: z.string().meta({ description: 'Where it was met last, without its query.' }),
    firstAt: z.iso.datetime(),
    lastAt: z.iso.datetime(),
    times: z
      .int()
      .meta({ description: 'Page checks that met it, about: each process counts one a minute at the most.' }),
  })
  .meta({ id: 'Copy', description: "A certificate of the store, met on a host that is not the merchant's." });

const CopyListSchema = z
  .object({
    copies: z.array(CopySchema),
    more: z
      .int()
      .meta({ description: 'Sightings that there was no room for: a store has 1,000 copies at the most.' }),
    nextCursor,
  })
  .meta({ id: 'CopyList' });

const SweepPageQuerySchema = z.strictObject({
  result: result.optional(),
  verdict: z.enum(PAGE_VERDICTS).optional(),
  ...PageQuerySchema.shape,
});

const CopyListQuerySchema = z.strictObject({
  cursor: z.string().max(400).optional().meta({ description: 'nextCursor of the page before.' }),
  limit: PageQuerySchema.shape.limit,
});

export type Sweep = Wire<z.infer<typeof SweepSchema>>;
export type SweepPageList = Wire<z.infer<typeof SweepPageListSchema>>;
export type SweepPageQuery = z.infer<typeof SweepPageQuerySchema>;
export type CopyList = Wire<z.infer<typeof CopyListSchema>>;
export type CopyListQuery = z.infer<typeof CopyListQuerySchema>;

const PATH = `${REGISTRY_BASE}/stores/{store_id}`;

export const getSweep = defineOperation({
  ...common,
  id: 'getSweep',
  method: 'GET',
  path: `${PATH}/sweep`,
  summary: 'Get the state of the pages of a store',
  params: StoreParams,
  replies: { 200: { description: 'Counts by result, and what to do.', schema: SweepSchema } },
  errors: ['store_unknown'],
});

export const beginSweep = defineOperation({
  ...common,
  id: 'beginSweep',
  method: 'POST',
  path: `${PATH}/sweep`,
  summary: 'Check all pages of a store again',
  description:
    'From now on, within the budgets; those that changed first, then those that were checked longest ago.',
  params: StoreParams,
  replies: { 202: { description: 'What is known so far.', schema: SweepSchema } },
  errors: ['store_unknown', 'conflict'],
});

export const listSweepPages = defineOperation({
  ...common,
  id: 'listSweepPages',
  method: 'GET',
  path: `${PATH}/sweep/pages`,
  summary: 'List the pages of a store by the result of their last check',
  description: 'By the id of the product; `nextCursor` leads on.',
  params: StoreParams,
  query: SweepPageQuerySchema,
  replies: { 200: { description: 'One page of pages.', schema: SweepPageListSchema } },
  errors: ['store_unknown'],
});

export const listCopies = defineOperation({
  ...common,
  id: 'listCopies',
  method: 'GET',
  path: `${PATH}/copies`,
  summary: 'List copies of a store’s certificates on other hosts',
  description: `Where any page check, whoever asked for it, met a certificate of the store with a valid signature on a host that is
not the merchant's. Kept for 90 days after it was last met. Nothing is told of who asked.`,
  params: StoreParams,
  query: CopyListQuerySchema,
  replies: { 200: { description: 'One page of copies.', schema: CopyListSchema } },
  errors: ['store_unknown'],
});
