import * as contract from '@touchstone/contract';
import { answerBatch, type BatchOptions } from '../../platform/http/batch.ts';
import { documentReply, implement } from '../../platform/http/implement.ts';
import { rateLimitHeaders } from '../../platform/http/problem.ts';
import { renderDocument } from '../../platform/http/rendered-document.ts';
import type { Route } from '../../platform/http/route.ts';
import type { CheckWithReceipt } from './check-with-receipt.ts';
import type { GetPageCheck } from './page-check-store.ts';

export interface PageCheckUseCases {
  readonly checkPage: CheckWithReceipt;
  readonly getPageCheck: GetPageCheck;
}

/** Seconds: less than the 30 days for which a report, which never changes, is stored. */
const PERMALINK_MAX_AGE = 86_400;

export function pageCheckRoutes(use: PageCheckUseCases, batch: BatchOptions): Route[] {
  return [
    implement(contract.checkPage, async ({ body }, { caller, identity, signal }) => {
      const { report, rateLimit } = await use.checkPage({ ...body, caller, identity, signal });
      return { status: 200, headers: rateLimitHeaders(rateLimit), body: report };
    }),
    implement(contract.checkPages, async ({ body }, call) => {
      const { caller, identity, signal } = call;
      const results = await answerBatch(
        contract.KeptPageCheckBodySchema,
        body.items,
        call,
        batch,
        async (item) => (await use.checkPage({ ...item, caller, identity, signal })).report,
        // equal items share a check, but each fresh one is charged to the caller
        (item) => (item.freshness === 'fresh' || item.evidence === true ? null : JSON.stringify(item)),
      );
      return { status: 200, body: { results } };
    }),
    implement(contract.getPageCheck, async ({ params }) => {
      const report = await use.getPageCheck(params.id.toLowerCase());
      const headers = {
        'content-type': 'application/json',
        'cache-control': `public, max-age=${PERMALINK_MAX_AGE}, immutable`,
      };
      return documentReply(renderDocument(report, headers));
    }),
  ];
}
