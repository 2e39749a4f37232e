import { reportContradictions } from '@touchstone/certificate';
import type { PageReport } from '@touchstone/certificate/schema';
import { z } from 'zod';
import { FRESH_CHECKS_PER_MINUTE } from '../limits.ts';
import { defineOperation } from '../operation.ts';
import {
  BATCH_BODY_LIMIT,
  BATCH_DESCRIPTION,
  batchBody,
  batchContradictions,
  batchResults,
} from './batch.ts';
import {
  EVIDENCE_ERRORS,
  KeptPageCheckBodySchema,
  PageCheckAnswerSchema,
  RECEIPT_ERRORS,
} from './receipt.ts';
import { NOT_MODIFIED, PUBLIC_BASE, uuidParameter } from './shared.ts';

/** Response of a page check. */
export type { PageReport } from '@touchstone/certificate/schema';

const common = { tag: 'Verification', access: 'public', anyOrigin: true } as const;

/** Spec, Endpoints 4. */
export const checkPage = defineOperation({
  ...common,
  // evidence is kept for whoever is signed in to the console
  knowsSession: true,
  id: 'checkPage',
  method: 'POST',
  path: `${PUBLIC_BASE}/page-checks`,
  summary: 'Check a public product page',
  description: `Fetches the page, reads its facts and returns a verdict on its certificate. \`cached\` may use an
observation up to 15 minutes old; \`fresh\` fetches the page now, at most ${FRESH_CHECKS_PER_MINUTE} times a minute per caller.`,
  noStore: true,
  body: KeptPageCheckBodySchema,
  replies: { 200: { description: 'Verdict, facts and reasons.', schema: PageCheckAnswerSchema } },
  errors: [
    'fresh_rate_limited',
    'network_unavailable',
    'keys_unavailable',
    ...RECEIPT_ERRORS,
    ...EVIDENCE_ERRORS,
  ],
  contradictions: ({ body }, report: PageReport) => contradictionsOf(body, report),
});

function contradictionsOf(asked: unknown, report: PageReport): string[] {
  const { url } = asked as { readonly url: string };
  return reportContradictions(report, { url });
}

export const checkPages = defineOperation({
  ...common,
  id: 'checkPages',
  method: 'POST',
  path: `${PUBLIC_BASE}/page-checks/batch`,
  summary: 'Check many product pages',
  description: `${BATCH_DESCRIPTION} Each item with \`freshness\` \`fresh\` counts towards the caller's ${FRESH_CHECKS_PER_MINUTE} a minute; items beyond that get 429.`,
  noStore: true,
  body: batchBody('checkPages', KeptPageCheckBodySchema),
  bodyLimit: BATCH_BODY_LIMIT,
  batch: true,
  replies: {
    200: { description: 'One result per item.', schema: batchResults(PageCheckAnswerSchema) },
  },
  errors: ['batches_busy', 'batch_answer_full'],
  contradictions: batchContradictions(contradictionsOf),
});

export const getPageCheck = defineOperation({
  ...common,
  id: 'getPageCheck',
  page: true,
  cacheControl: 'public, max-age=86400, immutable',
  method: 'GET',
  path: `${PUBLIC_BASE}/page-checks/{id}`,
  summary: 'Get an earlier page check',
  description: 'Returns the original report; reports are kept for 30 days.',
  params: z.object({ id: uuidParameter('The id of the report.') }),
  replies: { 200: { description: 'The report.', schema: PageCheckAnswerSchema }, 304: NOT_MODIFIED },
  errors: ['page_check_unknown'],
  contradictions: ({ params }, report: PageReport) =>
    reportContradictions(report, { id: String(params?.id) }),
});
