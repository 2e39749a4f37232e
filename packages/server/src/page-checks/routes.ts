import { PageCheckReportSchema, PageCheckRequestSchema } from '@touchstone/certificate/schema';
import { z } from 'zod';
import type { RateLimitState } from '../platform/errors.ts';
import { documentReply } from '../platform/http/document-reply.ts';
import { type Operation, operation } from '../platform/http/operation.ts';
import { rateLimitHeaders } from '../platform/http/rate-limit-headers.ts';
import { renderDocument } from '../platform/http/rendered-document.ts';
import { uuidParameter } from '../platform/http/uuid-parameter.ts';

/** Spec, Endpoints 4, as the rows call it. */
export interface PageCheckUseCases {
  /**
   * @throws ServiceError `fresh_rate_limited`, `fetch_budget_spent` (with `retryAfter`), `network_unavailable`
   */
  checkPage(input: {
    readonly url: string;
    readonly freshness: 'cached' | 'fresh';
    readonly images?: 'match' | undefined;
    /** Rate limits count by this (decision 18). */
    readonly caller: string;
    readonly signal: AbortSignal;
  }): Promise<PageCheckAnswer>;
  /** @throws ServiceError `page_check_unknown` */
  getPageCheck(id: string): Promise<unknown>;
}

export interface PageCheckAnswer {
  /** Spec "Page check report". */
  readonly report: unknown;
  /** How many fresh checks the caller has left; present for `fresh`. */
  readonly rateLimit?: RateLimitState;
}

/** Seconds; a report never changes, and is kept for 30 days (decision 17). */
const PERMALINK_MAX_AGE = 86_400;

export function pageCheckRows(use: PageCheckUseCases): Operation[] {
  return [checkRow(use), permalinkRow(use)];
}

function checkRow(use: PageCheckUseCases): Operation {
  return operation({
    id: 'checkPage',
    method: 'POST',
    path: '/api/v1/mc4p/page-checks',
    tag: 'Verification',
    summary: 'Check a public product page',
    description: `Fetches the page, reads its facts and gives a verdict about the certificate on it. \`cached\` may use
what the page said up to 15 minutes ago; \`fresh\` fetches now, at most 10 times a minute for each caller.`,
    access: 'public',
    anyOrigin: true,
    body: PageCheckRequestSchema,
    responses: { 200: { description: 'Verdict, facts and reasons.', schema: PageCheckReportSchema } },
    errors: ['fresh_rate_limited', 'fetch_budget_spent', 'network_unavailable', 'keys_unavailable'],
    handle: async ({ body }, { caller, signal }) => {
      const { report, rateLimit } = await use.checkPage({ ...body, caller, signal });
      const headers = { 'cache-control': 'no-store', ...rateLimitHeaders(rateLimit) };
      return { status: 200, headers, body: report };
    },
  });
}

function permalinkRow(use: PageCheckUseCases): Operation {
  return operation({
    id: 'getPageCheck',
    method: 'GET',
    path: '/api/v1/mc4p/page-checks/{id}',
    tag: 'Verification',
    summary: 'Get an earlier page check',
    description: 'The report as it was given then; kept for 30 days.',
    access: 'public',
    anyOrigin: true,
    params: z.object({ id: uuidParameter('The id of the report.') }),
    responses: {
      200: { description: 'The report.', schema: PageCheckReportSchema },
      304: { description: 'The copy at hand still holds.' },
    },
    errors: ['page_check_unknown'],
    handle: async ({ params }) => {
      const report = await use.getPageCheck(params.id.toLowerCase());
      const headers = {
        'content-type': 'application/json',
        'cache-control': `public, max-age=${PERMALINK_MAX_AGE}, immutable`,
      };
      return documentReply(renderDocument(report, headers));
    },
  });
}
