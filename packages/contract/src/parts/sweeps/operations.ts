import { PAGE_VERDICTS } from '@touchstone/certificate';
import { z } from 'zod';
import { defineOperation, type Wire } from '../../operation.ts';
import { nextCursor, PageQuerySchema, REGISTRY_BASE } from '../../operations/shared.ts';
import { StoreParams } from '../../operations/stores.ts';
import { DRIFT_FIELDS, SWEEP_RESULTS, type SweepResultName } from './results.ts';

const common = { tag: 'Registry', access: 'merchant', noStore: true } as const;

const results = Object.keys(SWEEP_RESULTS) as [SweepResultName, ...SweepResultName[]];
const result = z.enum(results);

const SweepSchema = z
  .object({
    state: z.enum(['off', 'idle', 'working', 'waiting', 'budget_spent']).meta({
      description:
        'off: this service does not sweep pages. idle: there is nothing to check. working: a node is checking pages. waiting: until the next page is due. budget_spent: the daily number of pages is reached; it continues tomorrow.',
    }),
    summary: z.string().meta({ description: 'The counts in one sentence.' }),
    pages: z.object({
      checked: z.int().meta({ description: 'Pages whose last result is known.' }),
      waiting: z
        .int()
        .meta({ description: 'Active products whose page was never checked; counted up to 10,000.' }),
      verified: z.int(),
      stale: z.int(),
      expired: z.int(),
      lost: z.int(),
      missing: z.int(),
      failed: z.int(),
      unreachable: z.int(),
      expiring: z
        .int()
        .meta({ description: 'Of the stale pages: those whose certificate expires within two days.' }),
      drifted: z.int().optional().meta({
        description:
          'Pages that state something else than the catalogue or their certificate, whatever their result; counted up to 10,000.',
      }),
    }),
    problems: z.array(z.object({ result, count: z.int(), sentence: z.string(), nextStep: z.string() })),
    checkedAt: z.iso.datetime().optional().meta({ description: 'When the last page was fetched.' }),
    nextAt: z.iso.datetime().optional().meta({ description: 'When it continues.' }),
    budget: z.object({
      checkedToday: z.int(),
      perDay: z.int(),
      perHostPerMinute: z.int(),
      everyHours: z
        .int()
        .meta({ description: 'Hours between two checks of a page, if the budgets allow it.' }),
    }),
    copies: z.int().meta({
      description: 'Registrable domains of other parties on which copies of certificates were found.',
    }),
  })
  .meta({
    id: 'Sweep',
    description: 'State of the pages of a store, from the periodic checks of the service.',
  });

/** What a page states that differs, as it is told in lists and events. */
export const DriftSchema = z
  .object({
    field: z.enum(DRIFT_FIELDS),
    catalogue: z
      .string()
      .optional()
      .meta({ description: 'What the store sent. Absent: it does not differ, or the store sent nothing.' }),
    signed: z.string().optional().meta({
      description:
        'What the certificate on the page signs. Absent: it does not differ, signs nothing of it, or a newer one has been issued.',
    }),
    page: z.string().meta({ description: 'What the page states.' }),
    since: z.iso.datetime().meta({ description: 'When a page was fetched that showed it first.' }),
    lastAt: z.iso.datetime().meta({ description: 'The same, last.' }),
  })
  .meta({ id: 'Drift', description: 'A field of a product of which its page states something else.' });

const SweepPageSchema = z
  .object({
    productId: z.uuid(),
    externalProductId: z.string(),
    url: z.string(),
    result,
    verdict: z.enum(PAGE_VERDICTS),
    reason: z.string().optional().meta({ description: '`code: sentence`, as in the report.' }),
    nextStep: z.string().optional(),
    landing: z.string().optional().meta({ description: 'Address after redirects, if it differs.' }),
    expiresAt: z.iso.datetime().optional().meta({ description: 'When the proof on the page expires.' }),
    expiring: z.boolean().optional(),
    drift: z.array(DriftSchema).optional().meta({
      description:
        'What the page states that differs from the catalogue or the certificate, seen at least twice, 20 hours or more apart.',
    }),
    checkedAt: z.iso.datetime().meta({ description: 'When the page was fetched.' }),
    since: z.iso.datetime().meta({ description: 'When it first had this result.' }),
    reportId: z.uuid().meta({ description: 'GET /api/v1/mc4p/page-checks/{id}, for 30 days.' }),
  })
  .meta({ id: 'SweepPage' });

const SweepPageListSchema = z
  .object({ pages: z.array(SweepPageSchema), nextCursor })
  .meta({ id: 'SweepPageList' });

const SweepPageQuerySchema = z.strictObject({
  result: result.optional(),
  verdict: z.enum(PAGE_VERDICTS).optional(),
  drifted: z
    .literal('true')
    .optional()
    .meta({ description: 'Only pages that state something else than the catalogue or their certificate.' }),
  ...PageQuerySchema.shape,
});

export type Sweep = Wire<z.infer<typeof SweepSchema>>;
export type SweepPageList = Wire<z.infer<typeof SweepPageListSchema>>;
export type SweepPageQuery = z.infer<typeof SweepPageQuerySchema>;

const PATH = `${REGISTRY_BASE}/stores/{store_id}`;

export const getSweep = defineOperation({
  ...common,
  id: 'getSweep',
  method: 'GET',
  path: `${PATH}/sweep`,
  summary: 'Get the state of the pages of a store',
  params: StoreParams,
  replies: { 200: { description: 'Counts by result, and the next steps.', schema: SweepSchema } },
  errors: ['store_unknown'],
});

export const beginSweep = defineOperation({
  ...common,
  id: 'beginSweep',
  method: 'POST',
  path: `${PATH}/sweep`,
  summary: 'Check all pages of a store again',
  description:
    'Starts now, within the budgets: changed pages first, then those checked longest ago. Each page is fetched after this call; no observation from before is used.',
  params: StoreParams,
  replies: { 202: { description: 'The state so far.', schema: SweepSchema } },
  errors: ['store_unknown', 'conflict'],
});

export const listSweepPages = defineOperation({
  ...common,
  id: 'listSweepPages',
  method: 'GET',
  path: `${PATH}/sweep/pages`,
  summary: 'List the pages of a store by the result of their last check',
  description: 'Sorted by product id.',
  params: StoreParams,
  query: SweepPageQuerySchema,
  replies: { 200: { description: 'One page of pages.', schema: SweepPageListSchema } },
  errors: ['store_unknown'],
});
